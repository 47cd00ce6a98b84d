/* Joining, as a visitor meets it in a browser, up to the row in the database. */
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { brand, inks, words } from "#brand";
import { readRows } from "../../read-rows.ts";
import { again, failed, invalid, missing, thanks } from "../sentences.ts";
import { computed, email, emails, hold, ready, visitAlone } from "./visit.ts";

test("a visitor joins with the button, the address is in the database, and another spelling is not stored", async () => {
	const { page, server } = await visitAlone("/");
	await email(page).fill("Ada@Example.com");
	await page.getByRole("button", { name: words.form.button }).click();
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["Ada@Example.com"]);
	expect(await page.evaluate(() => localStorage.getItem("waitlistEmail"))).toBe("Ada@Example.com");
	expect(await page.getByText(words.form.prompt).count()).toBe(0);
	expect(new URL(page.url()).pathname).toBe("/");
	// A second join in another spelling is welcomed, not stored.
	await page.goto("/");
	await ready(page);
	await email(page).pressSequentially("ADA@Example.COM ");
	await page.keyboard.press("Enter");
	await page.getByText(again).waitFor();
	expect(emails(server)).toEqual(["Ada@Example.com"]);
});

test("a visitor joins with Enter", { tags: "slow" }, async () => {
	const { page, server } = await visitAlone("/");
	await email(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["ada@example.com"]);
	expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(thanks);
});

const refusals: [what: string, answer: Parameters<Route["fulfill"]>[0], sentence: string][] = [
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
];

test.each(refusals)(
	"a refusal shows %s, and the next try succeeds",
	async (_, answer, sentence) => {
		const { page, server } = await visitAlone("/");
		await page.route("**/api/waitlist/register", (route) => route.fulfill(answer), { times: 1 });
		await email(page).fill("ada@example.com");
		await page.keyboard.press("Enter");
		await page.getByRole("alert").getByText(sentence).waitFor();
		expect(await email(page).evaluate((input) => input === document.activeElement)).toBe(true);
		await page.keyboard.press("Enter");
		await page.getByText(thanks).waitFor();
		expect(emails(server)).toEqual(["ada@example.com"]);
	},
);

test("a visitor who is offline reads so, and joins when back online", {
	tags: "slow",
}, async () => {
	const { page, server } = await visitAlone("/");
	await email(page).fill("ada@example.com");
	await page.context().setOffline(true);
	await page.keyboard.press("Enter");
	await page.getByText(failed).waitFor();
	await page.context().setOffline(false);
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(emails(server)).toEqual(["ada@example.com"]);
});

test("while joining, the field takes no text and keeps the focus, and the button says so in its width", async () => {
	const { page } = await visitAlone("/");
	const release = await hold(page, /\/api\/waitlist\/register$/);
	const { width } = await placeOf(page, ".join");
	await email(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: words.form.joining, disabled: true }).waitFor();
	expect(await email(page).isEditable()).toBe(false);
	expect(await page.locator("#email:focus-visible").count()).toBe(1);
	expect((await placeOf(page, ".join")).width).toBe(width);
	release();
	await page.getByText(thanks).waitFor();
});

/** Where a part of the page is. */
const placeOf = (page: Page, selector: string) =>
	page.locator(selector).evaluate((part) => {
		const { x, y, width, height } = part.getBoundingClientRect();
		return { x, y, width, height };
	});

test.each([
	[360, 740, true],
	[844, 390, true],
] as const)(
	"at %i x %i px the message takes the place of prompt and form, and nothing else moves (JavaScript: %s)",
	async (width, height, javaScriptEnabled) => {
		// What is still settling has no place yet.
		const viewport = { width, height };
		const reducedMotion = "reduce" as const;
		const { page } = await visitAlone("/", { viewport, reducedMotion, javaScriptEnabled });
		await page.evaluate(() => document.fonts.ready);
		const place = await placeOf(page, ".waitlist");
		const headline = await placeOf(page, ".headline");
		for (const answer of [thanks, again]) {
			await page.goto("/");
			if (javaScriptEnabled) await ready(page);
			await email(page).fill("ada@example.com");
			await page.keyboard.press("Enter");
			await page.getByText(answer).waitFor();
			expect(await placeOf(page, ".headline")).toEqual(headline);
			expect(await placeOf(page, ".waitlist")).toEqual(place);
			const message = await placeOf(page, ".outcome");
			expect(message.y).toBeGreaterThanOrEqual(place.y);
			expect(message.y + message.height).toBeLessThanOrEqual(place.y + place.height);
		}
	},
);

test("an error has one colour: the ring around the field is that of the sentence", {
	tags: "slow",
}, async () => {
	const { page } = await visitAlone("/");
	await email(page).fill("ada");
	await page.keyboard.press("Enter");
	await page.getByText(invalid).waitFor();
	const colours = await page.evaluate(() => [
		/^rgb\(.*?\)/.exec(getComputedStyle(document.querySelector(".form")!).boxShadow)?.[0],
		getComputedStyle(document.querySelector(".error")!).color,
	]);
	expect(colours).toEqual(Array(2).fill(computed(inks.morning.fieldError)));
});

test.each([false])(
	"a link says where its visitor came from, with script: %s",
	async (javaScriptEnabled) => {
		const { page, server } = await visitAlone("/?utm_source=fair", { javaScriptEnabled });
		for (const address of ["ada", "ada@example.com"]) {
			await email(page).fill(address);
			await page.keyboard.press("Enter");
			await page.getByText(address === "ada" ? invalid : thanks).waitFor();
		}
		expect(readRows(server.file)).toMatchObject([{ email: "ada@example.com", source: "fair" }]);
	},
);

test("without JavaScript a visitor joins, is recognised, and is told what is wrong", async () => {
	const { page, server } = await visitAlone("/", { javaScriptEnabled: false });
	for (const [address, status, answer] of [
		["ada@example.com", 201, thanks],
		["Ada@example.com", 409, again],
		["ada", 400, invalid],
		["", 400, missing],
	] as const) {
		await page.goto("/");
		await email(page).fill(address);
		const answered = page.waitForResponse("**/api/waitlist/register");
		await page.getByRole("button").click();
		expect((await answered).status()).toBe(status);
		await page.getByText(answer).waitFor();
		expect(await page.title()).toBe(`${answer} · ${brand.product}`);
		expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
		if (status !== 400) continue;
		expect(await email(page).inputValue()).toBe(address);
		expect(await email(page).evaluate((field) => field === document.activeElement)).toBe(true);
	}
	expect(emails(server)).toEqual(["ada@example.com"]);
});
