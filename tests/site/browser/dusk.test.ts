import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { inks, sky } from "#brand";
import { computedColor, visitPage, waitUntilReady } from "./visit.ts";

const look = (page: Page) =>
	page.evaluate(() => ({
		behind: getComputedStyle(document.documentElement).backgroundColor,
		ink: getComputedStyle(document.querySelector("h1")!).color,
		night: getComputedStyle(document.querySelector(".night")!).opacity,
		scheme: getComputedStyle(document.documentElement).colorScheme,
	}));

const dusk = {
	behind: computedColor(sky.night.colors[0]!),
	ink: computedColor(inks.night.ink),
	night: "1",
	scheme: "dark",
};
const day = {
	behind: computedColor(sky.morning.colors[0]!),
	ink: computedColor(inks.morning.ink),
	night: "0",
	scheme: "light",
};

test("a page is at dusk before any script runs", async () => {
	const { page } = await visitPage("/", { colorScheme: "dark", javaScriptEnabled: false });
	expect(await look(page)).toEqual(dusk);
});

test("an open page follows the system", async () => {
	const { page } = await visitPage("/", { colorScheme: "light", reducedMotion: "reduce" });
	expect(await look(page)).toEqual(day);
	await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
	expect(await look(page)).toEqual(dusk);
	const frame = await page.evaluate(
		() =>
			[...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
				({ media }) => matchMedia(media).matches,
			)?.content,
	);
	expect(frame).toBe(sky.night.colors[0]);
});

test("the engine's picture follows the system, too", { tags: "slow" }, async () => {
	const { page } = await visitPage("/?level=3", { moving: true, colorScheme: "light" });
	await waitUntilReady(page);
	await page.locator('.stage[data-backend="worker"]').waitFor({ state: "attached" });
	/** Brightness of the picture's upper corner, 0 to 255. */
	const brightness = async () => {
		const png = await page.screenshot({ clip: { x: 150, y: 4, width: 8, height: 8 } });
		return page.evaluate(async (png) => {
			const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
			const image = await createImageBitmap(new Blob([bytes]));
			const context = new OffscreenCanvas(8, 8).getContext("2d")!;
			context.drawImage(image, 0, 0);
			return context.getImageData(4, 4, 1, 1).data[1]!;
		}, png.toString("base64"));
	};
	await expect.poll(brightness).toBeGreaterThan(200);
	await page.emulateMedia({ colorScheme: "dark" });
	await expect.poll(brightness).toBeLessThan(40);
});
