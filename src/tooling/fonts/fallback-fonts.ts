import type { OpenFont } from "./open-font.ts";
import { type SystemStyle, systemFaces } from "./system-faces.ts";

export interface SiteFont {
	/** Prefix of its fallbacks' names: "Text" has "Text fallback Arial" and more. */
	name: string;
	font: OpenFont;
	style: "regular" | "bold";
	/** Regular by default. */
	weight?: string;
	/** Lines and words set in it. */
	texts: readonly string[];
	/** A number in very large digits, which get a separate scale. */
	number?: string;
}

/**
 * Scales system fonts to a font of the site, so that nothing shifts when it arrives.
 *
 * Each word would need a slightly different `size-adjust`, and a face has only one. So it is fitted
 * to the site's actual words, weighted by length.
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

/** How much wider than measured a browser may set a system font: versions and kerning differ. */
const VERSIONS = 1.012;

/**
 * In ems: in the font itself, and the maximum including fallbacks. A line that fits by the latter
 * does not break when the font arrives.
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

/** The system fonts, with the scales of digits and of everything else. */
function standIns(font: SiteFont) {
	const own = font.font;
	return systemFaces.map((system) => {
		const style = system[font.style];
		const figures = font.number ? figureScale(own, style, font.number) : undefined;
		return { system, style, figures, letters: letterScale(own, style, font.texts, figures) };
	});
}

const isFigure = (letter: string) => /[\d,]/.test(letter);
const figureRange = "U+2C, U+30-39";

/** The scale that gives a number its width in the font. */
function figureScale(own: OpenFont, style: SystemStyle, number: string): number {
	const letters = own.lettersOf(number);
	return own.widthOf(letters) / widthIn(style, letters);
}

/** The scale that best approximates text widths in the font, by least squares. */
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

/** In ems. */
function widthIn({ advances, unitsPerEm }: SystemStyle, letters: readonly string[]): number {
	const widths = advances.split(" ").map(Number);
	return letters.reduce((sum, letter) => sum + widths[letter.charCodeAt(0) - 32]!, 0) / unitsPerEm;
}

const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;
