import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { thanks } from "../../sentences.ts";
import {
	emailField,
	holdRequests,
	newAddress,
	readRegistrationsOf,
	visitPage,
	waitUntilReady,
} from "../visit.ts";

/** Blocks the application's script until the returned function is called. */
async function openEarly(page: Page, path: string): Promise<() => void> {
	const release = await holdRequests(page, /\/assets\/main-[^/]+\.js$/);
	await page.goto(path, { waitUntil: "commit" });
	return release;
}

test("text typed before hydration survives and joins, despite a translator and a form filler", async () => {
	const { page } = await visitPage("/privacy");
	const [name, domain] = newAddress().split("@") as [string, string];
	const release = await openEarly(page, "/");
	await emailField(page).pressSequentially(name);
	expect(await page.evaluate(() => document.documentElement.dataset.motion)).toBeUndefined();
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
	await waitUntilReady(page);
	await page.keyboard.type(`@${domain}`);
	expect(await emailField(page).inputValue()).toBe(`${name}@${domain}`);
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(new URL(page.url()).pathname).toBe("/");
	expect(await readRegistrationsOf(`${name}@${domain}`)).toHaveLength(1);
});

test("the first key loads the application, even while fonts are loading", async () => {
	const { page } = await visitPage("/privacy");
	await page.context().route("**/*.woff2", () => {});
	await page.goto("/", { waitUntil: "domcontentloaded" });
	await page.keyboard.press("Tab");
	await waitUntilReady(page);
	expect(await page.evaluate(() => document.readyState)).toBe("interactive");
});
