import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { words } from "#words";
import { aimCamera, createCamera } from "../../../../engine/render/camera.ts";
import { createPicture } from "../../../../engine/render/renderer.ts";
import { PLANET_SHADOW } from "../../../../engine/render/theme.ts";
import { checkedTextStyles } from "../../../../src/tooling/check-brand.ts";
import { visitPage } from "../visit.ts";

const overflowOf = (page: Page) =>
	page.evaluate(() => {
		const { scrollHeight, scrollWidth } = document.documentElement;
		return [scrollWidth - innerWidth, scrollHeight - innerHeight];
	});

type Window = readonly [width: number, height: number];

/** The windows that are hardest to fit words into. */
const windows: readonly Window[] = [
	[844, 390],
	[360, 640],
	// A headline of four lines may scroll on the smallest phone.
	...(words.headline.lines.length > 2 ? [] : [[320, 568] as const]),
	[1024, 600],
];

const inWindows = async (page: Page, all: readonly Window[]) => {
	for (const [width, height] of all) {
		await page.setViewportSize({ width, height });
		expect(await overflowOf(page), `${width} x ${height}`).toEqual([0, 0]);
	}
};

test("every page fits the window, on a phone in landscape and with tall lines, too", async () => {
	const { page } = await visitPage("/confirmation", { viewport: { width: 320, height: 256 } });
	// At 400 % zoom on a desktop the number stays readable.
	expect((await page.locator(".position").boundingBox())!.height).toBeGreaterThan(40);
	expect(await overflowOf(page)).toMatchObject([0, expect.any(Number)]);
	await inWindows(page, windows);
	await page.goto("/");
	await inWindows(page, windows);
	await page.evaluate((lines) => {
		const { style } = document.documentElement;
		// Simulates a language with tall accents and deep descenders, in four lines.
		style.setProperty("--headline-lines", "4");
		style.setProperty("--headline-leading", String((4 * 0.96) / lines));
	}, words.headline.lines.length + 1);
	await inWindows(page, [
		[320, 568],
		[1024, 500],
	]);
});

const boxes = (page: Page, selector: string) =>
	page.locator(selector).evaluateAll((all) =>
		all.map((it) => {
			const { left, right, top, bottom } = it.getBoundingClientRect();
			return { left, right, width: right - left, x: (left + right) / 2, y: (top + bottom) / 2 };
		}),
	);

test("headline, title and number fill a phone of 320 px", async () => {
	const viewport = { width: 320, height: 844 };
	const { page } = await visitPage("/", { viewport });
	const room = await page.locator(".center").evaluate((it) => {
		const { paddingLeft, paddingRight } = getComputedStyle(it);
		return it.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
	});
	const widest = async (selector: string) =>
		Math.max(...(await boxes(page, selector)).map((box) => box.width)) / room;
	const fills = [await widest(".line, .ink")];
	await page.goto("/confirmation");
	fills.push(await widest(".news > *"));
	for (const share of fills) {
		expect(share).toBeGreaterThan(0.95);
		expect(share).toBeLessThanOrEqual(1);
	}
});

test("headline and number grow with the sphere, and are centered on it", async () => {
	const { page } = await visitPage("/");
	for (const [width, height] of [
		[768, 1024],
		[1440, 900],
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto("/");
		const [sphere] = await boxes(page, ".sphere");
		const lines = await boxes(page, ".line, .ink");
		const widest = Math.max(...lines.map((line) => line.width));
		const name = `${width} x ${height}`;
		expect(widest / sphere!.width, name).toBeGreaterThan(0.8);
		expect(widest / sphere!.width, name).toBeLessThan(1.1);
		for (const line of lines) expect(Math.abs(line.x - sphere!.x), name).toBeLessThan(2);
		// `.offer` contains everything from the headline to the field.
		const [offer] = await boxes(page, ".offer");
		expect(Math.abs(offer!.y - sphere!.y) / height, name).toBeLessThan(0.03);
		await page.goto("/confirmation");
		const [number] = await boxes(page, ".position > [aria-hidden]");
		expect(number!.width / widest, name).toBeLessThan(1.05);
		// A short number is limited by height and need not fill the width.
		const highest = await page.locator(".position").evaluate((it) => {
			const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
			const size = Number.parseFloat(getComputedStyle(it).fontSize);
			return size > Math.min(15 * rem, 0.3 * innerHeight) - 1;
		});
		if (!highest) expect(number!.width / widest, name).toBeGreaterThan(0.95);
	}
});

test("no letter of the rotating word is clipped", { tags: "slow" }, async () => {
	const { page } = await visitPage("/", { viewport: { width: 1440, height: 900 } });
	await page.evaluate(() => document.fonts.load("800 100px Display"));
	const cut = await page.locator(".ink").evaluateAll((inks) =>
		inks.flatMap((ink) => {
			const { fontSize, fontWeight, fontFamily } = getComputedStyle(ink);
			const context = document.createElement("canvas").getContext("2d")!;
			context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
			const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } =
				context.measureText(ink.textContent ?? "");
			// An element of size zero marks the baseline of the painted box.
			const mark = ink.appendChild(document.createElement("span"));
			mark.style.cssText = "display: inline-block";
			const baseline = mark.getBoundingClientRect().bottom;
			const { top, bottom } = ink.getBoundingClientRect();
			mark.remove();
			const room = [baseline - above - top, bottom - baseline - below].map(Math.round);
			return room.some((px) => px < 0) ? [`${ink.textContent}: ${room}`] : [];
		}),
	);
	expect(cut).toEqual([]);
});

