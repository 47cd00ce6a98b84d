/* The pages, and the ways between them. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brand } from "#brand";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { email, ready, visit } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium();
});

afterAll(() => browser?.close());

test.each([true, false])(
	"an unknown path is the not-found page with status 404 (JavaScript: %s)",
	async (javaScriptEnabled) => {
		const { page } = await visit(browser, "/", { javaScriptEnabled });
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
	"%s has its title and heading, and no complaint in the console",
	async (path, title, heading) => {
		const { page, complaints } = await visit(browser, path, { moving: true });
		if (["/", "/confirmation"].includes(path))
			await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
		expect(await page.title()).toBe(title);
		expect(await page.getByRole("heading", { level: 1, name: heading }).count()).toBe(1);
		await page.evaluate(() => document.fonts.ready);
		expect(complaints).toEqual([]);
	},
);

test.each(["/privacy", "/terms", "/no/such/page"])("%s loads no script", async (path) => {
	const { page } = await visit(browser, "/", { javaScriptEnabled: false });
	const scripts: string[] = [];
	page.on("request", (request) => {
		if (request.resourceType() === "script") scripts.push(request.url());
	});
	await page.goto(path, { waitUntil: "networkidle" });
	expect(await page.locator("script").count()).toBe(0);
	expect(scripts).toEqual([]);
});

test("between pages with script nothing reloads, and title, focus and scroll follow", async () => {
	const { page, complaints } = await visit(browser, "/confirmation", { moving: true });
	await page.evaluate(() => Object.assign(window, { sameDocument: true }));
	await page.getByRole("link", { name: brand.product }).click();
	await page.getByRole("heading", { level: 1, name: /^Email, but make it/ }).waitFor();
	expect(await page.title()).toBe(`${brand.product} · Email, but smart`);
	expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
	expect(await page.evaluate(() => scrollY)).toBe(0);

	// A link to the current page adds no entry to the history.
	await page.evaluate(() => history.replaceState("before", ""));
	await page.getByRole("link", { name: brand.product }).click();
	await page.waitForFunction(() => history.state !== "before");
	await page.goBack();
	await page.getByRole("heading", { level: 1, name: "Congratulations!" }).waitFor();
	expect(await page.title()).toBe(`Congratulations! · ${brand.product}`);
	expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
	expect(complaints).toEqual([]);
});

test("going back and forward always ends on the page of the address, as it was left", async () => {
	const { page, complaints } = await visit(browser, "/");
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
