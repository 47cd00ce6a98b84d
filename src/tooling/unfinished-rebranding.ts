import { readFileSync } from "node:fs";
import { brand } from "../brand.ts";
import { words } from "../words/en.ts";
import { brandHash, logoSvg } from "./photograph/brand-hash.ts";

/** Finds parts that still show the default brand, Orbit. Each line names the file or command to change. */
export function* findUnfinishedRebranding() {
	if (brand.product !== "Orbit") {
		for (const [path, text] of listTexts({ brand, words })) {
			const file = path.startsWith("words") ? "src/words/en.ts" : "src/brand.ts";
			if (/\borbit\b/i.test(text)) yield `${file}: ${path} is still "${text}"`;
		}
		if (logoSvg.includes("<title>Orbit</title>")) yield "src/site/mark.svg is still Orbit's logo";
	}
	// `npm run photograph` writes this file last: if its hash is current, so are all pictures.
	if (!readFileSync("src/site/styles/sphere.css", "utf8").includes(brandHash))
		yield "sharing pictures and icons are out of date: run npm run photograph";
}

export function listTexts(value: unknown, path = ""): [path: string, text: string][] {
	if (typeof value === "string") return [[path, value]];
	return Object.entries(value as object).flatMap(([name, part]) =>
		listTexts(part, path ? `${path}.${name}` : name),
	);
}
