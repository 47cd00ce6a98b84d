import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";
import { brand } from "../brand.ts";

const cache = resolve("node_modules/.cache/fonts");

/** Printable ASCII, the typographic signs of the texts, and the letters of the brand's names. */
const characters = `${String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))}‘’“”–—…©§•✓→←↑${brand.product}${brand.company}`;

interface Face {
	/** File in a Fontsource package. */
	source: string;
	/** What is kept of each variation axis: a number pins it. */
	axes: Record<string, number | { min: number; max: number }>;
}

/** Read as `url("@fonts/<name>.woff2")` in the style sheets. */
const faces: Record<string, Face> = {
	display: {
		source:
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2",
		axes: { opsz: 60, wght: 800 },
	},
	text: {
		source: "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
		axes: { wght: { min: 400, max: 700 } },
	},
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
		},
	};
}

async function writeFace(name: string, face: Face): Promise<void> {
	const full = await readFile(createRequire(import.meta.url).resolve(face.source));
	const recipe = createHash("sha256").update(full).update(JSON.stringify(face)).update(characters);
	const file = join(cache, `${name}.woff2`);
	const recipeFile = `${file}.recipe`;
	const wanted = recipe.digest("hex");
	if (existsSync(file) && existsSync(recipeFile) && (await readFile(recipeFile, "utf8")) === wanted)
		return;
	const options = { targetFormat: "woff2", variationAxes: face.axes } as const;
	const subset = await subsetFont(full, characters, options);
	// Written under another name and moved, since test workers run this plugin at the same time.
	const draft = `${file}.${process.pid}`;
	await writeFile(draft, subset);
	await rename(draft, file);
	await writeFile(recipeFile, wanted);
}
