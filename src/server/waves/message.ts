import { createReadStream } from "node:fs";
import { reasonOf } from "../files/files.ts";
import { type Message, readMarkdown } from "../mail/templates/message.ts";
import { invitationPlaces } from "../mail/templates/words.ts";
import type { WaveKind } from "../mail/waves.ts";

/** Bytes of an email that is text. Gmail cuts off longer ones. */
export const MOST_BYTES = 50_000;

const LONGEST_SUBJECT = 150;

/** Control characters other than tab and newline: each mail program shows them in its own way. */
const NO_TEXT = /(?![\t\n])\p{Cc}|\uFFFD/u;

/** Says why an email to many cannot be sent. `line` is where its message begins in its file. */
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
	const known: readonly string[] = kind === "invitation" ? invitationPlaces : [];
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

/** Reads a file of the founder: a first line `Subject: …`, an empty line, and paragraphs. */
export async function readMessage(file: string, kind: WaveKind): Promise<Message> {
	// Stops where the file is known to be too large: a device has no end.
	const reading: Promise<Buffer[]> = createReadStream(file, { end: MOST_BYTES }).toArray();
	const bytes = Buffer.concat(
		await reading.catch((error: unknown) => {
			throw new Error(`${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
		}),
	);
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
