import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as ours from "#brand";
import { type Rgb, rgb } from "#shared/rgb.ts";
import { brandStyles } from "../../src/tooling/colors/brand-styles.ts";
import { luminance, luminanceContrast } from "../../src/tooling/colors/contrast.ts";
import {
	brightestNight,
	leastDayLuminance,
	leastOfBlends,
} from "../../src/tooling/colors/picture-bounds.ts";

/* Contrast of words by WCAG 2.2, section 1.4.3. */
const css = `${brandStyles(ours)}\n${readFileSync("src/site/styles/tokens.css", "utf8")}`;

/** `selector` overrides the root, the media query overrides both. */
function tokensOf(selector: string, query?: string): Map<string, string> {
	const media = [...css.matchAll(/@media \(([^)]+)\) \{([\s\S]*?\n)\}/g)];
	const plain = media.reduce((text, [block]) => text.replace(block, ""), css);
	const asked = media.filter(([, condition]) => condition === query).map(([, , body = ""]) => body);
	const tokens = new Map<string, string>();
	for (const owner of [":root", selector]) {
		for (const text of [plain, ...asked]) {
			for (const [, selectors = "", body = ""] of text.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
				const names = selectors.replace(/\/\*[\s\S]*?\*\//g, "").split(",");
				if (!names.some((name) => name.trim() === owner)) continue;
				for (const [, name = "", value = ""] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g)) {
					tokens.set(name, value);
				}
			}
		}
	}
	return tokens;
}

function color(text: string): Rgb {
	const channels = /^#[\da-f]{6}$/.test(text) ? rgb(text) : text.split(" ").map(Number);
	if (channels.length !== 3 || channels.some(Number.isNaN)) throw new Error(`no color: ${text}`);
	return channels as unknown as Rgb;
}

function stillColors(): Rgb[] {
	const still = ["sphere", "stage"].map((name) =>
		readFileSync(`src/site/styles/${name}.css`, "utf8").replace(/@media[\s\S]*/, ""),
	);
	const [morning = ""] = /\.morning \{.*?\n\}/s.exec(css) ?? [];
	const texts = [morning, ...still].flatMap((text) =>
		[...text.matchAll(/rgb\((\d+ \d+ \d+)|(#[\da-f]{6})/g)].map(([, a, b]) => a ?? b ?? ""),
	);
	return texts.map(color);
}

describe("words on the picture", () => {
	const day = leastDayLuminance(ours);
	const night = brightestNight(ours);
	const on = (ink: string, ground: number) => luminanceContrast(luminance(rgb(ink)), ground);

	test("keep 4.5:1 over any blend of sky and sphere, by day and at night", () => {
		expect(on(ours.inks.morning.ink, day)).toBeGreaterThanOrEqual(7);
		for (const ink of ours.inks.morning.word) expect(on(ink, day)).toBeGreaterThanOrEqual(4.5);
		expect(on(ours.inks.night.ink, night.anywhere)).toBeGreaterThanOrEqual(4.5);
		for (const ink of ours.inks.night.number) {
			expect(on(ink, night.aboveLight)).toBeGreaterThanOrEqual(4.5);
		}
		const { ink, word, fieldError } = ours.inks.night;
		for (const bright of [ink, ...word, fieldError]) {
			expect(on(bright, night.dusk)).toBeGreaterThanOrEqual(4.5);
		}
	});

	test("keep it over the still picture, which blends no darker", () => {
		const colors = stillColors();
		expect(colors.length).toBeGreaterThan(30);
		expect(leastOfBlends(colors)).toBeGreaterThanOrEqual(day);
	});
});

test("the darkest blend is found, which may be darker than its colors", () => {
	const [pink, sky] = [rgb("#ff99cc"), rgb("#66ccff")];
	const blends = Array.from({ length: 1001 }, (_, i) =>
		luminance(pink.map((part, k) => part + ((sky[k]! - part) * i) / 1000) as unknown as Rgb),
	);
	const least = leastOfBlends([pink, sky]);
	expect(least).toBeLessThan(Math.min(luminance(pink), luminance(sky)));
	expect(least).toBeCloseTo(Math.min(...blends), 3);
	expect(leastOfBlends([pink, sky, rgb("#202020")])).toBeCloseTo(luminance(rgb("#202020")), 3);
});

const field = [
	["--field-ink", "--field"],
	["--field-hint", "--field"],
	["--field-error", "--field"],
	["--button-ink", "--button"],
	["--button-ink", "--button-hover"],
] as const;

/** Text and background colors by page. */
const textColors: [selector: string, ink: string, ground: string][] = [
	...["--ink", "--word-from", "--word-to"].map((ink) => [".landing", ink, "--card"] as const),
	...field.map(([ink, ground]) => [".landing", ink, ground] as const),
	...["--ink", "--number-1", "--number-2", "--number-3", "--number-4"].map(
		(ink) => [".confirmation", ink, "--card"] as const,
	),
	...["--ink", "--ink-soft"].map((ink) => [".legal", ink, "--sky"] as const),
].map(([...all]) => all);

test.each([
	[4.5, undefined],
	[7, "prefers-contrast: more"],
	// Dark colors stay the same with `prefers-contrast: more`, so they need 7:1.
	[7, "prefers-color-scheme: dark"],
])("words keep %f:1 on cards, fields, buttons and paper with %s", (least, query) => {
	for (const [selector, ink, ground] of textColors) {
		const tokens = tokensOf(selector, query);
		const of = (name: string) => luminance(color(tokens.get(name) ?? ""));
		expect(luminanceContrast(of(ink), of(ground)), `${selector} ${ink}`).toBeGreaterThanOrEqual(
			least,
		);
	}
});
