import { randomUUID } from "node:crypto";
import { link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a file that only its owner can read, complete or not at all: a full disk or a crash leaves
 * none. A file that is there already is never replaced.
 *
 * @returns whether the file was made; false when there was one
 * @throws the error of the file system
 */
export async function createPrivateFile(
	file: string,
	chunks: AsyncIterable<string> | Iterable<string>,
): Promise<boolean> {
	const partial = `${file}.${randomUUID()}.new`;
	const handle = await open(partial, "wx", 0o600);
	try {
		for await (const chunk of chunks) await handle.appendFile(chunk);
		await handle.sync();
		// Unlike a renamed file, a linked one never replaces another.
		await link(partial, file);
		await syncPath(dirname(file));
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
		throw error;
	} finally {
		await handle.close();
		await rm(partial, { force: true });
	}
}

/** Syncs a file, or a folder: the name of a new file in it is on disk only after that. */
export async function syncPath(path: string): Promise<void> {
	const opened = await open(path);
	await opened.sync().finally(() => opened.close());
}
