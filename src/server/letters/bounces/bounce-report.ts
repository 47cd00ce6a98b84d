import type { Email } from "postal-mime";
import { subjectOf } from "../smtp/status.ts";

/** That a letter has come back for good. */
export interface BounceReport {
	/** The letter's id. */
	letter: string;
	/** Whether the mailbox does not exist. A full one, or a policy, is no reason to give it up. */
	permanent: boolean;
	/** The enhanced status code: "5.1.1". */
	status: string;
}

/**
 * Reports are small: of a longer message the rest is a copy of the letter. Parsing what is made for it
 * takes seconds and half a gigabyte for each megabyte.
 */
const MOST_BYTES = 131_072;

/** Where mail servers write whom a message was sent to, best first. */
const RECIPIENT_HEADERS = ["x-original-to", "delivered-to", "envelope-to", "to"];

/**
 * Reads a message that came to the address of bounces. Whatever it says, it is about the letter in
 * that address, because only we can make one. A message to any other address is not parsed.
 *
 * @param message the message as the mail server has it; it is read to its end
 * @param readBounce reads such an address: see links.ts
 * @param recipient whom the message was sent to, where the mail server tells; otherwise its headers do
 * @returns undefined for what is no report of ours, as an absence or a delay
 */
export async function readBounceReport(
	message: AsyncIterable<Uint8Array>,
	readBounce: (address: string) => string | undefined,
	recipient?: string,
): Promise<BounceReport | undefined> {
	const raw = await firstBytes(message);
	const letter = (recipient === undefined ? recipientsIn(raw) : [recipient])
		.map(readBounce)
		.find((letter) => letter !== undefined);
	if (!letter) return undefined;
	const { default: PostalMime } = await import("postal-mime");
	// What cannot be read as a message is not a report.
	const email = await PostalMime.parse(raw, { forceRfc822Attachments: true }).catch(
		() => undefined,
	);
	const status = email && statusOf(email);
	return status ? { letter, permanent: subjectOf(status) === "mailbox", status } : undefined;
}

/** Reads to the end, so that no mail server fails to write, and keeps the beginning. */
async function firstBytes(message: AsyncIterable<Uint8Array>): Promise<Buffer> {
	const kept: Uint8Array[] = [];
	let room = MOST_BYTES;
	for await (const bytes of message) {
		if (room > 0) kept.push(bytes.subarray(0, room));
		room -= bytes.length;
	}
	return Buffer.concat(kept);
}

/** Whom a message was sent to, best first, as its header says. */
function recipientsIn(raw: Buffer): string[] {
	const [header = ""] = raw.toString("latin1").split(/\r?\n\r?\n/, 1);
	return RECIPIENT_HEADERS.flatMap((name) => fields(header, name));
}

/** The status of a report that delivery has failed (RFC 3464), if the message is one. */
function statusOf({ headers, attachments }: Email): string | undefined {
	const type = headers.find(({ key }) => key === "content-type")?.value ?? "";
	if (!/^\s*multipart\/report\s*(?:;|$)/i.test(type)) return undefined;
	const part = attachments.find(({ mimeType }) => mimeType === "message/delivery-status");
	if (!part) return undefined;
	const text = Buffer.from(part.content as ArrayBuffer).toString("latin1");
	// Each recipient has a block. A letter has one recipient.
	for (const block of text.split(/\r?\n[ \t]*\r?\n/)) {
		if (/^failed\b/i.test(field(block, "action"))) return statusIn(block);
	}
	return undefined;
}

/** Some servers say 5.0.0, and the code that they were given elsewhere. */
function statusIn(block: string): string | undefined {
	const code = /\b[45]\.\d{1,3}\.\d{1,3}\b/;
	const said = code.exec(field(block, "status"))?.[0];
	const given = code.exec(field(block, "diagnostic-code"))?.[0];
	return !said || said.endsWith(".0.0") ? (given ?? said) : said;
}

/** The value of a field, or "". */
function field(block: string, name: string): string {
	return fields(block, name)[0] ?? "";
}

/** The values of all fields of a name. A value may go on in lines that begin with a space. */
function fields(block: string, name: string): string[] {
	const lines = block.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
	return lines
		.filter((text) => text.toLowerCase().startsWith(`${name}:`))
		.map((text) => text.slice(name.length + 1).trim());
}
