import { runInNewContext } from "node:vm";
import { bundleModule } from "../../bench/harness/bundle.ts";
import { editFile } from "../edit-file.ts";

/** One replacement in a file of engine/simulation; `from` must occur exactly once. */
export type Edit = readonly [file: string, from: string, to: string];

/** Returns the exports of an entry that is bundled with these edits. */
export async function bundleEdited<Exports>(
	entry: string,
	edits: readonly Edit[],
): Promise<Exports> {
	const plugins = edits.map(([file, ...edit]) => editFile(`engine/simulation/${file}`, ...edit));
	return runInNewContext(`${await bundleModule(entry, plugins)}\nbundle`) as Exports;
}
