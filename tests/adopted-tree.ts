import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** What is not the project's own, or is made anew. */
const LEFT = ["node_modules", "dist", "data", ".git"];

/**
 * Copies the project into an empty folder, as it is where it was adopted for another product:
 * tests/another-brand.ts and tests/another-service.ts are its brand, and its law is that of the European
 * Union.
 */
export async function adoptTree(folder: string): Promise<void> {
	const root = process.cwd();
	const filter = (source: string) => !LEFT.includes(basename(source));
	await cp(root, folder, { recursive: true, filter });
	await cp(join(root, "tests/another-brand.ts"), join(folder, "src/brand.ts"));
	await cp(join(root, "tests/another-service.ts"), join(folder, "src/service.ts"));
	const place = join(folder, "src/site/legal/place.ts");
	await writeFile(place, 'export { europeanUnion as place } from "./places/european-union.ts";\n');
	// All packages, but no cache: the build writes its fonts there.
	await mkdir(join(folder, "node_modules"));
	for (const name of await readdir(join(root, "node_modules"))) {
		if (!name.startsWith(".") || name === ".bin") {
			await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
		}
	}
}
