import { createReadStream } from "node:fs";
import { reasonOf } from "../files/files.ts";
import { type Message, readMarkdown } from "../mail/templates/message.ts";
import { invitationPlaces } from "../mail/templates/words.ts";
import type { WaveKind } from "../mail/waves.ts";

/** Bytes of an email that is text. Gmail cuts off longer ones. */
export const MOST_BYTES = 50_000;

/** What a phone and the widest inbox show. */
const LONGEST_SUBJECT = 150;

/** Control characters, which mail programs show as anything, but for tabs and ends of lines. */
const NO_TEXT = /(?![\t\n])\p{Cc}|\uFFFD/u;

/** The names in braces that are replaced in an email. */
const places: Readonly<Record<WaveKind, readonly string[]>> = {
	invitation: invitationPlaces,
	news: [],
};

/**
 * Why an email to many cannot be sent, as the end of a sentence; undefined where it can.
 *
 * @param line of the message in its file
 */
export function problemOf(
	{ subject, message }: Message,
	kind: WaveKind,
	line = 1,
): string | undefined {
	const text = `${subject}\n${message}`;
	if (Buffer.byteLength(text) > MOST_BYTES) return `it has more than ${MOST_BYTES / 1000} kB`;
	if (NO_TEXT.test(text)) return "it is not text in UTF-8";
	if (subject.length > LONGEST_SUBJECT) {
		return `its subject has more than ${LONGEST_SUBJECT} characters`;
	}
	const known = places[kind];
	for (const [place, name] of text.matchAll(/\{([^{}\n]*)\}/g)) {
		if (known.includes(name!)) continue;
		const can = known.map((name) => `{${name}}`).join(", ");
		return `nothing is put in place of ${place}, ${can ? `only of ${can}` : "in news"}`;
	}
	try {
		readMarkdown(message, line);
	} catch (error) {
		return (error as Error).message;
	}
	return undefined;
}

/**
 * Reads what the founder wrote to a wave: a first line `Subject: …`, an empty line, and paragraphs.
 *
 * @throws Error with a sentence for the founder when it cannot be sent like that
 */
export async function readMessage(file: string, kind: WaveKind): Promise<Message> {
	const bytes = await readStart(file).catch((error: unknown) => {
		throw new Error(`${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
	});
	const refuse = (problem: string) => new Error(`${file} cannot be sent: ${problem}.`);
	if (bytes.length > MOST_BYTES) throw refuse(`it has more than ${MOST_BYTES / 1000} kB`);
	const text = bytes.toString("utf8").replace(/\r\n?/g, "\n");
	const [, subject = "", rest = ""] = /^\s*Subject:([^\n]*)\n[^\S\n]*\n(.*)$/is.exec(text) ?? [];
	const read = { subject: subject.trim(), message: rest.trim() };
	if (read.subject === "" || read.message === "") {
		throw refuse("it must begin with a line `Subject: …`, an empty line, and then its paragraphs");
	}
	const before = text.slice(0, text.indexOf(read.message, text.length - rest.length));
	const problem = problemOf(read, kind, before.split("\n").length);
	if (problem !== undefined) throw refuse(problem);
	return read;
}

/** No more than tells that a file is too large: a device has no end. */
async function readStart(file: string): Promise<Buffer> {
	const chunks: Buffer[] = await createReadStream(file, { end: MOST_BYTES }).toArray();
	return Buffer.concat(chunks);
}
