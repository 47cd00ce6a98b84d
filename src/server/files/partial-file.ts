import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DAY_MS } from "../time.ts";

const JOURNALS = ["-journal", "-wal", "-shm"];

const PARTIAL = /\.(\d+)-[0-9a-f-]{36}\.partial(?:-journal|-wal|-shm)?$/;

/** After this, the process ID in a partial file may have been reused. */
const STALE_MS = DAY_MS;

/** At these signals, Node exits without running `finally`. */
const ENDING = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/**
 * Calls `work` with the name of a temporary file next to a file, and always removes it, even on failure or
 * interruption. First removes those of killed commands.
 */
export async function withPartialFile<Result>(
	file: string,
	work: (partial: string) => Promise<Result>,
): Promise<Result> {
	await removeLeftPartialFiles(dirname(file));
	const partial = `${file}.${process.pid}-${randomUUID()}.partial`;
	const remove = () => {
		for (const ending of ["", ...JOURNALS]) rmSync(partial + ending, { force: true });
	};
	const removeAndEnd = (signal: NodeJS.Signals) => {
		remove();
		process.kill(process.pid, signal);
	};
	for (const signal of ENDING) process.once(signal, removeAndEnd);
	try {
		return await work(partial);
	} finally {
		remove();
		for (const signal of ENDING) process.off(signal, removeAndEnd);
	}
}

export async function removeLeftPartialFiles(folder: string): Promise<void> {
	const names = await readdir(folder).catch(() => []);
	for (const name of names) {
		const [, processId] = PARTIAL.exec(name) ?? [];
		if (processId === undefined) continue;
		const file = join(folder, name);
		const found = await stat(file).catch(() => undefined);
		if (!found) continue;
		if (isRunning(Number(processId)) && Date.now() - found.mtimeMs < STALE_MS) continue;
		await rm(file, { force: true });
	}
}

function isRunning(processId: number): boolean {
	try {
		return process.kill(processId, 0);
	} catch (error) {
		// Running, as another user.
		return (error as NodeJS.ErrnoException).code === "EPERM";
	}
}
