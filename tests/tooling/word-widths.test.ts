/* How high the lines of the headline are, and how many those of the title, whatever their words and fonts. */
import { expect, test } from "vitest";
import { words } from "#brand";
import type { OpenFont } from "../../src/tooling/fonts/open-font.ts";
import { openFace } from "../../src/tooling/fonts/subset-fonts.ts";
import { widthStyles } from "../../src/tooling/fonts/word-widths.ts";

const face = await openFace("display");

/** Our font with stems and tails that are half as long again, as other fonts have them. */
const font: OpenFont = {
	...face,
	glyphsOf: (text) =>
		face.glyphsOf(text).map(({ above, below, ...sides }) => ({
			...sides,
			above: 1.5 * above,
			below: 1.5 * below,
		})),
};
const own = (text: string) => font.widthOf([...text]);

/** `line-height` of a headline of these lines, in ems. */
function leadingOf(lines: string[], turning: string[]): number {
	const headline = { ...words.headline, lines, turning };
	const styles = widthStyles({ ...words, headline }, { own, widest: own }, font);
	return Number(/--headline-leading: ([\d.]+);/.exec(styles)![1]);
}

test("a title that only a phone breaks has its lines there alone", () => {
	const confirmation = { ...words.confirmation, title: "Świetnie, żeglarzu!" };
	const eightEms = (text: string) => (8 / confirmation.title.length) * text.length;
	const styles = widthStyles({ ...words, confirmation }, { own, widest: eightEms }, font);
	expect(styles.match(/--title-lines: \d/g)).toEqual(["--title-lines: 1", "--title-lines: 2"]);
});

const tailOnTop = font.glyphsOf("p")[0]!.below + font.glyphsOf("d")[0]!.above;

test("a letter's tail never reaches a letter of the line below it", () => {
	expect(leadingOf(["pppp"], ["n", "dddd"])).toBeGreaterThan(tailOnTop);
	expect(leadingOf(["nn", "pppp", "dddd"], ["n"])).toBeGreaterThan(tailOnTop);
});

test("lines are close where tails hang beside the letters below, or there are none", () => {
	const close = leadingOf(["nnnn"], ["dddd"]);
	expect(close).toBeLessThan(tailOnTop);
	expect(leadingOf(["pnnnnnnnnn"], ["dd"])).toBe(close);
	// No line follows the last words.
	expect(leadingOf(["nnnn"], ["pppp"])).toBeLessThanOrEqual(close);
});
