import { constants, createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { createPrivateFile } from "../../files/private-file.ts";

/** The proof of an erasure. Without the secret nothing in it leads back to the address. */
export interface Erasure {
	/** HMAC-SHA256 of the canonical address with the operator's secret, in hexadecimal. */
	code: string;
	/** ISO 8601 in UTC with milliseconds; never before the time at which the erased person joined. */
	erasedAt: string;
	reason: string;
}

/**
 * How a person leaves: by the button of our page, by that of their mail program (RFC 8058), by calling
 * a letter spam, elsewhere, as an import says, or by asking the founder.
 */
const WAYS_TO_LEAVE = ["button", "one-click", "complaint", "import", "request"] as const;

export type WayToLeave = (typeof WAYS_TO_LEAVE)[number];

/**
 * The reason in a proof that a person left. It is kept as proofs of erasure are, so that no backup,
 * import or move brings a person back whom we no longer write to.
 */
export const reasonOfLeaving = (way: WayToLeave): string => `left by ${way}`;

/** The reasons that tell proofs of leaving from proofs of erasure. Earlier ones do not say how. */
export const REASONS_OF_LEAVING: readonly string[] = [
	"left",
	...WAYS_TO_LEAVE.map(reasonOfLeaving),
];

/** How a person left, as the reason in a proof says; undefined where it does not. */
export function wayToLeave(reason: string): WayToLeave | undefined {
	return WAYS_TO_LEAVE.find((way) => reasonOfLeaving(way) === reason);
}

/** A proof as it stands in the file: one JSON object a line. */
export interface KeptErasure extends Erasure {
	/** Fingerprint of the key that the code is made with. */
	key: string;
}

/** Lines that are read at once. */
const PAGE_LINES = 1000;

/** No line is longer: its reason has at most 100 characters. */
const LINE_BYTES = 4096;

/** Makes the file of proofs outside the database, with those that the database has so far. */
export async function createErasureFile(
	file: string,
	pages: AsyncIterable<readonly Erasure[]>,
	fingerprint: string,
): Promise<void> {
	async function* lines() {
		for await (const page of pages) yield asLines(page, fingerprint);
	}
	await createPrivateFile(file, lines());
}

/**
 * Adds proofs to the file, and resolves when they are synced to disk. Only one program may do so at
 * a time.
 */
export async function appendErasures(
	file: string,
	erasures: readonly Erasure[],
	fingerprint: string,
): Promise<void> {
	if (erasures.length === 0) return;
	const handle = await open(file, constants.O_RDWR | constants.O_APPEND);
	try {
		await cutTornLine(handle);
		await handle.appendFile(asLines(erasures, fingerprint));
		await handle.sync();
	} finally {
		await handle.close();
	}
}

function asLines(erasures: readonly Erasure[], key: string): string {
	return erasures
		.map(({ code, erasedAt, reason }) => `${JSON.stringify({ code, erasedAt, reason, key })}\n`)
		.join("");
}

/** A full disk or a crash may have left half a line. Nobody has a receipt for it. */
async function cutTornLine(handle: FileHandle): Promise<void> {
	const { size } = await handle.stat();
	const from = Math.max(0, size - LINE_BYTES);
	const { buffer, bytesRead } = await handle.read(Buffer.alloc(LINE_BYTES), 0, LINE_BYTES, from);
	const end = from + buffer.subarray(0, bytesRead).lastIndexOf("\n") + 1;
	if (end < size) await handle.truncate(end);
}

/**
 * Reads all proofs of the file, a page at a time.
 *
 * @throws Error with a sentence for the operator when a line is not a proof. Half a line at the end
 *   is none: the erasure did not happen.
 */
export async function* readErasureFile(file: string): AsyncGenerator<KeptErasure[]> {
	const input = createReadStream(file);
	let page: KeptErasure[] = [];
	let number = 0;
	let torn = 0;
	for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
		number += 1;
		if (torn > 0) throw new Error(`Line ${torn} of ${file} is not a proof of erasure.`);
		const erasure = parseErasure(line);
		if (!erasure) torn = number;
		else if (page.push(erasure) === PAGE_LINES) {
			yield page;
			page = [];
		}
	}
	if (page.length > 0) yield page;
}

function parseErasure(line: string): KeptErasure | undefined {
	try {
		const { code, erasedAt, reason, key } = JSON.parse(line) as Record<string, unknown>;
		const texts = [code, erasedAt, reason, key];
		if (!texts.every((text) => typeof text === "string")) return undefined;
		return { code, erasedAt, reason, key } as KeptErasure;
	} catch {
		return undefined;
	}
}
