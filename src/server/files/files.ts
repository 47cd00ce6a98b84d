import { existsSync, statSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Readable } from "node:stream";
import { withPartialFile } from "./partial-file.ts";

/** What the codes of the system mean for the operator. */
const reasons: Readonly<Record<string, () => string>> = {
	EACCES: () => `user ${process.getuid?.()} has no right to it`,
	EDQUOT: () => "the disk's quota is used up",
	EEXIST: () => "it is already there",
	EFBIG: () => "it is too large for this file system",
	EIO: () => "the disk fails",
	EISDIR: () => "it is a folder",
	ENOENT: () => "there is no such file or folder",
	ENOSPC: () => "the disk is full",
	ENOTDIR: () => "a part of its path is not a folder",
	EPERM: () => "the system does not permit it",
	EROFS: () => "the disk is read-only",
};

/** Why something failed, to end a sentence with. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return reasons[(error as NodeJS.ErrnoException).code ?? ""]?.() ?? error.message;
}

/** Says to the operator in a sentence what went wrong. An error without a code is such a sentence. */
export function sentenceOf(error: unknown): string {
	const { code, path } = error as NodeJS.ErrnoException;
	if (path === undefined || reasons[code ?? ""] === undefined) return reasonOf(error);
	return `${path} cannot be used: ${reasonOf(error)}.`;
}

/**
 * Opens a file of the operator's.
 *
 * @throws Error with a sentence for the operator when it is missing, closed to this user or a folder
 */
export async function openToRead(file: string): Promise<Readable> {
	try {
		const handle = await open(file);
		if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
		await handle.close();
		throw new Error("it is a folder");
	} catch (error) {
		throw new Error(`${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
	}
}

/** @throws Error with a sentence for the operator when the name of a new file is taken */
export function refuseTaken(file: string): void {
	if (existsSync(file)) throw new Error(`${file} is already there, and is not overwritten.`);
}

/** Writes a text, and resolves when more can be taken. */
export type Write = (text: string) => Promise<void>;

/**
 * Writes a new file, readable for its owner only. It gets its name when all of it is on disk.
 *
 * @throws Error with a sentence for the operator when the name is taken or the file cannot be written
 */
export async function writeNewFile<Result>(
	file: string,
	work: (write: Write) => Promise<Result>,
): Promise<Result> {
	refuseTaken(file);
	becomeOwnerOf(file);
	const cannotWrite = (error: unknown): never => {
		throw new Error(`${file} cannot be written: ${reasonOf(error)}.`, { cause: error });
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

/**
 * Root becomes the owner of the folder of a file, so that the server, which runs as that user, can
 * use what a command creates there. Where the folder is root's, its file says who the user is.
 *
 * @param file path; the nearest folder that exists counts
 * @throws Error with a sentence for the operator when root may not become that user
 */
export function becomeOwnerOf(file: string): void {
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
			`${folder} belongs to user ${owner.uid}, whom this process may not become: ` +
				`run the command as that user. (${reasonOf(error)})`,
			{ cause: error },
		);
	}
}
