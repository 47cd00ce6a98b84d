/* The large words: how they fill their place, and how they move in it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brand, words } from "#brand";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { again, failed, thanks } from "../sentences.ts";
import { email, visit } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium({ graphics: "processor" });
});

afterAll(() => browser?.close());

/** How far the page is larger than the window, in px. */
const hidden = (page: Page) =>
	page.evaluate(() => {
		const { scrollHeight, scrollWidth } = document.documentElement;
		return [scrollWidth - innerWidth, scrollHeight - innerHeight];
	});

const windows = [
	[844, 390],
	[667, 375],
	[360, 640],
	[320, 568],
	[390, 844],
	[768, 1024],
	[1024, 600],
	[1440, 900],
	[2560, 1440],
] as const;

test.each([
	["the form", "/"],
	["the number", "/confirmation"],
])("all of the page with %s is in the window, on a phone's side as well", async (_, path) => {
	const { page } = await visit(browser, path);
	for (const [width, height] of windows) {
		await page.setViewportSize({ width, height });
		expect(await hidden(page), `${width} x ${height}`).toEqual([0, 0]);
	}
});

test("an error and a message need no more room than the form", async () => {
	const { page } = await visit(browser, "/");
	const answers = [
		{ status: 500, body: "" },
		{ status: 409, json: {} },
	];
	await page.route("**/api/waitlist/register", (route) => route.fulfill(answers.shift()!));
	for (const sentence of [failed, again]) {
		await page.setViewportSize({ width: 412, height: 823 });
		await email(page).fill("ada@example.com");
		await page.keyboard.press("Enter");
		await page.getByText(sentence).waitFor();
		for (const [width, height] of windows) {
			await page.setViewportSize({ width, height });
			expect(await hidden(page), `${sentence}, ${width} x ${height}`).toEqual([0, 0]);
		}
	}
	expect(thanks).not.toBe(again);
});

/** The left and right edges, and the middle of some words' height. */
const boxes = (page: Page, selector: string) =>
	page.locator(selector).evaluateAll((all) =>
		all.map((it) => {
			const { left, right, top, bottom } = it.getBoundingClientRect();
			return { left, right, width: right - left, x: (left + right) / 2, y: (top + bottom) / 2 };
		}),
	);

test.each([320, 360, 390, 430])(
	"headline, title and number fill a phone of %d px",
	async (width) => {
		const viewport = { width, height: 844 };
		const { page } = await visit(browser, "/", { viewport });
		const room = await page.locator(".centre").evaluate((it) => {
			const { paddingLeft, paddingRight } = getComputedStyle(it);
			return it.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
		});
		const widest = async (selector: string) =>
			Math.max(...(await boxes(page, selector)).map((box) => box.width)) / room;
		const fills = [await widest(".line, .ink")];
		await page.goto("/confirmation");
		fills.push(await widest(".news > *"));
		for (const share of fills) {
			expect(share).toBeGreaterThan(0.96);
			expect(share).toBeLessThanOrEqual(1);
		}
	},
);

