import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { brand, fonts } from "../../brand.ts";
import { words } from "../../words/en.ts";
import { plainError } from "../plain-error.ts";
import { replaceFile } from "../replace-file.ts";
import { createTextMeasurer, fallbackFaces, fontFace, type SiteFont } from "./fallback-fonts.ts";
import { type OpenFont, openFont } from "./open-font.ts";
import { type FontAxes, subsetFace } from "./subset-face.ts";
import { widthStyles } from "./word-widths.ts";

const cache = resolve("node_modules/.cache/fonts");

export type FaceName = "display" | "text";

export async function openFace(name: FaceName, weight?: number): Promise<OpenFont> {
	const { cuts } = JSON.parse(await readFile(join(cache, `${name}.json`), "utf8")) as Written;
	const files = cuts.map(({ file }) => readFile(join(cache, `${file}.ttf`)));
	return openFont(await Promise.all(files), weight);
}

/** Other files with texts in the brand's fonts. */
const otherWords = [
	"src/service.ts",
	"src/site/legal/privacy.tsx",
	"src/site/legal/terms.tsx",
	...["src/words", "src/site/legal/places"].flatMap((folder) =>
		readdirSync(folder).map((name) => `${folder}/${name}`),
	),
].map((name) => readFileSync(name, "utf8"));

const ascii = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i));
const texts = [ascii, "‘’“”–—…©§•✓→←↑", JSON.stringify([brand, words]), ...otherWords];
/** Printable ASCII, typographic characters, and all characters of names and texts, sorted. */
const characters = [...new Set(texts.join(""))]
	.filter((letter) => letter >= " ")
	.sort()
	.join("");

const axes: Record<FaceName, FontAxes> = {
	display: { ...fonts.display.axes, wght: 800 },
	text: { ...fonts.text.axes, wght: { min: 400, max: 700 } },
};

/**
 * Long texts keep the fallback if the font is late, because other line breaks would shift the page.
 */
const FAMILIES = [
	{ family: "Display", face: "display", weight: "800", display: "swap" },
	{ family: "Text", face: "text", weight: "400 700", display: "swap" },
	{ family: "Reading", face: "text", weight: "400 700", display: "optional" },
] as const;

interface Written {
	/** Hash of everything that affects the files. */
	recipe: string;
	/** One per writing system in use. `file` has no extension. */
	cuts: { file: string; letters: string }[];
}

/** Keeps only the site's characters and weights: whole files would be most of a page's bytes. */
export function subsetFonts(): Plugin {
	return {
		name: "subset-fonts",
		config: () => ({ resolve: { alias: { "@fonts": cache } } }),
		async configResolved() {
			const written = { display: await writeFace("display"), text: await writeFace("text") };
			const rules = FAMILIES.flatMap((family) => faceRules(family, written[family.face]));
			await replaceFile(join(cache, "faces.css"), rules.join(""));
			await writeMeasured();
		},
	};
}

/** Writes a face's files, unless the cache matches the recipe. */
async function writeFace(name: FaceName): Promise<Written> {
	const whole = await Promise.all(fonts[name].files.map((source) => readSource(name, source)));
	const recipe = createHash("sha256").update(JSON.stringify(axes[name])).update(characters);
	for (const file of whole) recipe.update(file);
	const written: Written = { recipe: recipe.digest("hex"), cuts: [] };
	const list = join(cache, `${name}.json`);
	const before = await readFile(list, "utf8").catch(() => "{}");
	if ((JSON.parse(before) as Partial<Written>).recipe === written.recipe) return JSON.parse(before);
	const cuts = await subsetFace(whole, characters, axes[name]);
	for (const [place, { letters, ...formats }] of cuts.entries()) {
		const file = place === 0 ? name : `${name}-${place}`;
		for (const [ending, content] of Object.entries(formats)) {
			await replaceFile(join(cache, `${file}.${ending}`), content);
		}
		written.cuts.push({ file, letters });
	}
	await replaceFile(list, JSON.stringify(written));
	return written;
}

async function readSource(name: FaceName, source: string): Promise<Buffer> {
	try {
		return await readFile(createRequire(import.meta.url).resolve(source));
	} catch {
		const fontPackage = source.split("/").slice(0, 2).join("/");
		throw plainError(
			`src/brand.ts has errors:\nfonts.${name}.files has "${source}", which does not exist: run npm install --save-dev ${fontPackage}, and choose a file in its folder "files".`,
		);
	}
}

/** One rule per file. Pages always fetch the first, and others only for their characters. */
const faceRules = ({ family, weight, display }: (typeof FAMILIES)[number], { cuts }: Written) =>
	cuts.map(({ file, letters }, place) =>
		fontFace([
			`font-family: "${family}"`,
			`font-weight: ${weight}`,
			`font-display: ${display}`,
			`src: url("@fonts/${file}.woff2") format("woff2")`,
			...(place > 0 ? [`unicode-range: ${rangeOf(letters)}`] : []),
		]),
	);

const rangeOf = (letters: string) =>
	[...letters].map((letter) => `U+${letter.codePointAt(0)!.toString(16)}`).join(", ");

/** Writes the fallback fonts, and the widths of the headline, the title and the waitlist position. */
async function writeMeasured(): Promise<void> {
	const { form, headline, confirmation, messages, notFound } = words;
	const display = await openFace("display");
	const ofHeadings: SiteFont = {
		name: "Display",
		font: display,
		style: "bold",
		weight: "800",
		texts: [brand.product, ...headline.lines, ...headline.turning, confirmation.title],
	};
	const rules = [
		fallbackFaces(ofHeadings),
		fallbackFaces({
			name: "Text",
			font: await openFace("text"),
			style: "regular",
			texts: [form.prompt, form.note, confirmation.before, confirmation.after, brand.company],
		}),
		// Without a bold file, browsers synthesize bold from the regular font.
		fallbackFaces({
			name: "Text",
			font: await openFace("text", 600),
			style: "bold",
			weight: "600 700",
			texts: [form.button, form.joining, ...Object.values(messages), notFound.home],
		}),
	];
	await replaceFile(join(cache, "fallbacks.css"), rules.join(""));
	await replaceFile(
		join(cache, "widths.css"),
		widthStyles(words, createTextMeasurer(ofHeadings), display),
	);
}
