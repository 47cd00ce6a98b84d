import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { emoji } from "#brand";
import { JOIN_PATH } from "#shared/join.ts";
import { words } from "#words";
import { again, thanks } from "../sentences.ts";
import { email, visit } from "./visit.ts";

/** Joins with a new or a duplicate address, and pauses all animations. */
async function join(status: 201 | 409, reducedMotion: "reduce" | "no-preference"): Promise<Page> {
	const { page } = await visit("/", { reducedMotion });
	await joinOn(page, status);
	return page;
}

async function joinOn(page: Page, status: 201 | 409): Promise<void> {
	await page.route(`**${JOIN_PATH}`, (route) => route.fulfill({ status, json: {} }));
	await email(page).fill("ada@example.com");
	await page.evaluate(() => {
		const pause = () => document.querySelector(".outcome") && begin();
		new MutationObserver(pause).observe(document.body, { childList: true, subtree: true });
		function begin(): void {
			for (const animation of document.getAnimations()) {
				animation.pause();
				if (animation instanceof CSSAnimation) animation.currentTime = 0;
			}
		}
	});
	await page.keyboard.press("Enter");
	await page.locator(".outcome").waitFor({ state: "attached" });
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
	const page = await join(201, "no-preference");
	expect(await page.evaluate(() => document.activeElement?.className)).toBe("outcome");
	const ends = await page.evaluate(() =>
		document
			.getAnimations()
			.filter(({ effect }) => (effect as KeyframeEffect).target?.closest(".waitlist"))
			.map(({ effect }) => Number(effect!.getComputedTiming().endTime)),
	);
	expect(Math.max(...ends)).toBe(1800);
	const rested = await at(page, 500);
	expect(rested).toMatchObject({ seen: "visible", height: 0, words: [0, 0, 0] });
	const higher = [740, 800, 860].map((time) => at(page, time));
	for (const [i, moment] of higher.entries()) {
		const { height } = await moment;
		expect(height).toBeLessThan(i * -20);
	}
	expect((await at(page, 1300)).words[0]).toBeGreaterThan(0.8);
	expect(await at(page, 1801)).toMatchObject(stands);
	expect(await page.getByText(thanks).count()).toBe(1);
});

test("focus and clicks take effect at once, and the message is read out once", async () => {
	const page = await join(201, "no-preference");
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

test("leaving for another page ends it: on return the page has its form and the moon", async () => {
	const { page, complaints } = await visit("/confirmation", { reducedMotion: "no-preference" });
	await page.locator("a.brand").click();
	await email(page).waitFor();
	await joinOn(page, 201);
	await at(page, 1000);
	await page.goBack();
	await page.getByRole("heading", { level: 1, name: words.confirmation.title }).waitFor();
	expect(await page.locator(".launch").count()).toBe(0);
	await page.goForward();
	await email(page).waitFor();
	await page.locator(".moon").waitFor();
	expect(await page.locator(".launch, .outcome").count()).toBe(0);
	expect(complaints).toEqual([]);
});

test("a duplicate's circle does not rise, and with reduced motion the message shows at once", async () => {
	const still = await join(201, "reduce");
	expect(await at(still, 0)).toMatchObject(stands);
	expect(await still.evaluate(() => document.getAnimations().length)).toBe(0);
	const page = await join(409, "no-preference");
	expect(await at(page, 450)).toMatchObject({ height: 0 });
	expect(await at(page, 560)).toMatchObject({ seen: "hidden" });
	expect(await at(page, 1800)).toMatchObject(stands);
	expect(await page.getByText(again).count()).toBe(1);
});
