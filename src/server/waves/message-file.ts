import { createReadStream } from "node:fs";
import { reasonOf } from "../files/files.ts";
import type { Message } from "../mail/templates/message.ts";
import type { WaveKind } from "../mail/wave/wave.ts";
import { MOST_BYTES, problemOf } from "./message.ts";

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
	const [, subject = "", rest = ""] = /^\s*Subject:([^\n]*)\n[^\S\n]*\n(.*)$/is.exec(text) ?? [];
	const read = { subject: subject.trim(), message: rest.trim() };
	if (read.subject === "" || read.message === "") {
		throw refuse("it must begin with a line `Subject: …`, an empty line, and then its paragraphs");
	}
	const problem = problemOf(read, kind);
	if (problem !== undefined) throw refuse(problem);
	return read;
}

/** No more than tells that a file is too large: a device has no end. */
async function readStart(file: string): Promise<Buffer> {
	const chunks: Buffer[] = await createReadStream(file, { end: MOST_BYTES }).toArray();
	return Buffer.concat(chunks);
}
