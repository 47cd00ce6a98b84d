import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as ours from "#brand";
import { type Rgb, rgb } from "#shared/rgb.ts";
import { brandStyles } from "../../src/tooling/colours/brand-styles.ts";
import { contrast, luminance, luminanceContrast } from "../../src/tooling/colours/contrast.ts";
import {
	brightestNight,
	darkestDay,
	leastOfBlends,
} from "../../src/tooling/colours/picture-bounds.ts";

/* Promise 46, by arithmetic. The ratios are those of WCAG 2.2, section 1.4.3. */
const css = `${brandStyles(ours)}\n${readFileSync("src/site/styles/tokens.css", "utf8")}`;

/** The tokens of an element: `selector`'s override the root's, those in the media query override both. */
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

/** A colour as the tokens write it. */
function colour(text: string): Rgb {
	const channels = /^#[\da-f]{6}$/.test(text) ? rgb(text) : text.split(" ").map(Number);
	if (channels.length !== 3 || channels.some(Number.isNaN)) throw new Error(`no colour: ${text}`);
	return channels as unknown as Rgb;
}

/** The inks of each page's words, which stand on its card where the visitor asks for more contrast. */
const standing: [selector: string, ink: string][] = [
	[".landing", "--ink"],
	[".landing", "--word-from"],
	[".landing", "--word-to"],
	[".confirmation", "--ink"],
	[".confirmation", "--number-1"],
	[".confirmation", "--number-2"],
	[".confirmation", "--number-3"],
	[".confirmation", "--number-4"],
];

/** The colours that the style sheet paints the sky and the still sphere with by day. */
function stillColours(): Rgb[] {
	const still = ["sphere", "stage"].map((name) =>
		readFileSync(`src/site/styles/${name}.css`, "utf8").replace(/@media[\s\S]*/, ""),
	);
	const [morning = ""] = /\.morning \{.*?\n\}/s.exec(css) ?? [];
	const texts = [morning, ...still].flatMap((text) =>
		[...text.matchAll(/rgb\((\d+ \d+ \d+)|(#[\da-f]{6})/g)].map(([, a, b]) => a ?? b ?? ""),
	);
	return texts.map(colour);
}

describe("words on the picture itself", () => {
	const day = darkestDay(ours);
	const night = brightestNight(ours);
	const on = (ink: string, ground: number) => luminanceContrast(luminance(rgb(ink)), ground);

	test("keep 4.5:1 on whatever sky and sphere can blend, by day and at night", () => {
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

	test("keep it on the still picture, which blends no darker", () => {
		const colours = stillColours();
		expect(colours.length).toBeGreaterThan(30);
		expect(leastOfBlends(colours)).toBeGreaterThanOrEqual(day);
	});
});

test("a blend may be darker than its colours, and the darkest is found", () => {
	const [pink, sky] = [rgb("#ff99cc"), rgb("#66ccff")];
	const blends = Array.from({ length: 1001 }, (_, i) =>
		luminance(pink.map((part, k) => part + ((sky[k]! - part) * i) / 1000) as unknown as Rgb),
	);
	const least = leastOfBlends([pink, sky]);
	expect(least).toBeLessThan(Math.min(luminance(pink), luminance(sky)));
	expect(least).toBeCloseTo(Math.min(...blends), 3);
	expect(leastOfBlends([pink, sky, rgb("#202020")])).toBeCloseTo(luminance(rgb("#202020")), 3);
});

for (const [query, least] of [
	[undefined, 4.5],
	["prefers-contrast: more", 7],
] as const) {
	test.each(standing)(`%s %s keeps ${least}:1 on its card`, (selector, ink) => {
		const tokens = tokensOf(selector, query);
		const token = (name: string) => tokens.get(name) ?? expect.fail(`${selector} has no ${name}`);
		expect(contrast(colour(token(ink)), colour(token("--card")))).toBeGreaterThanOrEqual(least);
	});

	test.each([
		["--field-ink", "--field"],
		["--field-hint", "--field"],
		["--field-error", "--field"],
		["--button-ink", "--button"],
		["--button-ink", "--button-hover"],
	])(`%s keeps ${least}:1 on %s`, (ink, ground) => {
		const tokens = tokensOf(".landing", query);
		expect(
			contrast(colour(tokens.get(ink) ?? ""), colour(tokens.get(ground) ?? "")),
		).toBeGreaterThanOrEqual(least);
	});

	test.each(["--ink", "--ink-soft"])(
		`%s keeps ${least}:1 on the paper of the legal texts`,
		(ink) => {
			const tokens = tokensOf(".legal", query);
			expect(
				contrast(colour(tokens.get(ink) ?? ""), colour(tokens.get("--sky") ?? "")),
			).toBeGreaterThanOrEqual(least);
		},
	);
}

test.each([
	["--ink", "--card"],
	["--word-from", "--card"],
	["--word-to", "--card"],
	["--field-ink", "--field"],
	["--field-hint", "--field"],
	["--field-error", "--field"],
	["--button-ink", "--button"],
	["--button-ink", "--button-hover"],
])("at dusk %s keeps 7:1 on %s, whoever asks", (ink, ground) => {
	const tokens = tokensOf(".landing", "prefers-color-scheme: dark");
	expect(colour(tokens.get("--card") ?? "")).toEqual(rgb(ours.inks.night.card));
	expect(
		contrast(colour(tokens.get(ink) ?? ""), colour(tokens.get(ground) ?? "")),
	).toBeGreaterThanOrEqual(7);
});

test.each(["--ink", "--ink-soft"])("%s keeps 7:1 on the paper of the dark, whoever asks", (ink) => {
	const tokens = tokensOf(".legal", "prefers-color-scheme: dark");
	expect(colour(tokens.get("--sky") ?? "")).toEqual(rgb(ours.inks.darkPaper.ground));
	expect(
		contrast(colour(tokens.get(ink) ?? ""), colour(tokens.get("--sky") ?? "")),
	).toBeGreaterThanOrEqual(7);
});
