import { constants, createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { createPrivateFile } from "../../files/files.ts";

/** `key` is the fingerprint of the secret key. Without that key, `hash` cannot be traced to an address. */
export interface Suppression {
	hash: string;
	/** ISO 8601 in UTC with milliseconds. Not before a deleted person's join: it does not apply to later joins. */
	at: string;
	reason: string;
	key: string;
}

/** `one-click` is the mail app's own button (RFC 8058). `request`: the person asked the founder. */
const UNSUBSCRIBE_WAYS = ["button", "one-click", "complaint", "import", "request"] as const;

export type UnsubscribeWay = (typeof UNSUBSCRIBE_WAYS)[number];

/** Prefix of the reason for unsubscribed people. Deleted people have other reasons. */
export const UNSUBSCRIBED_PREFIX = "unsubscribed by ";

export const unsubscribeWay = (reason: string): UnsubscribeWay | undefined =>
	UNSUBSCRIBE_WAYS.find((way) => reason === UNSUBSCRIBED_PREFIX + way);

/** Longer than any line: reasons have at most 100 characters. */
const LINE_BYTES = 4096;

export async function createSuppressionFile(
	file: string,
	pages: AsyncIterable<readonly Suppression[]>,
): Promise<void> {
	async function* lines() {
		for await (const page of pages) yield asLines(page);
	}
	await createPrivateFile(file, lines());
}

/** Resolves once the entries are on disk. Only one process may append at a time. */
export async function appendSuppressions(
	file: string,
	entries: readonly Suppression[],
): Promise<void> {
	if (entries.length === 0) return;
	const handle = await open(file, constants.O_RDWR | constants.O_APPEND);
	try {
		const { end, size } = await readEnd(handle);
		// A crash or a full disk may leave part of a line.
		if (end < size) await handle.truncate(end);
		await handle.appendFile(asLines(entries));
		await handle.sync();
	} finally {
		await handle.close();
	}
}

const asLines = (entries: readonly Suppression[]) =>
	entries
		.map(({ hash, at, reason, key }) => `${JSON.stringify({ hash, at, reason, key })}\n`)
		.join("");

async function readEnd(handle: FileHandle) {
	const { size } = await handle.stat();
	const from = Math.max(0, size - LINE_BYTES);
	const { buffer, bytesRead } = await handle.read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, from);
	const length = buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
	const line = buffer.toString("utf8", 0, length).trimEnd().split("\n").at(-1)!;
	return { line, end: from + length, size };
}

export async function readLastSuppression(file: string): Promise<Suppression | undefined> {
	const handle = await open(file);
	const { line } = await readEnd(handle).finally(() => handle.close());
	return parseSuppression(line);
}

/** Ignores a partial last line. @throws Error that names any other invalid line */
export async function* readSuppressionFile(file: string): AsyncGenerator<Suppression[]> {
	const input = createReadStream(file);
	let page: Suppression[] = [];
	let number = 0;
	let torn = 0;
	for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
		number += 1;
		if (torn > 0) throw new Error(`Line ${torn} of ${file} is not a suppression list entry.`);
		const entry = parseSuppression(line);
		if (!entry) torn = number;
		else if (page.push(entry) === 1000) {
			yield page;
			page = [];
		}
	}
	if (page.length > 0) yield page;
}

function parseSuppression(line: string): Suppression | undefined {
	try {
		const { hash, at, reason, key } = JSON.parse(line) as Suppression;
		const isEntry = [hash, at, reason, key].every((text) => typeof text === "string");
		return isEntry ? { hash, at, reason, key } : undefined;
	} catch {
		return undefined;
	}
}
