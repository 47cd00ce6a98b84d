import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { visitPage, waitUntilReady } from "./visit.ts";

const pause = (page: Page) => page.getByRole("button", { name: "Pause animations" });
const play = (page: Page) => page.getByRole("button", { name: "Play animations" });

test("words rotate until the switch stops them, here, in other tabs and on the next visit", async () => {
	const { page } = await visitPage("/", { prepare: (page) => page.clock.install() });
	const word = () => page.locator('.word[data-turn="now"]').textContent();
	const first = await word();
	await page.clock.fastForward(2500);
	await expect.poll(word).not.toBe(first);
	// Between word changes the browser has nothing to draw.
	await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
	const other = await page.context().newPage();
	await other.goto("/");
	await pause(page).click();
	await play(other).waitFor();
	await page.reload();
	await play(page).waitFor();
	const resting = await word();
	await page.clock.fastForward(10_000);
	expect(await word()).toBe(resting);
	await play(other).click();
	await pause(page).waitFor();
	await page.clock.fastForward(2500);
	await expect.poll(word).not.toBe(resting);
});

test("the page follows the system's reduced motion until the visitor chooses", async () => {
	const { page } = await visitPage("/", { reducedMotion: "reduce" });
	await play(page).waitFor();
	expect(await page.locator(".word").first().isVisible()).toBe(true);
	await page.emulateMedia({ reducedMotion: "no-preference" });
	await pause(page).waitFor();
	await page.emulateMedia({ reducedMotion: "reduce" });
	await play(page).waitFor();
	expect(await page.evaluate(() => localStorage.getItem("motion"))).toBeNull();
	await play(page).click();
	await pause(page).waitFor();
	await page.reload();
	await waitUntilReady(page);
	expect(await page.evaluate(() => document.documentElement.dataset.motion)).toBe("playing");
});
