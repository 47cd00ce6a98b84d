import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/*
 * Promise 46, by arithmetic: whatever moves behind the words, they keep their contrast.
 * The worst picture behind a light scrim is black, behind a dark one white. The ratios are those of
 * WCAG 2.2, section 1.4.3; the browser blends the colours in sRGB.
 */
const css = readFileSync("src/site/styles/tokens.css", "utf8");

type Colour = [number, number, number];

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

function colour(text: string): Colour {
	const hex = /^#([0-9a-f]{6})$/.exec(text.trim())?.[1];
	const numbers = hex
		? hex.match(/../g)?.map((pair) => Number.parseInt(pair, 16))
		: text.split(" ").map(Number);
	if (numbers?.length !== 3 || numbers.some(Number.isNaN)) throw new Error(`no colour: ${text}`);
	return numbers as Colour;
}

function luminance(colour: Colour): number {
	const [r, g, b] = colour.map((value) => {
		const part = value / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	}) as Colour;
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: Colour, b: Colour): number {
	const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
	return (light + 0.05) / (dark + 0.05);
}

/** The least contrast of an ink on a scrim, over black, white and the primaries. */
function leastContrast(ink: Colour, scrim: Colour, alpha: number): number {
	const pictures = [0, 1, 2, 3, 4, 5, 6, 7].map(
		(bits) => [bits & 1, bits & 2, bits & 4].map((bit) => (bit ? 255 : 0)) as Colour,
	);
	return Math.min(
		...pictures.map((picture) =>
			contrast(ink, picture.map((value, i) => value * (1 - alpha) + scrim[i]! * alpha) as Colour),
		),
	);
}

/** Each ink, with the alpha of the scrim it stands on. */
const standing: [selector: string, ink: string, alpha: string][] = [
	[".landing", "--ink", "--scrim-alpha"],
	[".landing", "--word-from", "--word-alpha"],
	[".landing", "--word-to", "--word-alpha"],
	[".confirmation", "--ink", "--scrim-alpha"],
	[".confirmation", "--number-1", "--number-alpha"],
	[".confirmation", "--number-2", "--number-alpha"],
	[".confirmation", "--number-3", "--number-alpha"],
	[".confirmation", "--number-4", "--number-alpha"],
	[".confirmation .footer", "--ink", "--scrim-alpha"],
];

test("the ink of the letters' pages keeps 4.5:1 on any blend of the still picture's colours", () => {
	const [stage, sphere] = ["stage", "sphere"].map((name) =>
		readFileSync(`src/site/styles/${name}.css`, "utf8"),
	);
	const day = sphere + stage!.replace(/\.night \{.*?\n\}/s, "").replace(/@media[\s\S]*/, "");
	const colours = [
		...[...day.matchAll(/rgb\((\d+ \d+ \d+)/g)].map(([, text = ""]) => colour(text)),
		...[...day.matchAll(/#[\da-f]{6}/g)].map(([text]) => colour(text)),
	];
	expect(colours.length).toBeGreaterThan(30);
	// Blending makes no channel darker than the darkest of all.
	const darkest = [0, 1, 2].map((i) => Math.min(...colours.map((it) => it[i]!))) as Colour;
	const ink = colour(tokensOf(".letter").get("--ink") ?? "");
	expect(contrast(ink, darkest)).toBeGreaterThanOrEqual(4.5);
});

for (const [query, least] of [
	[undefined, 4.5],
	["prefers-contrast: more", 7],
] as const) {
	test.each(standing)(`%s %s keeps ${least}:1 over any picture`, (selector, ink, alpha) => {
		const tokens = tokensOf(selector, query);
		const token = (name: string) => tokens.get(name) ?? expect.fail(`${selector} has no ${name}`);
		const measured = leastContrast(
			colour(token(ink)),
			colour(token("--scrim")),
			Number(token(alpha)),
		);
		expect(measured).toBeGreaterThanOrEqual(least);
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
