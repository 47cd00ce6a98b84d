import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { brand } from "#brand";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { readRows } from "../../read-rows.ts";
import { type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { ready, saveData } from "./states.ts";

const thanks = "Thanks! You've been added to the waitlist. We'll be in touch soon! ✨";
const again = "We see you. We see your inbox chaos. We got you, stay tuned! ✨";
const failed = "Failed to join waitlist. Please try again.";

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium();
});

afterAll(() => browser?.close());

/**
 * A visitor with a browser of her own, on a server of its own with an empty waitlist. She saves data
 * unless the picture matters: starting it takes more than all the rest.
 */
async function visit(
	path: string,
	{ moving = false, ...options }: BrowserContextOptions & { moving?: boolean } = {},
): Promise<{ page: Page; server: ServerProcess; complaints: string[] }> {
	const server = await startServer({ folder: await temporaryFolder() });
	// A phone's, as most visitors have, and cheap to draw.
	const viewport = { width: 412, height: 823 };
	const context = await browser.newContext({ baseURL: server.url, viewport, ...options });
	onTestFinished(() => context.close());
	if (!moving) await context.addInitScript(saveData);
	const page = await context.newPage();
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(error.message));
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) complaints.push(message.text());
	});
	await page.goto(path);
	if (options.javaScriptEnabled !== false) await ready(page);
	return { page, server, complaints };
}

const email = (page: Page) => page.getByLabel("Email address");
const emails = (server: ServerProcess) => readRows(server.file).map((row) => row.email);

test("a visitor joins with the button, and the address is in the database", async () => {
	const { page, server } = await visit("/");
	await email(page).fill("Ada@Example.com");
	await page.getByRole("button", { name: "Join waitlist" }).click();
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["Ada@Example.com"]);
	expect(await page.evaluate(() => localStorage.getItem("waitlistEmail"))).toBe("Ada@Example.com");
	expect(await page.getByText("Join the waitlist now").count()).toBe(0);
	expect(new URL(page.url()).pathname).toBe("/");
});

test("a visitor joins with Enter", async () => {
	const { page, server } = await visit("/");
	await email(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["ada@example.com"]);
	expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(thanks);
});

test("a second join in another spelling is welcomed, not stored", async () => {
	const { page, server } = await visit("/");
	for (const [address, answer] of [
		["ada@example.com", thanks],
		["ADA@Example.COM ", again],
	] as const) {
		await page.goto("/");
		await ready(page);
		await email(page).pressSequentially(address);
		await page.keyboard.press("Enter");
		await page.getByText(answer).waitFor();
	}
	expect(emails(server)).toEqual(["ada@example.com"]);
});

test.each([
	[
		"the server's error text",
		{ status: 500, json: { error: "The list is resting." } },
		"The list is resting.",
	],
	["our own words where it gives none", { status: 500, body: "" }, failed],
	[
		"our own words when a captive portal answers with its own page",
		{ status: 302, headers: { location: "/" } },
		failed,
	],
	[
		"our own words for an answer that is no JSON",
		{ status: 502, body: "<h1>Bad Gateway</h1>" },
		failed,
	],
])("a refusal shows %s, and the next try succeeds", async (_, answer, sentence) => {
	const { page, server } = await visit("/");
	await page.route("**/api/waitlist/register", (route) => route.fulfill(answer), { times: 1 });
	await email(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByRole("alert").getByText(sentence).waitFor();
	expect(await email(page).evaluate((input) => input === document.activeElement)).toBe(true);
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["ada@example.com"]);
});

test("a visitor who is offline reads so, and joins when she is back", async () => {
	const { page, server } = await visit("/");
	await email(page).fill("ada@example.com");
	await page.context().setOffline(true);
	await page.keyboard.press("Enter");
	await page.getByText(failed).waitFor();
	await page.context().setOffline(false);
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["ada@example.com"]);
});

