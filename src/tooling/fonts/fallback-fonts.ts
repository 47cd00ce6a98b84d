import type { OpenFont } from "./open-font.ts";
import { type SystemStyle, systemFaces } from "./system-faces.ts";

export interface SiteFont {
	/** Prefix of fallback names: "Text" has "Text fallback Arial" and more. */
	name: string;
	font: OpenFont;
	style: "regular" | "bold";
	/** Regular by default. */
	weight?: string;
	/** Lines and words set in this font. */
	texts: readonly string[];
}

/**
 * Scales system fonts to a font of the site, so that nothing shifts when the site's font arrives.
 *
 * Each word would need a slightly different `size-adjust`, and a face has only one. So the scale is
 * fitted to the site's actual words, weighted by length.
 */
export function fallbackFaces(font: SiteFont): string {
	const { ascent, descent } = font.font;
	return standIns(font)
		.map(({ system, style, scale }) =>
			fontFace([
				`font-family: "${font.name} fallback ${system.name}"`,
				`src: ${style.names.replace(/[^,]+/g, (name) => `local("${name.trim()}")`)}`,
				`size-adjust: ${percent(scale)}`,
				// Divided by the scale, because `size-adjust` applies to these, too.
				`ascent-override: ${percent(ascent / scale)}`,
				`descent-override: ${percent(descent / scale)}`,
				"line-gap-override: 0%",
				...(font.weight ? [`font-weight: ${font.weight}`] : []),
			]),
		)
		.join("");
}

export const fontFace = (descriptors: readonly string[]) =>
	`@font-face {\n\t${descriptors.join(";\n\t")};\n}\n`;

/** How much wider than measured a browser may set a system font: versions and kerning differ. */
const VERSIONS = 1.012;

/**
 * Text widths in ems: `own` in the font itself, `widest` including fallbacks. A line that fits by
 * `widest` does not break when the font arrives.
 */
export function widthsIn(font: SiteFont) {
	const { widthOf, lettersOf } = font.font;
	const fallbacks = standIns(font);
	const own = (text: string) => widthOf([...text]);
	const inFallback = (text: string) =>
		fallbacks.map(({ style, scale }) => scale * widthIn(style, lettersOf(text)));
	return {
		own,
		widest: (text: string) => Math.max(own(text), ...inFallback(text)) * VERSIONS,
	};
}

/** Returns the system fonts with their scales. */
function standIns(font: SiteFont) {
	return systemFaces.map((system) => {
		const style = system[font.style];
		return { system, style, scale: scaleOf(font, style) };
	});
}

/** The scale that best approximates text widths in the font, by least squares. */
function scaleOf({ font, texts }: SiteFont, style: SystemStyle): number {
	let [product, square] = [0, 0];
	for (const text of texts) {
		const letters = font.lettersOf(text);
		const width = widthIn(style, letters);
		product += width * font.widthOf(letters);
		square += width * width;
	}
	return product / square;
}

/** Text width in ems. */
function widthIn({ advances }: SystemStyle, letters: readonly string[]): number {
	const widths = advances.split(" ").map(Number);
	return letters.reduce((sum, letter) => sum + widths[letter.charCodeAt(0) - 32]!, 0) / 1000;
}

const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;
