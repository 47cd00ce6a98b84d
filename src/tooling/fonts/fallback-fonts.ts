import type { OpenFont } from "./open-font.ts";
import { type SystemStyle, systemFaces } from "./system-faces.ts";

export interface SiteFont {
	/** Prefix of fallback names, such as "Text fallback Arial". */
	name: string;
	font: OpenFont;
	style: "regular" | "bold";
	/** Regular by default. */
	weight?: string;
	texts: readonly string[];
}

/**
 * Scales system fonts to a font of the site, so nothing shifts when that font arrives. A face has
 * only one `size-adjust`, so the scale fits the site's words on average.
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

/** Margin for kerning and for other versions of a system font, which may make text wider than measured. */
const VERSIONS = 1.012;

/**
 * Returns functions that measure text in ems. `widest` includes fallbacks: a line that fits by it stays one line
 * when the font arrives.
 */
export function createTextMeasurer(font: SiteFont) {
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

function standIns(font: SiteFont) {
	return systemFaces.map((system) => {
		const style = system[font.style];
		return { system, style, scale: scaleOf(font, style) };
	});
}

/** The best scale by least squares. */
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

/** In ems. */
function widthIn({ advances }: SystemStyle, letters: readonly string[]): number {
	const widths = advances.split(" ").map(Number);
	return letters.reduce((sum, letter) => sum + widths[letter.charCodeAt(0) - 32]!, 0) / 1000;
}

const percent = (share: number) => `${Number((100 * share).toFixed(1))}%`;
