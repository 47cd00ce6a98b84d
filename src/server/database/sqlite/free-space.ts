import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** With less free space SQLite may soon be unable to write. */
export const LEAST_FREE_BYTES = 100e6;

/** Bytes that are free on the disk of an SQLite file. */
export async function freeBytes(file: string): Promise<number> {
	const { bavail, bsize } = await statfs(dirname(file));
	return bavail * bsize;
}
