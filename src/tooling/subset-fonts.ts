import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";
import { brand, fonts, words } from "../brand.ts";
import { fallbackFaces, openFont } from "./fallback-fonts.ts";
import { replaceFile } from "./replace-file.ts";
import { widthStyles } from "./word-widths.ts";

const cache = resolve("node_modules/.cache/fonts");

/** The file of a subset as TrueType, to be measured. */
export function trueType(name: "display" | "text"): string {
	return join(cache, `${name}.ttf`);
}

/** Words that are edited beside the brand, and shown in its fonts. */
const otherWords = ["letters/words.ts", "legal/privacy.tsx", "legal/terms.tsx"].map((name) =>
	readFileSync(resolve("src/site", name), "utf8"),
);

/** Printable ASCII, the typographic signs of the texts, and whatever names and words need. */
const characters = lettersOf(
	`${String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))}‘’“”–—…©§•✓→←↑`,
	textsIn([brand, words]),
	...otherWords,
);

/** The characters of texts, each once and in order, without what ends a line. */
function lettersOf(...texts: string[]): string {
	return [...new Set(texts.join(""))]
		.filter((letter) => letter >= " ")
		.sort()
		.join("");
}

/** All the texts in a value, in one. */
function textsIn(value: object): string {
	return Object.values(value)
		.map((part: object | string) => (typeof part === "string" ? part : textsIn(part)))
		.join("");
}

interface Face {
	/** File in a Fontsource package. */
	source: string;
	/** What is kept of each variation axis: a number pins it. */
	axes: Record<string, number | { min: number; max: number }>;
}

/** Read as `url("@fonts/<name>.woff2")` in the style sheets. */
const faces: Record<string, Face> = {
	display: { source: fonts.display.file, axes: { ...fonts.display.axes, wght: 800 } },
	text: { source: fonts.text.file, axes: { ...fonts.text.axes, wght: { min: 400, max: 700 } } },
};

/**
 * Cuts the Fontsource families down to the characters and weights that the site shows: whole files
 * would be most of a page's bytes.
 */
export function subsetFonts(): Plugin {
	return {
		name: "subset-fonts",
		config: () => ({ resolve: { alias: { "@fonts": cache } } }),
		async configResolved() {
			await mkdir(cache, { recursive: true });
			await Promise.all(Object.entries(faces).map(([name, face]) => writeFace(name, face)));
			await writeMeasured();
		},
	};
}

/** Writes a face twice: as WOFF2 for browsers, and as TrueType to be measured. */
async function writeFace(name: string, face: Face): Promise<void> {
	const full = await readFile(createRequire(import.meta.url).resolve(face.source));
	const recipe = createHash("sha256").update(full).update(JSON.stringify(face)).update(characters);
	const recipeFile = join(cache, `${name}.recipe`);
	const wanted = recipe.digest("hex");
	if ((await readFile(recipeFile, "utf8").catch(() => "")) === wanted) return;
	for (const [ending, targetFormat] of [
		["woff2", "woff2"],
		["ttf", "sfnt"],
	] as const) {
		const options = { targetFormat, variationAxes: face.axes };
		await replaceFile(
			join(cache, `${name}.${ending}`),
			await subsetFont(full, characters, options),
		);
	}
	await replaceFile(recipeFile, wanted);
}

/** Writes what is measured: the fallbacks of all faces and the widths of the largest words. */
async function writeMeasured(): Promise<void> {
	const [display, text] = await Promise.all(
		(["display", "text"] as const).map((name) => readFile(trueType(name))),
	);
	const { headline, confirmation, messages } = words;
	const rules = [
		fallbackFaces({
			name: "Display",
			file: display!,
			style: "bold",
			weight: 800,
			texts: [brand.product, ...headline.lines, ...headline.turning, confirmation.title],
			number: confirmation.position,
		}),
		fallbackFaces({
			name: "Text",
			file: text!,
			style: "regular",
			texts: [confirmation.before, confirmation.after, messages.duplicate, messages.failed],
		}),
	];
	await replaceFile(join(cache, "fallbacks.css"), rules.join(""));
	await replaceFile(join(cache, "widths.css"), widthStyles(words, openFont(display!)));
}
