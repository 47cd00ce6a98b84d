import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as ours from "#brand";
import { type Rgb, rgb } from "#shared/rgb.ts";
import { brandStyles } from "../../src/tooling/brand-styles.ts";
import { contrast } from "../../src/tooling/contrast.ts";

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
				for (const [, name = "", value = ""] of body.matchAll(/(--[\w-]+):\s*([^;]+);/g))
					tokens.set(name, value);
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

test("the ink of the letters' pages keeps 4.5:1 on any blend of the still picture's colours", () => {
	const [stage, sphere] = ["stage", "sphere"].map((name) =>
		readFileSync(`src/site/styles/${name}.css`, "utf8"),
	);
	const [morning] = /\.morning \{.*?\n\}/s.exec(css)!;
	const day = `${morning}\n${sphere}\n${stage!.replace(/@media[\s\S]*/, "")}`;
	const colours = [
		...[...day.matchAll(/rgb\((\d+ \d+ \d+)/g)].map(([, text = ""]) => colour(text)),
		...[...day.matchAll(/#[\da-f]{6}/g)].map(([text]) => colour(text)),
	];
	expect(colours.length).toBeGreaterThan(30);
	// Blending makes no channel darker than the darkest of all.
	const darkest = [0, 1, 2].map((i) => Math.min(...colours.map((it) => it[i]!))) as unknown as Rgb;
	const ink = colour(tokensOf(".letter").get("--ink") ?? "");
	expect(contrast(ink, darkest)).toBeGreaterThanOrEqual(4.5);
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

test.each(["--ink", "--ink-soft"])("%s keeps 7:1 on the paper of the dark, whoever asks", (ink) => {
	const tokens = tokensOf(".legal", "prefers-color-scheme: dark");
	expect(colour(tokens.get("--sky") ?? "")).toEqual(rgb(ours.inks.darkPaper.ground));
	expect(
		contrast(colour(tokens.get(ink) ?? ""), colour(tokens.get("--sky") ?? "")),
	).toBeGreaterThanOrEqual(7);
});
