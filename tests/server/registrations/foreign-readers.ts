import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { debianProgram, findProgram } from "../../../bench/harness/browsers/find.ts";
import { temporaryFolder } from "../../temporary.ts";

const run = promisify(execFile);

export const sqlite3Program = debianProgram("sqlite3", "SQLITE3_PATH");

const COUNT = "SELECT count(*) FROM registration";

/** Lists programs that open a database, read it and close it. */
export async function findForeignReaders(
	file: string,
): Promise<Record<string, () => Promise<unknown>>> {
	const shell = await findProgram(sqlite3Program);
	const copy = join(await temporaryFolder(), "copy.db");
	return {
		sqlite3: () => run(shell, ["-cmd", ".timeout 10000", file, COUNT]),
		cp: () => run("cp", [file, copy]),
		cat: () => run("sh", ["-c", 'cat "$0" "$0-wal" "$0-shm" > /dev/null', file]),
	};
}

export async function startForeignReaders(file: string): Promise<{ stop(): Promise<unknown> }> {
	const readers = Object.values(await findForeignReaders(file));
	let going = true;
	const gone = (async () => {
		while (going) for (const read of readers) await read().catch(() => {});
	})();
	return {
		stop() {
			going = false;
			return gone;
		},
	};
}