function planetIn(width: number, height: number): { top: number; radius: number } {
	const camera = Object.assign(createCamera(), { width, height });
	aimCamera(camera, { ...createPicture(), night: 1, sunken: 1 });
	const [radius, middle] = [camera.radius[1], camera.middle[1]];
	return { top: ((1 - middle - radius) / 2) * height, radius: (radius / 2) * height };
}

/** Shows a short number, and the longest company name that the build accepts. */
function replaceWords([number, place]: readonly [string, typeof checkedTextStyles.company]) {
	// Measured on the page, because its font may not have loaded (`font-display: optional`).
	const company = document.querySelector<HTMLElement>(".imprint p")!;
	company.style.cssText = `position: absolute; max-width: none; font-size: ${place.size}px; white-space: nowrap`;
	company.textContent = "Extraordinarily Quick Correspondence Company of Hamburg ".repeat(2);
	while (company.offsetWidth > place.room) {
		company.textContent = company.textContent.slice(0, -1).trimEnd();
	}
	company.style.cssText = "";
	const slots = [...document.querySelectorAll<HTMLElement>(".slot")];
	document.documentElement.style.setProperty("--number", String(0.62 * number.length));
	for (const [at, slot] of slots.entries()) {
		if (at >= number.length) slot.remove();
		else {
			slot.style.width = "0.62em";
			(slot.firstElementChild as HTMLElement).dataset.sign = number[at]!;
		}
	}
}

test.each(["our words", "a short number and a long company"])(
	"with %s, text and footer keep clear of the planet's bright rim",
	async (what) => {
		// No JavaScript, because React would restore our words.
		const { page } = await visitPage("/confirmation", { javaScriptEnabled: false });
		if (what !== "our words")
			await page.evaluate(replaceWords, ["101", checkedTextStyles.company] as const);
		const low = [
			[1024, 500],
			[1440, 480],
			[932, 430],
		] as const;
		for (const [width, height] of [...windows, ...low]) {
			const name = `${width} x ${height}`;
			await page.setViewportSize({ width, height });
			expect(await overflowOf(page), name).toEqual([0, 0]);
			const [news, words] = await page.evaluate(() => {
				const linesOf = (element: Element) => {
					const range = document.createRange();
					range.selectNodeContents(element);
					return [...range.getClientRects()].map(({ left, right, top, height }) => ({
						left,
						right,
						top: top + 0.2 * height,
					}));
				};
				return [
					document.querySelector(".news")!.getBoundingClientRect().bottom,
					[...document.querySelectorAll(".imprint p, .imprint a")].flatMap(linesOf),
				] as const;
			});
			const { top, radius } = planetIn(width, height);
			expect(news, name).toBeLessThanOrEqual(top);
			// Words may be on the planet only where it is in shadow (picture-bounds.ts).
			const [right = 0, up = 0] = PLANET_SHADOW.middle;
			const shadow = { x: width / 2 + right * radius, y: top + radius - up * radius };
			for (const line of words) {
				const away = Math.max(shadow.x - line.left, line.right - shadow.x);
				const out = Math.hypot(away, shadow.y - line.top) / radius;
				expect(out, `${name}: ${JSON.stringify(line)}`).toBeLessThan(
					(PLANET_SHADOW.reach[1]! + PLANET_SHADOW.reach[2]!) / 2,
				);
			}
		}
	},
);

test("the planet is out of sight if words fill the window", async () => {
	const { page } = await visitPage("/confirmation?way=none");
	for (const [width, height] of [
		[320, 256],
		[568, 320],
		[414, 440],
	] as const) {
		await page.setViewportSize({ width, height });
		// At night the style sheet moves the still sphere down, where it becomes the planet.
		await expect
			.poll(
				() => page.locator(".stage .sphere").evaluate((still) => still.getBoundingClientRect().top),
				{ message: `${width} x ${height}` },
			)
			.toBeGreaterThan(1.1 * height);
		expect(planetIn(width, height).top, `${width} x ${height}`).toBeGreaterThan(1.1 * height);
	}
});

test("the next word follows the leaving one without touching it", {
	tags: "slow",
}, async () => {
	const { page } = await visitPage("/");
	const seen = await page.evaluate(async () => {
		const { bottom, top } = document.querySelector(".words")!.getBoundingClientRect();
		const shown = () =>
			[...document.querySelectorAll(".word > .ink")]
				.filter((ink) => getComputedStyle(ink).visibility === "visible")
				.map((ink) => {
					const box = ink.getBoundingClientRect();
					const { paddingTop, paddingBottom } = getComputedStyle(ink);
					return {
						word: ink.textContent,
						top: box.top + Number.parseFloat(paddingTop),
						bottom: box.bottom - Number.parseFloat(paddingBottom),
					};
				})
				.filter((ink) => ink.top < bottom && ink.bottom > top)
				.sort((a, b) => a.top - b.top);
		// Steps through the change: slow machines show too few frames.
		while (!document.querySelector('[data-turn="past"]')) {
			await new Promise((resolve) => requestAnimationFrame(resolve));
		}
		const moves = document.getAnimations();
		const seen: string[] = [];
		for (let ms = 0; ms <= 1000; ms += 20) {
			for (const move of moves) {
				move.pause();
				move.currentTime = ms;
			}
			const [above, below] = shown();
			const touch = below && above!.bottom > below.top ? " touches " : " above ";
			seen.push([above?.word, below?.word].filter(Boolean).join(touch));
		}
		return seen.filter((word, at) => word !== seen[at - 1]);
	});
	const [before, after] = [seen[0]!, seen.at(-1)!];
	const { turning } = words.headline;
	expect(turning.indexOf(after)).toBe((turning.indexOf(before) + 1) % turning.length);
	expect(seen).toEqual([before, `${before} above ${after}`, after]);
});
