import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

/** What has not been undone yet, and which folders have not been removed. */
const undoing = new Set<() => void>();
const folders = new Set<string>();

// Vitest kills a worker half a second after its SIGTERM, and folders take time: a process of their own
// removes them, after the processes that write there have been ended.
process.once("exit", () => {
	for (const undo of undoing) {
		try {
			undo();
		} catch (error) {
			// The others are undone as well.
			console.error(error);
		}
	}
	if (folders.size > 0)
		spawn("rm", ["-rf", ...folders], { detached: true, stdio: "ignore" }).unref();
});

// At these signals Node ends without the `exit` event.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
	process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/**
 * Undoes something when the process ends, however it ends.
 * @returns a function that undoes it now; it is undone once only
 */
export function atExit(undo: () => void): () => void {
	const once = () => {
		if (undoing.delete(once)) undo();
	};
	undoing.add(once);
	return once;
}

/** A new folder for temporary files, which is removed when the process ends at the latest. */
export async function temporaryFolder(
	prefix: string,
): Promise<{ folder: string; remove: () => void }> {
	const folder = await mkdtemp(join(tmpdir(), prefix));
	folders.add(folder);
	return {
		folder,
		remove() {
			folders.delete(folder);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
