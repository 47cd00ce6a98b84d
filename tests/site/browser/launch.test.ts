/* The join as a launch (promise 99). */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { sized } from "../../sized.ts";
import { again, thanks } from "../sentences.ts";
import { email, visit } from "./visit.ts";

/** A visitor who joins, on a server that knows them or not. Nothing that moves goes on by itself. */
async function join(status: 201 | 409, reducedMotion: "reduce" | "no-preference"): Promise<Page> {
	const { page } = await visit("/", { reducedMotion });
	await page.route(`**${JOIN_PATH}`, (route) => route.fulfill({ status, json: {} }));
	await email(page).fill("ada@example.com");
	await page.evaluate(() => {
		const pause = () => document.querySelector(".outcome") && seek(0);
		new MutationObserver(pause).observe(document.body, { childList: true, subtree: true });
		function seek(time: number): void {
			for (const animation of document.getAnimations()) {
				animation.pause();
				animation.currentTime = time;
			}
		}
	});
	await page.keyboard.press("Enter");
	await page.locator(".outcome").waitFor({ state: "attached" });
	return page;
}

/** What is seen of the launch and of the message at a time in ms. */
const at = (page: Page, time: number) =>
	page.evaluate((time) => {
		for (const animation of document.getAnimations()) animation.currentTime = time;
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

test("the circle rises, the message follows it, and after 1.8 s the message stands alone", async () => {
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
	const higher = [760, 850, 940].map((time) => at(page, time));
	for (const [i, moment] of higher.entries()) {
		const { height } = await moment;
		expect(height).toBeLessThan(i * -20);
	}
	expect((await at(page, 1300)).words[0]).toBeGreaterThan(0.8);
	expect(await at(page, 1801)).toMatchObject(stands);
	expect(await page.getByText(thanks).count()).toBe(1);
});

test.each(sized([700], [100, 700, 1000, 1500]))(
	"a pause after %i ms ends it in its end state",
	async (time) => {
		const page = await join(201, "no-preference");
		await at(page, time);
		await page.getByRole("button", { name: "Pause animations" }).click();
		expect(await at(page, 0)).toMatchObject(stands);
	},
);

test("a duplicate's circle does not rise", async () => {
	const page = await join(409, "no-preference");
	expect(await at(page, 450)).toMatchObject({ height: 0 });
	expect(await at(page, 560)).toMatchObject({ seen: "hidden" });
	expect(await at(page, 1800)).toMatchObject(stands);
	expect(await page.getByText(again).count()).toBe(1);
});

test("with less motion the message stands there at once", async () => {
	const page = await join(201, "reduce");
	expect(await at(page, 0)).toMatchObject(stands);
	expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});
