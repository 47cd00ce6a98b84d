import { type Block, readMarkdown, type Span, type Spans } from "./markdown.ts";

/** A button, which is a link: its address is written out below it as well. */
export interface Button {
	button: string;
	url: string;
}

/** A code that somebody may type: it has a line of its own. */
export interface Code {
	code: string;
}

/** What one email says. */
export interface EmailWords {
	/** At most 50 characters: a phone shows no more. */
	subject: string;
	/** What inboxes show beside the subject. */
	preview: string;
	title: string;
	/** A string is a paragraph. */
	body: readonly Piece[];
	/** Why the email came. It stands in the footer. */
	reason: string;
}

export type Piece = string | Button | Code | Block;

/** What the founder wrote, in place of the words of words.ts. */
export interface Message {
	subject: string;
	/** In the Markdown of markdown.ts. */
	message: string;
}

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
 * Makes an email of a message. Braces around any other name are text.
 *
 * @param reason why the email came
 * @param parts by the names of their places
 * @throws Refusal that names the line of what cannot be sent
 */
export function messageWords(
	{ subject, message }: Message,
	reason: string,
	parts: Readonly<Record<string, Part>> = {},
): EmailWords {
	const partAt = (name: string) => (Object.hasOwn(parts, name) ? parts[name] : undefined);
	const filled = new Set<string>();
	const partOf = (name: string) => {
		const part = partAt(name);
		if (part) filled.add(name);
		return part;
	};
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (place, name) => partOf(name)?.text ?? place);
	const fillSpans = (spans: Spans): Span[] => spans.flatMap(fillSpan);
	const fillSpan = (span: Span): Spans => {
		if (typeof span === "string")
			return span
				.split(/(\{\w+\})/)
				.map(fill)
				.map(linkAddress);
		if ("strong" in span) return [{ strong: fillSpans(span.strong) }];
		return [{ linked: [fill(textOf(span.linked))], url: fill(span.url) }];
	};
	const blocks = readMarkdown(message);
	const pieces = blocks.map((block): Piece => {
		if ("list" in block) return { ...block, list: block.list.map(fillSpans) };
		const [, name = ""] = /^\{(\w+)\}$/.exec(textOf(block.paragraph)) ?? [];
		return partOf(name)?.alone ?? { paragraph: fillSpans(block.paragraph) };
	});
	const left = Object.keys(parts).filter((name) => !filled.has(name));
	const first = blocks.find((block) => "paragraph" in block);
	return {
		subject: fill(subject),
		preview: fill(first ? textOf(first.paragraph).replaceAll("\n", " ") : subject),
		title: fill(subject),
		body: [...pieces, ...left.flatMap((name) => parts[name]!.end)],
		reason,
	};
}

const linkAddress = (text: string): Span =>
	text.startsWith("https://") ? { linked: [text], url: text } : text;

const textOf = (spans: Spans): string =>
	spans
		.map((span) => {
			if (typeof span === "string") return span;
			return textOf("strong" in span ? span.strong : span.linked);
		})
		.join("");
