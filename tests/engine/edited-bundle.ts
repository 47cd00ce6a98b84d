import { runInNewContext } from "node:vm";
import type { Plugin } from "vite";
import { bundleModule } from "../../bench/harness/bundle.ts";

/**
 * Replaces `from` in a bundled file.
 * @throws Error while bundling unless `from` occurs exactly once
 */
export function editFile(file: string, from: string, to: string): Plugin {
	return {
		name: "edit-file",
		enforce: "pre",
		transform(code, id) {
			if (!id.endsWith(file)) return;
			if (code.split(from).length !== 2) {
				throw new Error(`${file} has "${from}" no longer exactly once: adapt the test's edit.`);
			}
			return { code: code.replace(from, () => to), map: null };
		},
	};
}

/** One replacement in a file of engine/simulation; `from` must occur exactly once. */
export type Edit = readonly [file: string, from: string, to: string];

export async function bundleEdited<Exports>(
	entry: string,
	edits: readonly Edit[],
): Promise<Exports> {
	const plugins = edits.map(([file, ...edit]) => editFile(`engine/simulation/${file}`, ...edit));
	return runInNewContext(`${await bundleModule(entry, plugins)}\nbundle`) as Exports;
}
