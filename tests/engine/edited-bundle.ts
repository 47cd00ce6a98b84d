import { runInNewContext } from "node:vm";
import { bundleModule } from "../../bench/harness/bundle.ts";

/** One replacement in a file of engine/simulation; `from` must occur exactly once. */
export type Edit = readonly [file: string, from: string, to: string];

/** Returns the exports of an entry that is bundled with these edits. */
export async function bundleEdited<Exports>(
	entry: string,
	edits: readonly Edit[],
): Promise<Exports> {
	const edit = {
		name: "edit",
		enforce: "pre",
		transform: (code: string, id: string) =>
			edits
				.filter(([file]) => id.endsWith(`simulation/${file}`))
				.reduce((edited, [, from, to]) => {
					if (edited.split(from).length !== 2) throw new Error(`"${from}" is not there once.`);
					return edited.replace(from, () => to);
				}, code),
	} as const;
	return runInNewContext(`${await bundleModule(entry, [edit])}\nbundle`) as Exports;
}