test("while joining, the field and the button are disabled and the button says so", async () => {
	const { page } = await visit("/");
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.route("**/api/waitlist/register", async (route) => {
		await held;
		await route.continue();
	});
	await email(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Joining...", disabled: true }).waitFor();
	expect(await email(page).isDisabled()).toBe(true);
	release();
	await page.getByText(thanks).waitFor();
});

test("without JavaScript a visitor joins, is recognised, and is told what is wrong", async () => {
	const { page, server } = await visit("/", { javaScriptEnabled: false });
	for (const [address, status, answer] of [
		["ada@example.com", 201, thanks],
		["Ada@example.com", 409, again],
		["ada", 400, "Please enter a valid email address"],
		["", 400, "Please enter your email address"],
	] as const) {
		await page.goto("/");
		await email(page).fill(address);
		const answered = page.waitForResponse("**/api/waitlist/register");
		await page.getByRole("button").click();
		expect((await answered).status()).toBe(status);
		await page.getByText(answer).waitFor();
		expect(await page.title()).toBe(`${answer} · ${brand.product}`);
		expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
		if (status === 400) expect(await email(page).inputValue()).toBe(address);
	}
	expect(emails(server)).toEqual(["ada@example.com"]);
});

test.each([true, false])(
	"an unknown path is the not-found page with status 404 (JavaScript: %s)",
	async (javaScriptEnabled) => {
		const { page } = await visit("/", { javaScriptEnabled });
		const response = await page.goto("/no/such/page");
		expect(response?.status()).toBe(404);
		await page.getByRole("heading", { level: 1, name: "Oops! Page not found" }).waitFor();
		await page.getByRole("link", { name: "Return to Home" }).click();
		await page.getByRole("heading", { level: 1, name: /^Email, but make it/ }).waitFor();
	},
);

const headline = `Email, but make it ${brand.product} smart, beautiful, useful, personal and curated`;

const pages = [
	["/", `${brand.product} · Email, but smart`, headline],
	["/confirmation", `Congratulations! · ${brand.product}`, "Congratulations!"],
	["/privacy", `Privacy Policy · ${brand.product}`, "Privacy Policy"],
	["/terms", `Terms of Service · ${brand.product}`, "Terms of Service"],
] as const;

test.each(pages)(
	"%s has its title and heading, and nothing to complain about",
	async (path, title, heading) => {
		const { page, complaints } = await visit(path, { moving: true });
		if (["/", "/confirmation"].includes(path))
			await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
		expect(await page.title()).toBe(title);
		expect(await page.getByRole("heading", { level: 1, name: heading }).count()).toBe(1);
		await page.evaluate(() => document.fonts.ready);
		expect(complaints).toEqual([]);
	},
);

test.each(["/privacy", "/terms", "/no/such/page"])("%s loads no script", async (path) => {
	const { page } = await visit("/", { javaScriptEnabled: false });
	const scripts: string[] = [];
	page.on("request", (request) => {
		if (request.resourceType() === "script") scripts.push(request.url());
	});
	await page.goto(path, { waitUntil: "networkidle" });
	expect(await page.locator("script").count()).toBe(0);
	expect(scripts).toEqual([]);
});

test.each([
	{ asked: "utm_source=letter&utm_medium=mail", fetched: 0 },
	{ asked: "utm_source=letter&level=1", fetched: 1 },
])("?$asked fetches the engineers' settings $fetched times", async ({ asked, fetched }) => {
	const { page } = await visit("/privacy", { moving: true });
	const settings: string[] = [];
	page.on("request", (request) => {
		if (request.url().includes("/engine-settings-")) settings.push(request.url());
	});
	await page.goto(`/?${asked}`);
	await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
	expect(settings.length).toBe(fetched);
});

test("moving between pages with script is no reload: the title, the focus and the scroll follow", async () => {
	const { page, complaints } = await visit("/confirmation", { moving: true });
	await page.evaluate(() => Object.assign(window, { sameDocument: true }));
	await page.getByRole("link", { name: brand.product }).click();
	await page.getByRole("heading", { level: 1, name: /^Email, but make it/ }).waitFor();
	expect(await page.title()).toBe(`${brand.product} · Email, but smart`);
	expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
	expect(await page.evaluate(() => scrollY)).toBe(0);

	// A link to the page that is shown adds no step to the way back.
	await page.evaluate(() => history.replaceState("before", ""));
	await page.getByRole("link", { name: brand.product }).click();
	await page.waitForFunction(() => history.state !== "before");
	await page.goBack();
	await page.getByRole("heading", { level: 1, name: "Congratulations!" }).waitFor();
	expect(await page.title()).toBe(`Congratulations! · ${brand.product}`);
	expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
	expect(complaints).toEqual([]);
});

test("the way there and back again always ends on the page of the address, as it was left", async () => {
	const { page, complaints } = await visit("/");
	await email(page).fill("ada@exam");
	const shows = (name: string | RegExp) =>
		page.getByRole("heading", { level: 1, name }).waitFor({ timeout: 5000 });
	const landing = /^Email, but make it/;
	await page.getByRole("link", { name: "Terms of Service" }).click();
	await shows("Terms of Service");
	await page.getByRole("link", { name: "Back to home" }).click();
	await shows(landing);
	await page.goBack();
	await shows("Terms of Service");
	await page.goBack();
	await shows(landing);
	await ready(page);
	expect(await email(page).inputValue()).toBe("ada@exam");
	await page.goForward();
	await shows("Terms of Service");
	await page.reload();
	await page.goBack();
	await shows(landing);

	await page.goto("/confirmation");
	await ready(page);
	await page.getByRole("link", { name: brand.product }).click();
	await shows(landing);
	await page.reload();
	await page.goBack();
	await shows("Congratulations!");
	expect(complaints).toEqual([]);
});

/** Goes to a path, and keeps the application from the page until the function is called. */
async function openEarly(page: Page, path: string): Promise<() => void> {
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.context().route("**/assets/main-*.js", async (route) => {
		await held;
		await route.continue();
	});
	await page.goto(path, { waitUntil: "commit" });
	return release;
}

test("what was typed before React came is kept, and then joins without a reload", async () => {
	const { page, server } = await visit("/privacy");
	const release = await openEarly(page, "/");
	await email(page).pressSequentially("ada@exam");
	expect(await page.evaluate(() => document.documentElement.dataset.motion)).toBeUndefined();
	release();
	await email(page).pressSequentially("ple.com");
	await ready(page);
	expect(await email(page).inputValue()).toBe("ada@example.com");
	expect(await email(page).evaluate((input) => input === document.activeElement)).toBe(true);
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(new URL(page.url()).pathname).toBe("/");
	expect(emails(server)).toEqual(["ada@example.com"]);
});

test("what was typed is kept where a translator and a form filler were at the page before React", async () => {
	const { page } = await visit("/privacy");
	const release = await openEarly(page, "/");
	await email(page).pressSequentially("ada@exam");
	await page.evaluate(() => {
		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		const texts: ChildNode[] = [];
		while (walker.nextNode()) texts.push(walker.currentNode as Text);
		for (const text of texts) {
			const translated = document.createElement("font");
			text.replaceWith(translated);
			translated.append(text);
		}
		document.querySelector("#email")?.after(document.createElement("div"));
	});
	release();
	await ready(page);
	await page.keyboard.type("ple.com");
	expect(await email(page).inputValue()).toBe("ada@example.com");
});

test("the application comes at the first key, while fonts keep the page loading", async () => {
	const { page } = await visit("/privacy");
	await page.context().route("**/*.woff2", () => {});
	await page.goto("/", { waitUntil: "domcontentloaded" });
	await page.keyboard.press("Tab");
	await ready(page);
	expect(await page.evaluate(() => document.readyState)).toBe("interactive");
});

/** The words of the headline that can be seen, from what a page shows now until `ms` later. */
function watchWords(page: Page, ms: number): Promise<string[]> {
	return page.evaluate(async (ms) => {
		const seen: string[] = [];
		const end = performance.now() + ms;
		while (performance.now() < end) {
			const words = [...document.querySelectorAll<HTMLElement>(".ink")].filter(
				(word) => getComputedStyle(word).visibility === "visible",
			);
			const strength = (word: HTMLElement) => Number(getComputedStyle(word).opacity);
			const [word] = words.sort((a, b) => strength(b) - strength(a));
			if (word?.textContent && word.textContent !== seen.at(-1)) seen.push(word.textContent);
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		return seen;
	}, ms);
}

test("the headline turns through its five words and begins again", async () => {
	const { page } = await visit("/");
	const seen = await watchWords(page, 16_000);
	const first = seen.indexOf("smart");
	expect(seen.slice(first, first + 6)).toEqual([
		"smart",
		"beautiful",
		"useful",
		"personal",
		"curated",
		"smart",
	]);
});

test("the pause switch stops the words, and the choice is remembered", async () => {
	const { page } = await visit("/");
	await page.getByRole("button", { name: "Pause animations" }).click();
	await page.waitForTimeout(500);
	expect(await watchWords(page, 4000)).toHaveLength(1);
	await page.reload();
	await ready(page);
	expect(await watchWords(page, 4000)).toHaveLength(1);
	await page.getByRole("button", { name: "Play animations" }).click();
	await expect.poll(() => watchWords(page, 1000)).not.toContain("smart");
});

test("what is paused in one tab is paused in the others, and plays with them again", async () => {
	const { page } = await visit("/");
	const other = await page.context().newPage();
	await other.goto("/");
	await page.getByRole("button", { name: "Pause animations" }).click();
	await other.getByRole("button", { name: "Play animations" }).click();
	await page.getByRole("button", { name: "Pause animations" }).waitFor();
});

test("a visitor who asked for less motion starts with a page that stands still", async () => {
	const { page } = await visit("/", { reducedMotion: "reduce" });
	await page.getByRole("button", { name: "Play animations" }).waitFor();
	expect(await page.locator(".word").first().isVisible()).toBe(true);
	expect(await page.evaluate(() => localStorage.getItem("motion"))).toBeNull();
	// What she says herself counts for more, now and later.
	await page.getByRole("button", { name: "Play animations" }).click();
	await page.getByRole("button", { name: "Pause animations" }).waitFor();
	await page.reload();
	await page.getByRole("button", { name: "Pause animations" }).waitFor();
});

test("nothing moves when the fonts arrive late", async () => {
	const { page } = await visit("/privacy");
	await page.context().route("**/*.woff2", async (route) => {
		await new Promise((resolve) => setTimeout(resolve, 700));
		await route.continue();
	});
	for (const [path] of pages) {
		await page.goto(path, { waitUntil: "commit" });
		const shift = await page.evaluate(async () => {
			let sum = 0;
			new PerformanceObserver((list) => {
				for (const entry of list.getEntries())
					sum += (entry as PerformanceEntry & { value: number }).value;
			}).observe({ type: "layout-shift", buffered: true });
			await document.fonts.ready;
			await new Promise((resolve) => setTimeout(resolve, 300));
			return sum;
		});
		expect(shift, path).toBeLessThan(0.01);
	}
});
