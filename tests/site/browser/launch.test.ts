import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { emoji } from "#brand";
import { JOIN_PATH } from "#shared/join.ts";
import { words } from "#words";
import { thanks } from "../sentences.ts";
import { emailField, holdRequests, newAddress, visitPage } from "./visit.ts";

/** Joins, and pauses all animations as the launch starts. */
async function join(): Promise<Page> {
	const { page } = await visitPage("/", { reducedMotion: "no-preference" });
	await joinOn(page);
	return page;
}

async function joinOn(page: Page): Promise<void> {
	await page.route(`**${JOIN_PATH}`, (route) => route.fulfill({ status: 201, json: {} }));
	await emailField(page).fill("ada@example.com");
	await page.evaluate(() => {
		// A stopped clock, because launch.tsx skips the flight if frames take too long.
		performance.now = () => 0;
		const pause = () => document.querySelector('.launch[data-phase="go"]') && begin();
		const all = { childList: true, subtree: true, attributes: true };
		new MutationObserver(pause).observe(document.body, all);
		function begin(): void {
			for (const animation of document.getAnimations()) {
				animation.pause();
				if (animation instanceof CSSAnimation) animation.currentTime = 0;
			}
		}
	});
	await page.keyboard.press("Enter");
	await page.locator('.launch[data-phase="go"]').waitFor({ state: "attached" });
}

/** Visible parts of launch and message at a time in ms. */
const at = (page: Page, time: number) =>
	page.evaluate((time) => {
		// Excludes the moon's orbit, which is not a CSS animation.
		for (const animation of document.getAnimations())
			if (animation instanceof CSSAnimation) animation.currentTime = time;
		const style = (selector: string) => getComputedStyle(document.querySelector(selector)!);
		const { transform, opacity } = style(".craft");
		return {
			seen: style(".launch").visibility,
			height: Number(opacity) > 0 ? new DOMMatrix(transform).f : undefined,
			words: [...document.querySelectorAll(".outcome > span")].map((sentence) =>
				Number(getComputedStyle(sentence).opacity),
			),
		};
	}, time);

const stands = { seen: "hidden", words: expect.arrayContaining([1, 1, 1]) };

test("the circle rises, the message follows, and after 1.8 s the message stands alone", async () => {
	const page = await join();
	expect(await page.evaluate(() => document.activeElement?.className)).toBe("outcome");
	const ends = await page.evaluate(() =>
		document
			.getAnimations()
			.filter(({ effect }) => (effect as KeyframeEffect).target?.closest(".waitlist"))
			.map(({ effect }) => Number(effect!.getComputedTiming().endTime)),
	);
	expect(Math.max(...ends)).toBe(1800);
	const moved = await page.evaluate(() =>
		document
			.getAnimations()
			.filter(({ effect }) => (effect as KeyframeEffect).target?.closest(".launch"))
			.flatMap(({ effect }) => (effect as KeyframeEffect).getKeyframes())
			.flatMap((frame) => Object.keys(frame))
			.filter((name) => !["offset", "computedOffset", "easing", "composite"].includes(name)),
	);
	// Animates only properties that need no repaint.
	expect(new Set(moved)).toEqual(new Set(["opacity", "scale", "transform"]));
	const rested = await at(page, 500);
	expect(rested).toMatchObject({ seen: "visible", height: 0, words: [0, 0, 0] });
	const higher = [790, 830, 870].map((time) => at(page, time));
	for (const [i, moment] of higher.entries()) {
		const { height } = await moment;
		expect(height).toBeLessThan(i * -20);
	}
	expect((await at(page, 1300)).words[0]).toBeGreaterThan(0.8);
	await expect.poll(() => at(page, 1801)).toMatchObject(stands);
	expect(await page.getByText(thanks).count()).toBe(1);
});

test("focus and clicks take effect at once, and the message is read out once", async () => {
	const page = await join();
	await at(page, 300);
	for (const key of ["Enter", "Escape", " "]) await page.keyboard.press(key);
	await page.mouse.click(200, 200);
	await page.locator(".outcome").evaluate((message) => message.focus());
	await page.keyboard.press("Tab");
	expect(await page.locator(".show").evaluate((show) => getComputedStyle(show).opacity)).toBe("1");
	await page.keyboard.press("Tab");
	expect(await page.evaluate(() => document.activeElement?.className)).toBe("moon");
	const size = () => page.locator(".moon").evaluate((moon) => moon.getBoundingClientRect().width);
	expect(await size()).toBeGreaterThan(24);
	await page.keyboard.press("ArrowRight");
	expect(await page.locator(".moon").textContent()).toBe(emoji[2]);
	expect(await page.getByRole("status").allTextContents()).toEqual(["", "", emoji[2]]);
	await page.getByRole("button", { name: "Pause animations" }).click();
	expect(await at(page, 0)).toMatchObject(stands);
});

test("leaving the page ends the launch: on return the page has its form and the moon", async () => {
	const { page, complaints } = await visitPage("/confirmation", { reducedMotion: "no-preference" });
	await page.locator("a.brand").click();
	await emailField(page).waitFor();
	await joinOn(page);
	await at(page, 1000);
	await page.goBack();
	await page.getByRole("heading", { level: 1, name: words.confirmation.title }).waitFor();
	expect(await page.locator(".launch").count()).toBe(0);
	await page.goForward();
	await emailField(page).waitFor();
	await page.locator(".moon").waitFor();
	expect(await page.locator(".launch, .outcome").count()).toBe(0);
	expect(complaints).toEqual([]);
});

test("layers are painted while joining, and with reduced motion there is no launch", async () => {
	for (const [reducedMotion, opacities] of [
		["no-preference", ["0.001", "1"]],
		["reduce", []],
	] as const) {
		const { page } = await visitPage("/", { reducedMotion });
		const release = await holdRequests(page, new RegExp(JOIN_PATH));
		await emailField(page).fill(newAddress());
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: words.form.joining }).waitFor();
		const parts = await page
			.locator(".launch, .ring")
			.evaluateAll((parts) => parts.map((part) => getComputedStyle(part).opacity));
		expect(parts).toEqual(opacities);
		release();
		await page.getByText(thanks).waitFor();
	}
});
