import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Copies the product with renamed scripts, as from a later build, until the test ends.
 * @returns path of its server's program, in a folder from which packages resolve
 */
export async function copyAsLaterBuild(): Promise<string> {
	const cache = "node_modules/.cache/build-copies";
	await mkdir(cache, { recursive: true });
	const folder = await mkdtemp(join(cache, "build-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	const dist = join(folder, "dist");
	await cp("dist", dist, { recursive: true });
	await writeFile(join(folder, "package.json"), `{ "type": "module" }`);
	const renamed = new Map(
		(await readdir(join(dist, "site/assets")))
			.filter((name) => name.endsWith(".js"))
			.map((name, index) => [name, name.replace(/-[\w-]{8}\.js$/, `-later${index}.js`)]),
	);
	for (const part of ["site", "site/assets", "outcomes"]) {
		for (const name of await readdir(join(dist, part))) {
			const file = join(dist, part, name);
			if (/\.(br|gz)$/.test(name)) await rm(file);
			if (!/\.(html|js)$/.test(name)) continue;
			let text = await readFile(file, "utf8");
			for (const [before, after] of renamed) text = text.replaceAll(before, after);
			await writeFile(file, text);
			await rename(file, join(dist, part, renamed.get(name) ?? name));
		}
	}
	return join(process.cwd(), dist, "server/main.js");
}
