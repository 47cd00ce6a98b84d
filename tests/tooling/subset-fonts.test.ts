/* Which letters the site's fonts keep. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildTree } from "../../bench/harness/built-site.ts";
import { openFont } from "../../src/tooling/fallback-fonts.ts";
import { adoptTree } from "../adopted-tree.ts";
import { temporaryFolder } from "../temporary.ts";

test("the fonts keep the letters of the letters' pages and of the legal texts", async () => {
	const tree = await temporaryFolder();
	await adoptTree(tree);
	const edit = async (name: string, from: string, to: string) => {
		const file = join(tree, "src", name);
		const text = await readFile(file, "utf8");
		expect(text).toContain(from);
		await writeFile(file, text.replace(from, to));
	};
	await edit("site/letters/words.ts", '"Enough letters?"', '"Enough letters, señor?"');
	await edit("site/legal/privacy.tsx", "This Privacy Policy", "Læsø 7. This Privacy Policy");
	// Fonts come before all else: there is no need to wait for the rest of the build.
	await edit("brand.ts", 'origin: "https:', 'origin: "http:');
	await expect(buildTree(tree)).rejects.toThrow(/brand\.origin is "http:/);
	for (const name of ["display", "text"]) {
		const { has } = openFont(await readFile(join(tree, `node_modules/.cache/fonts/${name}.ttf`)));
		expect(["ñ", "æ", "ø"].filter((letter) => !has(letter))).toEqual([]);
	}
});
