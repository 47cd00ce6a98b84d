import { randomUUID } from "node:crypto";
import { existsSync, rmSync, statSync } from "node:fs";
import { link, open, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { HOUR_MS } from "../time.ts";

const NOT_A_FOLDER = "part of its path is not a folder";

const reasons: Readonly<Record<string, () => string>> = {
	EACCES: () => `user ${process.getuid?.()} has no permission`,
	// mkdir found a file with the folder's name.
	EEXIST: () => NOT_A_FOLDER,
	EFBIG: () => "it is too large for this file system",
	EDQUOT: () => "the disk quota is used up",
	EISDIR: () => "it is a folder",
	ENOENT: () => "there is no such file or folder",
	ENOSPC: () => "the disk is full",
	ENOTDIR: () => NOT_A_FOLDER,
	EPERM: () => "the operation is not permitted",
	EROFS: () => "the disk is read-only",
};

/** Returns the reason for a failure, as the end of a sentence. */
export function failureReason(error: unknown): string {
	// Node wraps connection failures to several IP addresses in one error.
	if (error instanceof AggregateError) return failureReason(error.errors[0]);
	if (!(error instanceof Error)) return String(error);
	return reasons[(error as NodeJS.ErrnoException).code ?? ""]?.() ?? error.message;
}

export function failureSentence(error: unknown): string {
	const { code, path } = error as NodeJS.ErrnoException;
	if (path === undefined || reasons[code ?? ""] === undefined) return failureReason(error);
	return `${path} cannot be used: ${failureReason(error)}.`;
}

export async function openToRead(file: string): Promise<Readable> {
	try {
		const handle = await open(file);
		if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
		await handle.close();
		throw new Error("it is a folder");
	} catch (error) {
		throw new Error(`${file} cannot be read: ${failureReason(error)}.`, { cause: error });
	}
}

export const fileSizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export function refuseExistingFile(file: string): void {
	if (existsSync(file)) throw new Error(`${file} already exists. Choose another name.`);
}

const SUFFIXES = ["", "-journal", "-wal", "-shm"];

const PARTIAL = /\.[\da-f-]{36}\.partial(?:-journal|-wal|-shm)?$/;

/** At these signals, Node exits without running `finally`. */
const ENDING = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** Calls `work` with the name of a temporary file next to `file`, and always removes it afterward. */
export async function withPartialFile<Result>(
	file: string,
	work: (partial: string) => Promise<Result>,
): Promise<Result> {
	await removeStalePartialFiles(dirname(file));
	const partial = `${file}.${randomUUID()}.partial`;
	const remove = () => {
		for (const suffix of SUFFIXES) rmSync(partial + suffix, { force: true });
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

export async function removeStalePartialFiles(folder: string): Promise<void> {
	for (const name of await readdir(folder).catch(() => [])) {
		const file = join(folder, name);
		const found = PARTIAL.test(name) && (await stat(file).catch(() => undefined));
		if (found && Date.now() - found.mtimeMs > HOUR_MS) await rm(file, { force: true });
	}
}

export type WriteText = (text: string) => Promise<void>;

/** Writes a file that only its owner may read, and renames it into place when it is on disk. */
export async function writeNewFile<Result>(
	file: string,
	work: (write: WriteText) => Promise<Result>,
): Promise<Result> {
	refuseExistingFile(file);
	runAsOwnerOf(file);
	const cannotWrite = (error: unknown): never => {
		throw new Error(`${file} cannot be written: ${failureReason(error)}.`, { cause: error });
	};
	return withPartialFile(file, async (partial) => {
		const handle = await open(partial, "wx", 0o600).catch(cannotWrite);
		try {
			const result = await work((text) => handle.writeFile(text).catch(cannotWrite));
			await handle.sync().catch(cannotWrite);
			await rename(partial, file).catch(cannotWrite);
			return result;
		} finally {
			await handle.close();
		}
	});
}

/** Atomically creates a file that only its owner may read. Returns false if it already exists. */
export const createPrivateFile = (
	file: string,
	chunks: AsyncIterable<string> | Iterable<string>,
): Promise<boolean> =>
	withPartialFile(file, async (partial) => {
		const handle = await open(partial, "wx", 0o600);
		try {
			for await (const chunk of chunks) await handle.appendFile(chunk);
			await handle.sync();
			// Unlike a rename, a link never replaces another file.
			await link(partial, file);
			await syncPath(dirname(file));
			return true;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
			throw error;
		} finally {
			await handle.close();
		}
	});

/** Syncs a file. Syncing a folder makes the names of new files durable. */
export async function syncPath(path: string): Promise<void> {
	const opened = await open(path);
	await opened.sync().finally(() => opened.close());
}

/** If run as root, switches to the owner of the file or its folder: the server's user. */
export function runAsOwnerOf(file: string): void {
	if (process.getuid?.() !== 0) return;
	let folder = dirname(resolve(file));
	while (!existsSync(folder)) folder = dirname(folder);
	const owner = [folder, file]
		.map((path) => statSync(path, { throwIfNoEntry: false }))
		.find((stat) => stat !== undefined && stat.uid !== 0);
	if (!owner) return;
	try {
		process.setgroups!([owner.gid]);
		process.setgid!(owner.gid);
		process.setuid!(owner.uid);
	} catch (error) {
		throw new Error(
			`${folder} belongs to user ${owner.uid}, and this process cannot switch to that user: ` +
				`run the command as that user. (${failureReason(error)})`,
			{ cause: error },
		);
	}
}

const LEAST_FREE_BYTES = 100e6;

export async function checkFreeSpace(file: string) {
	const { bavail, bsize } = await statfs(dirname(file));
	const free = bavail * bsize;
	const size = free >= 1e9 ? `${(free / 1e9).toFixed(1)} GB` : `${Math.floor(free / 1e6)} MB`;
	return { name: "Disk", ok: free > LEAST_FREE_BYTES, found: `${size} free` };
}
