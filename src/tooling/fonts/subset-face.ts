import { Blob, Face } from "harfbuzzjs";
import subsetFont from "subset-font";
import { openFont } from "./open-font.ts";

/** A number pins an axis. Omitted axes stay at their defaults. */
export type FontAxes = Record<string, number | { min: number; max: number }>;

/** The characters that one font file contributes to a typeface. */
export interface FontSubset {
	letters: string;
	woff2: Buffer;
	/** Uncompressed, for measuring. */
	ttf: Buffer;
}

/**
 * @param files one per writing system: a character is taken from the first that has it
 * @returns only files that contribute characters, and always the first
 */
export async function subsetFace(
	files: readonly Buffer[],
	characters: string,
	axes: FontAxes,
): Promise<FontSubset[]> {
	const cuts: FontSubset[] = [];
	let missing = [...characters];
	for (const file of files) {
		const cut = await cutFile(file, missing.join(""), axes);
		const { has } = openFont([cut.ttf]);
		const letters = missing.filter(has).join("");
		if (letters === "" && cuts.length > 0) continue;
		missing = missing.filter((letter) => !has(letter));
		cuts.push({ letters, ...cut });
	}
	return cuts;
}

async function cutFile(
	file: Buffer,
	letters: string,
	axes: FontAxes,
): Promise<Omit<FontSubset, "letters">> {
	const own = new Face(new Blob(await subsetFont(file, " ", { targetFormat: "sfnt" })));
	const variationAxes: FontAxes = {};
	for (const [tag, { min, default: usual, max }] of Object.entries(own.getAxisInfos())) {
		const within = (value: number) => Math.min(max, Math.max(min, value));
		const kept = axes[tag] ?? usual;
		variationAxes[tag] =
			typeof kept === "number" ? within(kept) : { min: within(kept.min), max: within(kept.max) };
	}
	const [woff2, ttf] = await Promise.all(
		(["woff2", "sfnt"] as const).map((targetFormat) =>
			subsetFont(file, letters, { targetFormat, variationAxes }),
		),
	);
	return { woff2: woff2!, ttf: ttf! };
}
