import { readMarkdown } from "../mail/templates/markdown.ts";
import type { Message } from "../mail/templates/message.ts";
import { invitationPlaces } from "../mail/templates/words.ts";
import type { WaveKind } from "../mail/wave/wave.ts";

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

/** Why an email to many cannot be sent, as the end of a sentence; undefined where it can. */
export function problemOf({ subject, message }: Message, kind: WaveKind): string | undefined {
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
		readMarkdown(message);
	} catch (error) {
		return (error as Error).message;
	}
	return undefined;
}
