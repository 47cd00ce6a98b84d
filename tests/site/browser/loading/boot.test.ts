/* The time before the application runs, and how it takes over. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { thanks } from "../../sentences.ts";
import { email, emails, hold, ready, visit, visitAlone } from "../visit.ts";

/** Goes to a path, and holds back the application until the returned function is called. */
async function openEarly(page: Page, path: string): Promise<() => void> {
	const release = await hold(page, /\/assets\/main-[^/]+\.js$/);
	await page.goto(path, { waitUntil: "commit" });
	return release;
}

test("what was typed before React came is kept, and then joins without a reload", async () => {
	const { page, server } = await visitAlone("/privacy");
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

test("what was typed is kept where a translator and a form filler changed the page before React came", async () => {
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

test("the application comes at the first key, while fonts are still loading", async () => {
	const { page } = await visit("/privacy");
	await page.context().route("**/*.woff2", () => {});
	await page.goto("/", { waitUntil: "domcontentloaded" });
	await page.keyboard.press("Tab");
	await ready(page);
	expect(await page.evaluate(() => document.readyState)).toBe("interactive");
});

const paths = ["/", "/confirmation", "/privacy", "/terms"];

/** `npm test` proves it in looks/fallback-fonts.test.ts. */
test("nothing moves when the fonts arrive late", { tags: "slow" }, async () => {
	const { page } = await visit("/privacy");
	await page.context().route("**/*.woff2", async (route) => {
		await new Promise((resolve) => setTimeout(resolve, 700));
		await route.continue();
	});
	for (const path of paths) {
		await page.goto(path, { waitUntil: "commit" });
		const shift = await page.evaluate(async () => {
			let sum = 0;
			new PerformanceObserver((list) => {
				for (const entry of list.getEntries()) {
					sum += (entry as PerformanceEntry & { value: number }).value;
				}
			}).observe({ type: "layout-shift", buffered: true });
			await document.fonts.ready;
			await new Promise((resolve) => setTimeout(resolve, 300));
			return sum;
		});
		expect(shift, path).toBeLessThan(0.01);
	}
});
