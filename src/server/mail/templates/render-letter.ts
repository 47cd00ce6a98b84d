import { versionOf as hashOf } from "../../registrations/wordings.ts";
import type { LetterWords } from "./message.ts";
import { htmlPart, textPart } from "./template.ts";
import { type LettersAbout, leaveWords, lettersByKind, senderLines } from "./words.ts";

export type LetterKind = keyof LettersAbout;

export const LETTER_KINDS = Object.keys(lettersByKind) as LetterKind[];

/** What a kind of letter needs, and the address that every letter leads to. */
export type LetterLinks<Kind extends LetterKind> = LettersAbout[Kind] & { leaveUrl: string };

/** A letter as it is sent. */
export interface Letter {
	subject: string;
	/** The plain part: lines of at most 76 characters, and each address on a line of its own. */
	text: string;
	/** A whole document that loads nothing. */
	html: string;
	/** 12 hex digits that change with the words: the proof of what a person was asked. */
	version: string;
}

/** Writes a letter of a kind, with links that are made for one person. */
export function renderLetter<Kind extends LetterKind>(
	kind: Kind,
	links: LetterLinks<Kind>,
): Letter {
	const words = lettersByKind[kind](links);
	return {
		subject: words.subject,
		text: textPart(words, links.leaveUrl),
		html: htmlPart(words, links.leaveUrl),
		version: versionOf(lettersByKind[kind]({ ...links, ...nobodys })),
	};
}

/** In place of what differs from person to person, and does not count as words. */
const nobodys = { link: "", code: "", expiresAt: "1970-01-01T00:00:00.000Z" };

/** A hash of all that is said. Addresses differ from person to person and do not count. */
function versionOf(words: LetterWords): string {
	const said = JSON.stringify([words, leaveWords, senderLines], (name, value) =>
		name === "url" ? undefined : value,
	);
	return hashOf(said);
}
