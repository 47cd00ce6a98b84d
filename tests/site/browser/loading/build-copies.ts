import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A copy of the built product that a test may damage. */
export interface BuildCopy {
	/** Path of its server's program. */
	main: string;
	/** Removes the scripts whose names fit, compressed ones included. */
	remove(names: RegExp): Promise<void>;
}

/** Copies `dist` to a folder where the server still finds its packages. The copy is removed with the test. */
export async function copyBuild(): Promise<BuildCopy> {
	const cache = "node_modules/.cache/build-copies";
	await mkdir(cache, { recursive: true });
	const folder = await mkdtemp(join(cache, "build-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	await cp("dist", join(folder, "dist"), { recursive: true });
	await writeFile(join(folder, "package.json"), `{ "type": "module" }`);
	const assets = join(folder, "dist/site/assets");
	return {
		main: join(process.cwd(), folder, "dist/server/main.js"),
		async remove(names) {
			const found = (await readdir(assets)).filter((name) => names.test(name));
			if (found.length === 0) throw new Error(`No script of the build fits ${names}.`);
			for (const name of found) await rm(join(assets, name));
		},
	};
}

/**
 * The product as a later build would write it: the same pages, with other names for all scripts. None
 * of the names that an open page knows is left.
 */
export async function copyAsLaterBuild(): Promise<BuildCopy> {
	const copy = await copyBuild();
	const dist = join(copy.main, "../..");
	const renamed = new Map(
		(await readdir(join(dist, "site/assets")))
			.filter((name) => name.endsWith(".js"))
			.map((name, index) => [name, name.replace(/-[\w-]{8}\.js$/, `-later${index}.js`)]),
	);
	for (const folder of ["site", "site/assets", "outcomes"]) {
		for (const name of await readdir(join(dist, folder))) {
			const file = join(dist, folder, name);
			if (/\.(br|gz)$/.test(name)) await rm(file);
			if (!/\.(html|js)$/.test(name)) continue;
			let text = await readFile(file, "utf8");
			for (const [before, after] of renamed) text = text.replaceAll(before, after);
			await writeFile(file, text);
			await rename(file, join(dist, folder, renamed.get(name) ?? name));
		}
	}
	return copy;
}
