import { createReadStream } from "node:fs";
import { reasonOf } from "../files/files.ts";
import type { WaveKind } from "../letters/wave/wave.ts";
import type { Message } from "../letters/writing/message.ts";
import { invitationPlaces } from "../letters/writing/words.ts";

/** Bytes of a letter that is text. Gmail cuts off longer ones. */
const MOST_BYTES = 50_000;

/** What a phone and the widest list of letters show. */
const LONGEST_SUBJECT = 150;

/** Control characters, which mail programs show as anything, but for tabs and ends of lines. */
const NO_TEXT = /(?![\t\n])\p{Cc}|\uFFFD/u;

/** The names in braces that are replaced in a letter. */
const places: Readonly<Record<WaveKind, readonly string[]>> = {
	invitation: invitationPlaces,
	news: [],
};

/**
 * Reads what the operator wrote to a wave: a first line `Subject: …`, an empty line, and paragraphs.
 *
 * @throws Error with a sentence for the operator when it cannot be sent like that
 */
export async function readMessage(file: string, kind: WaveKind): Promise<Message> {
	const bytes = await readStart(file).catch((error: unknown) => {
		throw new Error(`${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
	});
	const refuse = (problem: string) => new Error(`${file} cannot be sent: ${problem}.`);
	if (bytes.length > MOST_BYTES) throw refuse(`it has more than ${MOST_BYTES / 1000} kB`);
	const text = bytes.toString("utf8").replace(/\r\n?/g, "\n");
	if (NO_TEXT.test(text)) throw refuse("it is not text in UTF-8");
	const [, subject = "", rest = ""] = /^\s*Subject:([^\n]*)\n[^\S\n]*\n(.*)$/is.exec(text) ?? [];
	const read = { subject: subject.trim(), message: rest.trim() };
	if (read.subject === "" || read.message === "") {
		throw refuse("it must begin with a line `Subject: …`, an empty line, and then its paragraphs");
	}
	if (read.subject.length > LONGEST_SUBJECT) {
		throw refuse(`its subject has more than ${LONGEST_SUBJECT} characters`);
	}
	const known = places[kind];
	for (const [place, name] of text.matchAll(/\{([^{}\n]*)\}/g)) {
		if (known.includes(name!)) continue;
		const can = known.map((name) => `{${name}}`).join(", ");
		throw refuse(`nothing is put in place of ${place}, ${can ? `only of ${can}` : "in news"}`);
	}
	return read;
}

/** No more than tells that a file is too large: a device has no end. */
async function readStart(file: string): Promise<Buffer> {
	const chunks: Buffer[] = await createReadStream(file, { end: MOST_BYTES }).toArray();
	return Buffer.concat(chunks);
}
