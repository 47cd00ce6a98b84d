import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

/** What is still to be undone. */
const undoing = new Set<() => void>();

process.once("exit", () => {
	for (const undo of undoing) undo();
});

// Node ends at these signals without a word to `exit`.
for (const signal of ["SIGINT", "SIGTERM"] as const)
	process.once(signal, () => process.exit(128 + constants.signals[signal]));

/**
 * Undoes something when the process ends, however it ends.
 * @returns a function that does it now, and no more than once
 */
export function atExit(undo: () => void): () => void {
	const once = () => {
		if (undoing.delete(once)) undo();
	};
	undoing.add(once);
	return once;
}

/** A new folder of the system's temporary ones, which is removed at the end. */
export async function temporaryFolder(
	prefix: string,
): Promise<{ folder: string; remove: () => void }> {
	const folder = await mkdtemp(join(tmpdir(), prefix));
	return { folder, remove: atExit(() => rmSync(folder, { recursive: true, force: true })) };
}
