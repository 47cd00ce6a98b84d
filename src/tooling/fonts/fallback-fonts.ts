import type { OpenFont } from "./open-font.ts";
import { type SystemStyle, systemFaces } from "./system-faces.ts";

/** A font of the site, and what it is used for. */
export interface SiteFont {
	/** Its fallbacks are named after it: "Text" has "Text fallback Arial" and more. */
	name: string;
	font: OpenFont;
	style: "regular" | "bold";
	/** Undefined: it is the regular one. */
	weight?: string;
	/** What the site says in it: lines and words, each on its own. */
	texts: readonly string[];
	/** A number in very large figures: they get a scale of their own. */
	number?: string;
}

/**
 * Writes the `@font-face` rules that give a system's own face the size of a font of the site: nothing
 * moves when the font arrives (promise 11).
 *
 * Each word would need a slightly different `size-adjust`, and a face has only one. So it is fitted to
 * the words that the site really shows, the long ones most of all.
 */
export function fallbackFaces(font: SiteFont): string {
	const own = font.font;
	return standIns(font)
		.map(({ system, style, figures, letters }) => {
			const rule = (scale: number, ...more: string[]) => {
				const descriptors = [
					`font-family: "${font.name} fallback ${system.name}"`,
					`src: ${style.names.map((name) => `local("${name}")`).join(", ")}`,
					`size-adjust: ${percent(scale)}`,
					// Browsers scale these by size-adjust, too.
					`ascent-override: ${percent(own.ascent / scale)}`,
					`descent-override: ${percent(own.descent / scale)}`,
					"line-gap-override: 0%",
					...(font.weight ? [`font-weight: ${font.weight}`] : []),
					...more,
				];
				return `@font-face {\n\t${descriptors.join(";\n\t")};\n}\n`;
			};
			return rule(letters) + (figures ? rule(figures, `unicode-range: ${figureRange}`) : "");
		})
		.join("");
}

/** By how much a browser may set a system's face wider than its measured letters: versions and kerning differ. */
const VERSIONS = 1.012;

/**
 * How wide texts are in ems, in the font itself, and at most: in it, or in a fallback while it is on its
 * way. A line that fits its place by the latter does not break when the font arrives.
 */
export function widthsIn(font: SiteFont) {
	const { widthOf, lettersOf } = font.font;
	const fallbacks = standIns(font);
	const own = (text: string) => widthOf([...text]);
	const inFallback = (text: string) =>
		fallbacks.map(({ style, letters }) => letters * widthIn(style, lettersOf(text)));
	return {
		own,
		widest: (text: string) => Math.max(own(text), ...inFallback(text)) * VERSIONS,
	};
}

/** The systems' faces, with the scales of their figures and of all else. */
function standIns(font: SiteFont) {
	const own = font.font;
	return systemFaces.map((system) => {
		const style = system[font.style];
		const figures = font.number ? figureScale(own, style, font.number) : undefined;
		return { system, style, figures, letters: letterScale(own, style, font.texts, figures) };
	});
}

/** Figures, and the comma between them. */
const isFigure = (letter: string) => /[\d,]/.test(letter);
const figureRange = "U+2C, U+30-39";

/** The scale at which a number is as wide as in the font. */
function figureScale(own: OpenFont, style: SystemStyle, number: string): number {
	const letters = own.lettersOf(number);
	return own.widthOf(letters) / widthIn(style, letters);
}

/** The scale at which texts come closest to their widths in the font, by least squares. */
function letterScale(
	own: OpenFont,
	style: SystemStyle,
	texts: readonly string[],
	figures: number | undefined,
): number {
	let [product, square] = [0, 0];
	for (const text of texts) {
		const letters = own.lettersOf(text);
		const fixed = figures ? letters.filter(isFigure) : [];
		const width = widthIn(style, letters) - widthIn(style, fixed);
		product += width * (own.widthOf(letters) - (figures ?? 0) * widthIn(style, fixed));
		square += width * width;
	}
	return product / square;
}

/** Width of letters in a system's face, in ems. */
function widthIn({ advances, unitsPerEm }: SystemStyle, letters: readonly string[]): number {
	const widths = advances.split(" ").map(Number);
	return letters.reduce((sum, letter) => sum + widths[letter.charCodeAt(0) - 32]!, 0) / unitsPerEm;
}

const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;
