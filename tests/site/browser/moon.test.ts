import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { emoji } from "#brand";
import { JOIN_PATH } from "#shared/join.ts";
import { emailField, visitPage, waitUntilReady } from "./visit.ts";

async function join(page: Page): Promise<void> {
	await page.route(`**${JOIN_PATH}`, (route) => route.fulfill({ status: 201, json: {} }));
	await emailField(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.locator(".moon").waitFor({ state: "attached" });
}

const placeOf = (page: Page) =>
	page.locator(".moon").evaluate((moon) => {
		const { x, y, width, height } = moon.getBoundingClientRect();
		return { x, y, right: x + width, bottom: y + height };
	});

test("with reduced motion the moon is whole and clear of words on a phone, and on the next visit", async () => {
	const [width, height] = [390, 844];
	const { page } = await visitPage("/", { viewport: { width, height }, reducedMotion: "reduce" });
	await join(page);
	for (const visits of [1, 2]) {
		if (visits > 1) {
			await page.goto("/");
			await waitUntilReady(page);
			await page.locator(".moon").waitFor();
		}
		const { x, y, right, bottom } = await placeOf(page);
		expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
		expect(right).toBeLessThanOrEqual(width);
		expect(bottom).toBeLessThanOrEqual(height);
		const covered = await page.evaluate(
			({ x, y, right, bottom }) =>
				[...document.querySelectorAll("[data-quiet]")].filter((block) => {
					const box = block.getBoundingClientRect();
					return box.right > x && box.x < right && box.bottom > y && box.y < bottom;
				}).length,
			{ x, y, right, bottom },
		);
		expect(covered).toBe(0);
		expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
	}
});

test("the moon orbits, is changed by a tap and by keys, and stops while focused", async () => {
	const { page } = await visitPage("/", { viewport: { width: 1440, height: 900 } });
	await join(page);
	const round = () =>
		page.locator(".moon").evaluate(
			(moon) =>
				moon
					.getAnimations()
					.find((it) => !(it instanceof CSSAnimation))
					?.effect?.getTiming().duration,
		);
	expect(await round()).toBe(40_000);
	// Clicks and reads in one call: on a slow machine the animation may end before the next one.
	const delays = await page.locator(".moon").evaluate(async (moon: HTMLElement) => {
		moon.click();
		await Promise.resolve();
		const chosen = moon.querySelector("span:last-child")!;
		return chosen.getAnimations().map(({ effect }) => effect!.getTiming().delay);
	});
	expect(await page.locator(".moon").textContent()).toBe(emoji[2]);
	// The chosen moon appears without delay, even during the launch.
	expect(delays).toEqual([0]);
	await page.locator(".show > button").focus();
	await page.keyboard.press("Tab");
	expect(await page.evaluate(() => document.activeElement?.className)).toBe("moon");
	expect(await round()).toBeUndefined();
	await page.keyboard.press("ArrowRight");
	expect(await page.locator(".moon").textContent()).toBe(emoji[3]);
	expect(await page.evaluate(() => localStorage.getItem("moon"))).toBe("3");
	await page.keyboard.press("Tab");
	expect(await round()).toBe(40_000);
	await page.getByRole("button", { name: "Pause animations" }).click();
	expect(await round()).toBeUndefined();
});
