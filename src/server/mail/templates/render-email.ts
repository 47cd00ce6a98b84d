import { versionOf as hashOf } from "../../registrations/wordings.ts";
import type { EmailWords } from "./message.ts";
import { htmlPart, textPart } from "./template.ts";
import { type EmailsAbout, emailsByKind, senderLines, unsubscribeWords } from "./words.ts";

export type EmailKind = keyof EmailsAbout;

export const EMAIL_KINDS = Object.keys(emailsByKind) as EmailKind[];

/** What a kind of email needs, and the address by which its person unsubscribes. */
export type EmailLinks<Kind extends EmailKind> = EmailsAbout[Kind] & { unsubscribeUrl: string };

/** An email without its address. */
export interface RenderedEmail {
	subject: string;
	/** The plain part: lines of at most 76 characters, and each address on a line of its own. */
	text: string;
	/** A whole document that loads nothing. */
	html: string;
	/** 12 hex digits that change with the words: the proof of what a person was asked. */
	version: string;
}

/** Writes an email of a kind, with links that are made for one person. */
export function renderEmail<Kind extends EmailKind>(
	kind: Kind,
	links: EmailLinks<Kind>,
): RenderedEmail {
	const words = emailsByKind[kind](links);
	return {
		subject: words.subject,
		text: textPart(words, links.unsubscribeUrl),
		html: htmlPart(words, links.unsubscribeUrl),
		version: versionOf(emailsByKind[kind]({ ...links, ...nobodys })),
	};
}

/** In place of what differs from person to person, and does not count as words. */
const nobodys = { link: "", code: "", expiresAt: "1970-01-01T00:00:00.000Z" };

/** A hash of all that is said. Addresses differ from person to person and do not count. */
function versionOf(words: EmailWords): string {
	const said = JSON.stringify([words, unsubscribeWords, senderLines], (name, value) =>
		name === "url" ? undefined : value,
	);
	return hashOf(said);
}
