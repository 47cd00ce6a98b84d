import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { brand } from "#brand";
import { headlineStart } from "../sentences.ts";
import { visitPage } from "./visit.ts";

declare global {
	interface Window {
		fades: number;
		faded: boolean;
	}
}

/** Counts fades within the document, and records whether it opened with a fade. */
function watchFades(): void {
	window.fades = 0;
	const start = document.startViewTransition.bind(document);
	document.startViewTransition = (change) => {
		window.fades++;
		return start(change);
	};
	addEventListener("pagereveal", ({ viewTransition }) => {
		window.faded = viewTransition !== null;
	});
}

async function open(path: string, reducedMotion: "reduce" | "no-preference"): Promise<Page> {
	const { page } = await visitPage(path, {
		moving: true,
		reducedMotion,
		viewport: { width: 400, height: 300 },
		prepare: (page) => page.addInitScript(watchFades),
	});
	return page;
}

test.each([
	["no-preference", 1],
	["reduce", 0],
] as const)(
	"with motion %s, a page change fades %i times, within a document and to another",
	async (motion, fades) => {
		// Without the engine, whose picture would cover the changing sky.
		const page = await open("/confirmation?way=none", motion);
		await page.evaluate(() => document.querySelector<HTMLElement>(".brand")?.click());
		await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
		expect(await page.evaluate(() => window.fades)).toBe(fades);
		const dusk = await page
			.locator(".night")
			.evaluate((night) => getComputedStyle(night).transitionDuration);
		expect(dusk).toBe(fades > 0 ? "1.4s" : "0s");

		await page.getByRole("link", { name: "Privacy Policy" }).click();
		await page.getByRole("heading", { level: 1, name: "Privacy Policy" }).waitFor();
		await page.waitForFunction(() => window.faded !== undefined);
		expect(await page.evaluate(() => window.faded)).toBe(fades > 0);
	},
);

test("words appear once their sky has arrived", async () => {
	const page = await open("/confirmation?way=none", "no-preference");
	const animationOf = (selector: string) =>
		page.locator(selector).evaluate((it) => getComputedStyle(it).animationName);
	expect(await animationOf(".page")).toBe("none");
	/** How dark the sky is (0 to 1) when the words of the next page start to show. */
	const night = await page.evaluate(async (name) => {
		[...document.querySelectorAll("a")].find((link) => link.textContent === name)!.click();
		while (!document.querySelector(".landing")) await new Promise(requestAnimationFrame);
		const sky = document.querySelector(".night")!;
		const [words] = document.querySelector(".page")!.getAnimations();
		const [turning] = sky.getAnimations();
		turning!.pause();
		turning!.currentTime = words!.effect!.getTiming().delay!;
		return Number(getComputedStyle(sky).opacity);
	}, brand.product);
	expect(night).toBeLessThan(0.4);
	expect(await animationOf(".page")).toBe("arrive");
});

test("the picture plays on through a fade, in the same canvas, while the sky changes", async () => {
	const page = await open("/confirmation?level=3", "no-preference");
	await page.locator('.stage[data-backend="worker"]').waitFor({ state: "attached" });
	const [before, during] = await page.evaluate(async (name) => {
		const canvas = document.querySelector("canvas");
		const night = document.querySelector(".night")!;
		const before = getComputedStyle(night).opacity;
		const part = (name: string) =>
			getComputedStyle(document.documentElement, `::view-transition${name}`);
		[...document.querySelectorAll("a")].find((link) => link.textContent === name)!.click();
		while (!document.querySelector(".landing")) await new Promise(requestAnimationFrame);
		const turning = (night.getAnimations() as CSSTransition[]).find(
			({ transitionProperty }) => transitionProperty === "opacity",
		);
		const during = {
			sameCanvas: document.querySelector("canvas") === canvas,
			turns: turning?.transitionProperty,
			lasts: turning?.effect?.getTiming().duration,
			backend: document.querySelector<HTMLElement>(".stage")?.dataset.backend,
			image: part("-old(stage)").display,
			fadesIn: part("-new(stage)").animationName,
			takesClicks: part("").pointerEvents,
		};
		return [before, during] as const;
	}, brand.product);
	expect(before).toBe("1");
	expect(during).toEqual({
		sameCanvas: true,
		turns: "opacity",
		lasts: 1400,
		backend: "worker",
		// Snapshots would freeze the picture, or block the page's clicks.
		image: "none",
		fadesIn: "none",
		takesClicks: "none",
	});
});
