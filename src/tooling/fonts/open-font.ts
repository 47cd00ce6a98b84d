import { Blob, Buffer, Face, Font, shape, Variation } from "harfbuzzjs";

export interface OpenFont {
	ascent: number;
	descent: number;
	/** The characters of a text that both the font and all system fonts have. */
	lettersOf(text: string): string[];
	has(letter: string): boolean;
	/** In ems, with kerning. */
	widthOf(letters: readonly string[]): number;
	/** In ems above and below the baseline. */
	inkOf(text: string): { above: number; below: number };
}

/**
 * Opens TrueType files, which may be split by writing system. As in a browser, a character comes from
 * the first file that has it, and the first file determines the line height.
 * @param weight of a variable font; its default if left out
 */
export function openFont(files: readonly Uint8Array[], weight?: number): OpenFont {
	const cuts = files.map((file) => {
		const face = new Face(new Blob(file));
		const font = new Font(face);
		if (weight !== undefined) font.setVariations([new Variation("wght", weight)]);
		return { font, upem: face.upem, known: new Set(face.collectUnicodes()) };
	});
	const first = cuts[0];
	if (!first) throw new Error("A typeface has at least one file: none was given.");
	const { ascender, descender } = first.font.hExtents();
	const cutOf = (letter: string) => cuts.find(({ known }) => known.has(letter.codePointAt(0)!));

	/** Splits a text into runs of one file. Browsers do not kern across files. */
	const runsOf = (letters: readonly string[]) => {
		const runs: { cut: typeof first; text: string }[] = [];
		for (const letter of letters) {
			const cut = cutOf(letter) ?? first;
			const last = runs.at(-1);
			if (last?.cut === cut) last.text += letter;
			else runs.push({ cut, text: letter });
		}
		return runs.map(({ cut, text }) => {
			const buffer = new Buffer();
			buffer.addText(text);
			buffer.guessSegmentProperties();
			shape(cut.font, buffer);
			return { cut, glyphs: buffer };
		});
	};

	return {
		ascent: ascender / first.upem,
		descent: -descender / first.upem,
		has: (letter) => cutOf(letter) !== undefined,
		// Drops accents, which do not change a letter's width.
		lettersOf: (text) =>
			[...text.normalize("NFD")].filter(
				(letter) => /[ -~]/.test(letter) && cutOf(letter) !== undefined,
			),
		widthOf: (letters) =>
			runsOf(letters).reduce((width, { cut, glyphs }) => {
				const advances = glyphs.getGlyphPositions().map(({ xAdvance }) => xAdvance);
				return width + advances.reduce((sum, advance) => sum + advance, 0) / cut.upem;
			}, 0),
		inkOf(text) {
			const inks = runsOf([...text]).flatMap(({ cut, glyphs }) =>
				glyphs.getGlyphInfos().map(({ codepoint }) => {
					const { yBearing = 0, height = 0 } = cut.font.glyphExtents(codepoint) ?? {};
					// Glyph heights are negative, because they point downward.
					return { above: yBearing / cut.upem, below: -(yBearing + height) / cut.upem };
				}),
			);
			return {
				above: Math.max(...inks.map(({ above }) => above)),
				below: Math.max(...inks.map(({ below }) => below)),
			};
		},
	};
}
