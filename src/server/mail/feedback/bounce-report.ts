import type { Email } from "postal-mime";
import { statusIn, subjectOf } from "../smtp/status.ts";

/** A letter that came back for good. */
export interface MailedBounce {
	/** The letter's id. */
	letter: string;
	/** See {@link subjectOf}: a full mailbox, or a policy, is no reason to give an address up. */
	subject: ReturnType<typeof subjectOf>;
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
 * that address, because only we can make one. A message to another address is not parsed.
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
): Promise<MailedBounce | undefined> {
	const raw = await firstBytes(message);
	const addresses = recipient === undefined ? recipientsIn(raw) : [recipient];
	const letter = addresses.map(readBounce).find((id) => id !== undefined);
	if (!letter) return undefined;
	const { default: PostalMime } = await import("postal-mime");
	// What cannot be read as a message is not a report.
	const email = await PostalMime.parse(raw, { forceRfc822Attachments: true }).catch(
		() => undefined,
	);
	if (!email || !isReport(email)) return undefined;
	const said = failureIn(partOf(email, "message/delivery-status") ?? "");
	const status = said && statusIn(...said);
	if (!status) return undefined;
	return { letter, subject: subjectOf(status, said.join(" ")), status };
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

/** Whether a message is a report (RFC 6522), of whatever. */
function isReport({ headers }: Email): boolean {
	const type = headers.find(({ key }) => key === "content-type")?.value ?? "";
	return /^\s*multipart\/report\s*(?:;|$)/i.test(type);
}

function partOf({ attachments }: Email, type: string): string | undefined {
	const part = attachments.find(({ mimeType }) => mimeType === type);
	return part && Buffer.from(part.content as ArrayBuffer).toString("latin1");
}

/** The status by which delivery has failed (RFC 3464), and the reply, if it has. */
function failureIn(text: string): string[] | undefined {
	// Each recipient has a block. A letter has one recipient.
	for (const block of text.split(/\r?\n[ \t]*\r?\n/)) {
		if (/^failed\b/i.test(field(block, "action"))) {
			return [field(block, "status"), field(block, "diagnostic-code")];
		}
	}
	return undefined;
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
