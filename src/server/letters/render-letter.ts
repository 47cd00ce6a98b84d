import { createHash } from "node:crypto";
import { htmlPart, textPart } from "./template.ts";
import { type LetterWords, leaveWords, lettersByKind, senderLines } from "./words.ts";

export type LetterKind = keyof typeof lettersByKind;

/** The addresses that a kind of letter leads to, and the one that every letter has. */
export type LetterLinks<Kind extends LetterKind> = Parameters<(typeof lettersByKind)[Kind]>[0] & {
	leaveUrl: string;
};

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
		version: versionOf(words),
	};
}

/** A hash of all that is said. Addresses differ from person to person and do not count. */
function versionOf(words: LetterWords): string {
	const said = JSON.stringify([words, leaveWords, senderLines], (name, value) =>
		name === "url" ? undefined : value,
	);
	return createHash("sha256").update(said).digest("hex").slice(0, 12);
}
