import { appendFile, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildProduct } from "../../bench/harness/built-site.ts";
import { openFont } from "../../src/tooling/fonts/open-font.ts";
import { subsetFace } from "../../src/tooling/fonts/subset-face.ts";
import { copyAdoptedTree } from "../adopted-tree.ts";
import { temporaryFolder } from "../temporary.ts";

test("the fonts keep the characters of the pages behind email links and of the legal texts", {
	tags: "slow",
}, async () => {
	const tree = await temporaryFolder();
	await copyAdoptedTree(tree);
	await appendFile(join(tree, "src/words/ours.ts"), "// señor\n");
	await appendFile(join(tree, "src/site/legal/terms.tsx"), "// Læsø\n");
	// To save time, an invalid origin stops the build after it has written the fonts.
	const brand = join(tree, "src/brand.ts");
	const text = await readFile(brand, "utf8");
	await writeFile(brand, text.replace('origin: "https:', 'origin: "http:'));
	await expect(buildProduct(tree)).rejects.toThrow(/brand\.origin is "http:/);
	for (const name of ["display", "text"]) {
		const { has } = openFont([await readFile(join(tree, `node_modules/.cache/fonts/${name}.ttf`))]);
		expect(["ñ", "æ", "ø"].filter((letter) => !has(letter))).toEqual([]);
	}
});

const figtree = await Promise.all(
	["latin", "latin-ext"].map((script) =>
		readFile(
			createRequire(import.meta.url).resolve(
				`@fontsource-variable/figtree/files/figtree-${script}-wght-normal.woff2`,
			),
		),
	),
);

const lettersOf = async (text: string) =>
	(await subsetFace(figtree, text, { wght: 800 })).map(({ letters }) => letters);

test("an unused script has no file", async () => {
	expect(await lettersOf("Zagiel Möwe✨")).toEqual(["Zagiel Möwe"]);
	expect(await lettersOf("Żagiel")).toEqual(["agiel", "Ż"]);
	expect(await lettersOf("Işık İ")).toEqual(["Iık ", "şİ"]);
});

test("a face of two files is as wide as its parts, and as high as its ink", async () => {
	const cuts = await subsetFace(figtree, "Żagiely", { wght: 800 });
	const [whole, latin, other] = [cuts, cuts.slice(0, 1), cuts.slice(1)].map((files) =>
		openFont(files.map(({ ttf }) => ttf)),
	);
	expect([..."Ży"].map((letter) => whole!.has(letter))).toEqual([true, true]);
	expect(whole!.widthOf([..."Żagiel"])).toBeCloseTo(
		other!.widthOf(["Ż"]) + latin!.widthOf([..."agiel"]),
	);
	// Measures a dot above a capital, and a descender.
	expect(whole!.inkOf("Ż").above).toBeGreaterThan(whole!.inkOf("l").above + 0.1);
	expect(whole!.inkOf("y").below).toBeGreaterThan(whole!.inkOf("a").below + 0.1);
});
