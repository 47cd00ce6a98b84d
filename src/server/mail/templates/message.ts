/** A button, which is a link: its address is written out below it as well. */
export interface Button {
	button: string;
	url: string;
}

/** A code that somebody may type: it has a line of its own. */
export interface Code {
	code: string;
}

/** What one letter says. A paragraph is plain text, in lines; a web address in it becomes a link. */
export interface LetterWords {
	/** At most 50 characters: a phone shows no more. */
	subject: string;
	/** What lists of letters show beside the subject. */
	preview: string;
	title: string;
	body: readonly (string | Button | Code)[];
	/** Why the letter came. It stands in the foot. */
	reason: string;
}

/** What the founder wrote, in place of the words of words.ts. */
export interface Message {
	subject: string;
	/** Paragraphs, with an empty line between two of them. A line break within one stays. */
	message: string;
}

type Piece = LetterWords["body"][number];

/** What differs from person to person: a message has a place for it, `{code}`, or gets it at its end. */
export interface Part {
	/** In a sentence. */
	text: string;
	/** As a paragraph by itself. */
	alone: Piece;
	/** At the end of a message that has no place for it. */
	end: readonly Piece[];
}

/**
 * Makes a letter of a message. Braces around any other name are text.
 *
 * @param reason why the letter came
 * @param parts by the names of their places
 */
export function messageWords(
	{ subject, message }: Message,
	reason: string,
	parts: Readonly<Record<string, Part>> = {},
): LetterWords {
	const partAt = (name: string) => (Object.hasOwn(parts, name) ? parts[name] : undefined);
	const said = (text: string) =>
		text.replace(/\{(\w+)\}/g, (place, name) => partAt(name)?.text ?? place);
	const paragraphs = message
		.split(/\n\s*\n/)
		.map((paragraph) => paragraph.trim().replace(/[^\S\n]*\n[^\S\n]*/g, "\n"))
		.filter((paragraph) => paragraph !== "");
	const pieces = paragraphs.map((paragraph): Piece => {
		const [, name = ""] = /^\{(\w+)\}$/.exec(paragraph) ?? [];
		return partAt(name)?.alone ?? said(paragraph);
	});
	const left = Object.keys(parts).filter((name) => !message.includes(`{${name}}`));
	return {
		subject: said(subject),
		preview: said(paragraphs[0]?.replaceAll("\n", " ") ?? subject),
		title: said(subject),
		body: [...pieces, ...left.flatMap((name) => parts[name]!.end)],
		reason,
	};
}
