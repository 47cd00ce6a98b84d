/* What moves in the page itself, and how the visitor stops it. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { words } from "#brand";
import { firstWord } from "../sentences.ts";
import { ready, visit } from "./visit.ts";

const { turning } = words.headline;

/** The words of the headline that are visible in turn, from now on for `ms`. */
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

/** `npm test` watches one change, in a word's 2.5 s: tests/site/headline.test.tsx has the rest. */
const changes = 1;

test(`the headline turns through its words: ${changes}`, async () => {
	const { page } = await visit("/");
	const seen = await watchWords(page, (changes + 1.4) * 2500);
	const first = turning.indexOf(seen[0]!);
	expect(seen.slice(0, changes + 1)).toEqual(
		Array.from({ length: changes + 1 }, (_, n) => turning[(first + n) % turning.length]),
	);
});

test("the pause switch stops the words, and the choice is remembered", async () => {
	const { page } = await visit("/");
	await page.getByRole("button", { name: "Pause animations" }).click();
	await page.waitForTimeout(500);
	// A word stands for 2.5 s.
	expect(await watchWords(page, 3000)).toHaveLength(1);
	await page.reload();
	await ready(page);
	expect(await watchWords(page, 3000)).toHaveLength(1);
	await page.getByRole("button", { name: "Play animations" }).click();
	await expect.poll(() => watchWords(page, 1000)).not.toContain(firstWord);
});

test("a pause in one tab holds in the others, and so does its end", async () => {
	const { page } = await visit("/");
	const other = await page.context().newPage();
	await other.goto("/");
	await page.getByRole("button", { name: "Pause animations" }).click();
	await other.getByRole("button", { name: "Play animations" }).click();
	await page.getByRole("button", { name: "Pause animations" }).waitFor();
});

test("a visitor whose system asks for less motion starts with a still page", async () => {
	const { page } = await visit("/", { reducedMotion: "reduce" });
	await page.getByRole("button", { name: "Play animations" }).waitFor();
	expect(await page.locator(".word").first().isVisible()).toBe(true);
	expect(await page.evaluate(() => localStorage.getItem("motion"))).toBeNull();
	// Their own choice counts for more, now and later.
	await page.getByRole("button", { name: "Play animations" }).click();
	await page.getByRole("button", { name: "Pause animations" }).waitFor();
	await page.reload();
	await page.getByRole("button", { name: "Pause animations" }).waitFor();
});

test("the page follows a system that changes its mind about motion", async () => {
	const { page } = await visit("/");
	await page.getByRole("button", { name: "Pause animations" }).waitFor();
	await page.emulateMedia({ reducedMotion: "reduce" });
	await page.getByRole("button", { name: "Play animations" }).waitFor();
	await page.emulateMedia({ reducedMotion: "no-preference" });
	await page.getByRole("button", { name: "Pause animations" }).waitFor();
});
