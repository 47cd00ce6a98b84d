import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Manifest } from "vite";
import type { MeasuredRow } from "../row.ts";

const ENGINE = "engine/index.ts";

/** @throws Error if the site in `tree` is not built, or has no engine */
export async function measureBytes(tree: string): Promise<MeasuredRow[]> {
	const site = join(tree, "dist/site");
	const text = await readFile(join(site, ".vite/manifest.json"), "utf8").catch(() => {
		throw new Error(`${tree} is not built: npm run build`);
	});
	const manifest = JSON.parse(text) as Manifest;
	if (!manifest[ENGINE]) throw new Error(`The build in ${site} has no ${ENGINE}.`);
	const weigh = async (files: Set<string>) => {
		const sizes = await Promise.all([...files].map((file) => stat(join(site, `${file}.br`))));
		return sizes.reduce((sum, { size }) => sum + size, 0);
	};
	return [
		{ tier: "bytes", name: "engine in a worker", values: [await weigh(filesOf(manifest, false))] },
		{ tier: "bytes", name: "engine, all files", values: [await weigh(filesOf(manifest, true))] },
	];
}

/** With `later`, includes files that load on demand, for browsers without WebGL in workers. */
function filesOf(manifest: Manifest, later: boolean): Set<string> {
	const seen = new Set<string>();
	const files = new Set<string>();
	const visit = (name: string) => {
		const chunk = manifest[name];
		if (!chunk || seen.has(name)) return;
		seen.add(name);
		for (const file of [chunk.file, ...(chunk.assets ?? [])]) files.add(file);
		for (const needed of chunk.imports ?? []) visit(needed);
		if (later) for (const needed of chunk.dynamicImports ?? []) visit(needed);
	};
	visit(ENGINE);
	return files;
}
