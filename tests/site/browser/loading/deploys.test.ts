import type { Browser, Page, Request } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { brand, words } from "#brand";
import { type ServerProcess, startServer } from "../../../server-process.ts";
import { sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { headlineStart, thanks } from "../../sentences.ts";
import { email, emails, hold } from "../visit.ts";
import { type BuildCopy, copyAsLaterBuild, copyBuild } from "./build-copies.ts";

/*
 * An open page outlives the server that it came from: its scripts may be gone when it asks for them
 * (promise 10). In these tests the files are really gone, and the server is really another one.
 */

let browser: Browser;

beforeAll(async () => {
	browser = await sharedChromium();
});

interface Visit {
	page: Page;
	server: ServerProcess;
	/** Documents that the tab has loaded. */
	documents: () => number;
	/** Paths that were asked for and have not come. */
	pending: () => string[];
	/** Replaces the server by one of another build, on the same port. */
	deploy(build: BuildCopy): Promise<void>;
}

/** A tab without a page yet, and a server of this build. */
async function begin(build?: BuildCopy): Promise<Visit> {
	const folder = await temporaryFolder();
	const server = await startServer({ folder, ...(build && { main: build.main }) });
	const context = await browser.newContext({ baseURL: server.url });
	onTestFinished(() => context.close());
	const page = await context.newPage();
	let documents = 0;
	const pending = new Set<Request>();
	page.on("request", (request) => {
		if (request.isNavigationRequest()) documents++;
		pending.add(request);
	});
	for (const end of ["requestfinished", "requestfailed"] as const) {
		page.on(end as "requestfinished", (request) => pending.delete(request));
	}
	return {
		page,
		server,
		documents: () => documents,
		pending: () => [...pending].map((request) => new URL(request.url()).pathname),
		async deploy(next) {
			server.process.kill();
			await server.ended;
			await startServer({ folder, main: next.main, env: { PORT: new URL(server.url).port } });
		},
	};
}

/** Holds back the first request for a script until the returned function is called. */
const holdScript = (page: Page, name: string) =>
	hold(page, new RegExp(`/assets/${name}-[^/]+\\.js$`), { times: 1 });

const isRunning = (page: Page) =>
	page.evaluate(() => Boolean(document.documentElement.dataset.motion));
/** What the browser does when another tab comes to the front. Playwright keeps all pages visible. */
const hide = (page: Page) =>
	page.evaluate(() => {
		Object.defineProperty(document, "hidden", { value: true });
		document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
	});
/** Long enough for a reload that must not come. */
const linger = (page: Page) => page.waitForTimeout(1500);

test.each(["main"])(
	"a page that lost its %s script to a deploy becomes the newer page",
	async (script) => {
		const { page, documents, pending, deploy } = await begin();
		const release = await holdScript(page, script);
		await page.goto("/");
		// What is on its way as the server ends looks like a server that is lost.
		await expect.poll(pending).toEqual([expect.stringContaining(`/${script}-`)]);
		await deploy(await copyAsLaterBuild());
		release();
		// Do not evaluate in the page: Playwright makes that count as the visitor's touch.
		await expect.poll(documents).toBe(2);
		await expect.poll(() => isRunning(page).catch(() => false)).toBe(true);
		expect(documents()).toBe(2);
		expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
	},
);

test("an address that was typed meanwhile is kept, and joins without script", {
	tags: "slow",
}, async () => {
	const { page, server, documents, deploy } = await begin();
	const release = await holdScript(page, "main");
	await page.goto("/");
	await email(page).pressSequentially("ada@example.com");
	await deploy(await copyAsLaterBuild());
	release();
	await linger(page);
	await hide(page);
	await linger(page);
	expect(documents()).toBe(1);
	expect(await email(page).inputValue()).toBe("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["ada@example.com"]);
});

test("a page that was touched meanwhile becomes the newer one once it is hidden", {
	tags: "slow",
}, async () => {
	const { page, documents, deploy } = await begin();
	const release = await holdScript(page, "main");
	await page.goto("/");
	await page.keyboard.press("Tab");
	await deploy(await copyAsLaterBuild());
	release();
	await linger(page);
	expect(documents()).toBe(1);
	await hide(page);
	await expect.poll(() => isRunning(page).catch(() => false)).toBe(true);
});

test("a build that lacks one of its scripts does not reload its page, and the form works", {
	tags: "slow",
}, async () => {
	const build = await copyBuild();
	await build.remove(/^react-/);
	const { page, server, documents } = await begin(build);
	await page.goto("/");
	await linger(page);
	expect(documents()).toBe(1);
	await email(page).fill("ada@example.com");
	await page.getByRole("button", { name: words.form.button }).click();
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["ada@example.com"]);
});

test("copies of the server with different builds make the page reload once, not for ever", {
	tags: "slow",
}, async () => {
	const { page, documents } = await begin();
	let build = 0;
	await page.route("/", async (route) => {
		const response = await route.fetch();
		build++;
		const body = (await response.text()).replace(/main-[\w-]{8}\.js/, `main-copy${build}.js`);
		await route.fulfill({ response, body });
	});
	await page.goto("/");
	await expect.poll(documents).toBe(2);
	await linger(page);
	expect(documents()).toBe(2);
	await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
});

test("a page that lost its server stays as it is", { tags: "slow" }, async () => {
	const { page, server, documents } = await begin();
	const release = await holdScript(page, "main");
	await page.goto("/");
	server.process.kill();
	await server.ended;
	release();
	await linger(page);
	expect(documents()).toBe(1);
	expect(await email(page).isVisible()).toBe(true);
});

test("a link to a page that lost its script to a deploy still leads there", {
	tags: "slow",
}, async () => {
	const { page, documents, deploy } = await begin();
	await page.goto("/confirmation");
	await expect.poll(() => isRunning(page)).toBe(true);
	await deploy(await copyAsLaterBuild());
	await page.getByRole("link", { name: brand.product }).click();
	await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
	await expect.poll(() => isRunning(page).catch(() => false)).toBe(true);
	expect(documents()).toBe(2);
});

test("without the engine's files the still picture stays, and a visitor joins", {
	tags: "slow",
}, async () => {
	const build = await copyBuild();
	await build.remove(/^engine-/);
	const { page, server, documents } = await begin(build);
	const lines: string[] = [];
	page.on("console", (message) => lines.push(message.text()));
	await page.goto("/");
	await expect.poll(() => lines.join()).toContain("engine: not loaded.");
	await expect.poll(() => isRunning(page)).toBe(true);
	expect(await page.locator(".sphere").isVisible()).toBe(true);
	expect(await page.locator(".stage").getAttribute("data-backend")).toBeNull();
	await email(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["ada@example.com"]);
	expect(documents()).toBe(1);
});
