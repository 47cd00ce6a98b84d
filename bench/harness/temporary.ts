import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";

const undoing = new Set<() => void>();
const folders = new Set<string>();

// A detached `rm` outlives this process, which Vitest kills 0.5 s after SIGTERM.
process.once("exit", () => {
	for (const undo of undoing) {
		try {
			undo();
		} catch (error) {
			console.error(error);
		}
	}
	if (folders.size > 0)
		spawn("rm", ["-rf", ...folders], { detached: true, stdio: "ignore" }).unref();
});

// Without handlers for these signals, Node ends without the `exit` event.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
	process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/** Runs `undo` once, when the process ends or when the returned function is called. */
export function runAtExit(undo: () => void): () => void {
	const once = () => {
		if (undoing.delete(once)) undo();
	};
	undoing.add(once);
	return once;
}

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