test("headline and number grow with the sphere, and are in its middle", async () => {
	const { page } = await visit(browser, "/");
	for (const [width, height] of [
		[768, 1024],
		[1280, 720],
		[1440, 900],
		[1920, 1080],
		[2560, 1440],
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto("/");
		const [sphere] = await boxes(page, ".sphere");
		const lines = await boxes(page, ".line");
		const widest = Math.max(...lines.map((line) => line.width));
		const name = `${width} x ${height}`;
		expect(widest / sphere!.width, name).toBeGreaterThan(0.8);
		expect(widest / sphere!.width, name).toBeLessThan(1.1);
		for (const line of lines) expect(Math.abs(line.x - sphere!.x), name).toBeLessThan(2);
		// The words as a whole, from the first line to the field.
		const [offer] = await boxes(page, ".offer");
		expect(Math.abs(offer!.y - sphere!.y) / height, name).toBeLessThan(0.03);
		await page.goto("/confirmation");
		const [number] = await boxes(page, ".position > [aria-hidden]");
		expect(Math.abs(number!.width / widest - 1), name).toBeLessThan(0.05);
	}
});

test("letters of the large words do not touch", async () => {
	const { page } = await visit(browser, "/confirmation");
	const { headline, confirmation, notFound } = words;
	const large = [...headline.lines, ...headline.turning, confirmation.title, notFound.title];
	const places: [text: string, place: string][] = [
		...large.map((text): [string, string] => [text, ".congratulations"]),
		[brand.product, ".brand"],
		[confirmation.position, ".position"],
	];
	const pairs = places
		.flatMap(([text, place]) =>
			[...text].slice(1).map((letter, at) => [text[at]! + letter, place] as const),
		)
		.filter(([pair]) => !pair.includes(" "));
	const fused = await page.evaluate(async (pairs) => {
		const size = 160;
		await document.fonts.load(`800 ${size}px Display`);
		const width = 4 * size;
		const canvas = new OffscreenCanvas(width, 2 * size);
		const context = canvas.getContext("2d", { willReadFrequently: true })!;
		/** How many pieces some letters are of: an i has two. */
		const pieces = (text: string, spacing: number) => {
			context.clearRect(0, 0, width, 2 * size);
			context.font = `800 ${size}px Display`;
			context.letterSpacing = `${spacing * size}px`;
			context.fillText(text, size / 2, 1.4 * size);
			const { data } = context.getImageData(0, 0, width, 2 * size);
			const inked = new Set<number>();
			for (let i = 3; i < data.length; i += 4) if (data[i]! > 100) inked.add(i >> 2);
			let count = 0;
			for (const start of inked) {
				count++;
				const edge = [start];
				while (edge.length > 0) {
					const at = edge.pop()!;
					if (!inked.delete(at)) continue;
					edge.push(at - 1, at + 1, at - width, at + width);
				}
			}
			return count;
		};
		return pairs
			.filter(([pair, place]) => {
				const { letterSpacing, fontSize } = getComputedStyle(document.querySelector(place)!);
				const spacing = Number.parseFloat(letterSpacing) / Number.parseFloat(fontSize) || 0;
				return pieces(pair, spacing) < pieces(pair[0]!, spacing) + pieces(pair[1]!, spacing);
			})
			.map(([pair]) => pair);
	}, pairs);
	expect(pairs.length).toBeGreaterThan(20);
	expect(fused).toEqual([]);
});

test("one word has left before the next one comes", async () => {
	const { page } = await visit(browser, "/");
	const seen = await page.evaluate(async () => {
		const { bottom, top } = document.querySelector(".words")!.getBoundingClientRect();
		const shown = () =>
			[...document.querySelectorAll(".word > .ink")].filter((ink) => {
				const box = ink.getBoundingClientRect();
				return (
					getComputedStyle(ink).visibility === "visible" && box.top < bottom && box.bottom > top
				);
			});
		// The change, in steps of its own time: a slow machine shows few frames of it.
		while (!document.querySelector('[data-turn="past"]'))
			await new Promise((resolve) => requestAnimationFrame(resolve));
		const moves = document.getAnimations();
		const seen: string[] = [];
		for (let ms = 0; ms <= 1000; ms += 20) {
			for (const move of moves) {
				move.pause();
				move.currentTime = ms;
			}
			seen.push(
				shown()
					.map((ink) => ink.textContent)
					.join(" and "),
			);
		}
		return seen.filter((word, at) => word !== seen[at - 1]);
	});
	const [before, after] = [seen[0]!, seen.at(-1)!];
	const { turning } = words.headline;
	expect(turning.indexOf(after)).toBe((turning.indexOf(before) + 1) % turning.length);
	expect(seen.filter((word) => word !== "")).toEqual([before, after]);
});

test("figures rise when the first burst opens, and stand where nothing moves", async () => {
	const rises = (page: Page) =>
		page.locator(".figure").evaluateAll((all) =>
			all.map((it) => {
				const delay = it.getAnimations()[0]?.effect?.getTiming().delay;
				return delay && Math.round(delay);
			}),
		);
	for (const reducedMotion of ["no-preference", "reduce"] as const) {
		const { page } = await visit(browser, "/confirmation", { moving: true, reducedMotion });
		await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
		const delays = await rises(page);
		expect(delays.length).toBe([...words.confirmation.position].length);
		if (reducedMotion === "reduce") expect(new Set(delays)).toEqual(new Set([undefined]));
		else expect(delays).toEqual(delays.map((_, place) => 1600 + 70 * place));
	}
	const { page } = await visit(browser, "/confirmation");
	expect(new Set(await rises(page))).toEqual(new Set([undefined]));
});
