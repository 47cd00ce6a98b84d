import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { brand, inks } from "#brand";
import { words } from "#words";
import { again, failed, invalid, missing, thanks } from "../sentences.ts";
import {
	computedColor,
	emailField,
	holdRequests,
	newAddress,
	readRegistrationsOf,
	visitPage,
	waitUntilReady,
} from "./visit.ts";

const api = "**/api/waitlist/register";

const placeOf = (page: Page, selector: string) =>
	page.locator(selector).evaluate((part) => {
		const { x, y, width, height } = part.getBoundingClientRect();
		return { x, y, width, height };
	});

test("a visitor joins with the button; another spelling is welcomed, not stored", async () => {
	const { page } = await visitPage("/");
	const address = newAddress();
	await emailField(page).fill(address);
	await page.getByRole("button", { name: words.form.button }).click();
	await page.getByText(thanks).waitFor();
	expect(await page.evaluate(() => localStorage.getItem("waitlistEmail"))).toBe(address);
	expect(await page.getByText(words.form.prompt).count()).toBe(0);
	expect(new URL(page.url()).pathname).toBe("/");
	await page.goto("/");
	await waitUntilReady(page);
	await emailField(page).pressSequentially(`${address.toUpperCase()} `);
	await page.keyboard.press("Enter");
	await page.getByText(again).waitFor();
	expect(await readRegistrationsOf(address)).toMatchObject([{ email: address }]);
});

test("every failure shows a message in the color of the field's ring, and the next attempt succeeds", async () => {
	const { page } = await visitPage("/");
	const address = newAddress();
	await emailField(page).fill(address);
	const says = async (sentence: string) => {
		await page.keyboard.press("Enter");
		await page.getByRole("alert").getByText(sentence).waitFor();
		expect(await emailField(page).evaluate((input) => input === document.activeElement)).toBe(true);
	};
	for (const [answer, sentence] of [
		[{ status: 500, json: { error: "The list is resting." } }, "The list is resting."],
		// A redirect, like a captive portal's.
		[{ status: 302, headers: { location: "/" } }, failed],
		[{ status: 502, body: "<h1>Bad Gateway</h1>" }, failed],
	] as const) {
		await page.route(api, (route) => route.fulfill(answer), { times: 1 });
		await says(sentence);
	}
	const colors = await page.evaluate(() => [
		getComputedStyle(document.querySelector(".form")!).outlineColor,
		getComputedStyle(document.querySelector(".error")!).color,
	]);
	expect(colors).toEqual(Array(2).fill(computedColor(inks.morning.fieldError)));
	await page.context().setOffline(true);
	await says(failed);
	await page.context().setOffline(false);
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(await readRegistrationsOf(address)).toHaveLength(1);
});

test("while joining, the field is read-only and focused, and the button keeps its width", async () => {
	const { page } = await visitPage("/");
	const release = await holdRequests(page, /\/api\/waitlist\/register$/);
	const { width } = await placeOf(page, ".join");
	await emailField(page).fill(newAddress());
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: words.form.joining, disabled: true }).waitFor();
	expect(await emailField(page).isEditable()).toBe(false);
	expect(await page.locator("#email:focus-visible").count()).toBe(1);
	expect((await placeOf(page, ".join")).width).toBe(width);
	release();
	await page.getByText(thanks).waitFor();
});

test("the message replaces prompt and form, and nothing else moves", async () => {
	const { page } = await visitPage("/", { reducedMotion: "reduce" });
	for (const [width, height, status, answer] of [
		[360, 740, 201, thanks],
		[844, 390, 409, again],
	] as const) {
		await page.setViewportSize({ width, height });
		const reply = { status, json: { confirm: true } };
		await page.route(api, (route) => route.fulfill(reply), { times: 1 });
		await page.goto("/");
		await waitUntilReady(page);
		await page.evaluate(() => document.fonts.ready);
		const place = await placeOf(page, ".waitlist");
		const headline = await placeOf(page, ".headline");
		await emailField(page).fill("ada@example.com");
		await page.keyboard.press("Enter");
		await page.getByText(answer).waitFor();
		expect(await placeOf(page, ".headline")).toEqual(headline);
		expect(await placeOf(page, ".waitlist")).toEqual(place);
		const message = await placeOf(page, ".outcome");
		expect(message.y).toBeGreaterThanOrEqual(place.y);
		expect(message.y + message.height).toBeLessThanOrEqual(place.y + place.height);
	}
});

test("without JavaScript a visitor sees errors, joins with their source, and is recognized", async () => {
	const { page } = await visitPage("/?utm_source=fair", { javaScriptEnabled: false });
	const address = newAddress();
	for (const [typed, status, answer] of [
		["ada", 400, invalid],
		// Joins from the error page, without going back.
		[address, 201, thanks],
		[address.toUpperCase(), 409, again],
		["", 400, missing],
	] as const) {
		if (await page.getByText(thanks).or(page.getByText(again)).count()) await page.goto("/");
		await emailField(page).fill(typed);
		const answered = page.waitForResponse(api);
		await page.getByRole("button").click();
		expect((await answered).status()).toBe(status);
		await page.getByText(answer).waitFor();
		expect(await page.title()).toBe(`${answer} · ${brand.product}`);
		expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
		if (status !== 400) continue;
		expect(await emailField(page).inputValue()).toBe(typed);
		expect(await emailField(page).evaluate((field) => field === document.activeElement)).toBe(true);
	}
	expect(await readRegistrationsOf(address)).toMatchObject([{ email: address, source: "fair" }]);
});
