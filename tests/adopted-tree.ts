import { cp, mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const LEFT = ["node_modules", "dist", "data", ".git"];

/**
 * Copies the project into an empty folder and changes what a founder changes for another product:
 * brand, words, service and the country's legal texts.
 */
export async function copyAdoptedTree(folder: string): Promise<void> {
	const root = process.cwd();
	const filter = (source: string) => !LEFT.includes(basename(source));
	await cp(root, folder, { recursive: true, filter });
	await cp(join(root, "tests/another-brand.ts"), join(folder, "src/brand.ts"));
	const words = join(folder, "src/words");
	await rename(join(words, "en.ts"), join(words, "ours.ts"));
	await cp(join(root, "tests/another-words.ts"), join(words, "another.ts"));
	await writeFile(
		join(words, "en.ts"),
		'export * from "./ours.ts";\nexport { words } from "./another.ts";\n',
	);
	await cp(join(root, "tests/another-service.ts"), join(folder, "src/service.ts"));
	const law = join(folder, "src/site/legal/local-law.ts");
	await writeFile(law, 'export { europeanUnion as localLaw } from "./places/european-union.ts";\n');
	// Does not link .cache, where the copy's build would overwrite the original's fonts.
	await mkdir(join(folder, "node_modules"));
	for (const name of await readdir(join(root, "node_modules"))) {
		if (!name.startsWith(".") || name === ".bin") {
			await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
		}
	}
}
