import { type MarkedToken, marked, type Token } from "marked";
import { emails } from "#words";
import { Refusal } from "../../refusal.ts";

type Span = string | { strong: TextSpans } | { linked: TextSpans; url: string };
export type TextSpans = readonly Span[];

type Block = { paragraph: TextSpans } | { list: readonly TextSpans[]; numbered: boolean };

export interface EmailWords {
	/** At most 50 characters: phones cut off more. */
	subject: string;
	/** Shown after the subject in inboxes. */
	preview: string;
	title: string;
	body: readonly EmailPiece[];
	reason: string;
}

export type EmailPiece = string | { button: string; url: string } | { code: string } | Block;

/** The founder's message, which replaces the text in src/words/. */
export interface FounderMessage {
	subject: string;
	message: string;
}

interface Part {
	text: string;
	alone: EmailPiece;
	/** Appended to a message without this placeholder. */
	end: readonly EmailPiece[];
}

const { reason } = emails;

export interface EmailInputs {
	confirm: { confirmUrl: string };
	unsubscribe: { unsubscribeUrl: string };
	invitation: Invitation & { message?: FounderMessage | undefined };
	news: { message: FounderMessage };
}

export type EmailKind = keyof EmailInputs;

interface Invitation {
	link: string;
	code: string;
	expiresAt: string;
}

export const emailWordsByKind: {
	[Kind in keyof EmailInputs]: (about: EmailInputs[Kind]) => EmailWords;
} = {
	confirm: ({ confirmUrl }) => ({ ...emails.confirm(confirmUrl), reason }),
	unsubscribe: ({ unsubscribeUrl }) => emails.unsubscribe(unsubscribeUrl),
	invitation({ message, ...invitation }) {
		const parts = invitationParts(invitation);
		if (message) return messageWords(message, reason, parts);
		const { subject, preview, title, text } = emails.invitation;
		const body = [text, ...Object.values(parts).flatMap(({ end }) => end)];
		return { subject, preview, title, body, reason };
	},
	news: ({ message }) => messageWords(message, reason),
};

/** Invitation messages without these placeholders get the values appended. */
export const invitationPlaceholders = ["link", "code", "expires"] as const;

function invitationParts({
	link,
	code,
	expiresAt,
}: Invitation): Record<(typeof invitationPlaceholders)[number], Part> {
	const words = emails.invitation;
	const button = { button: words.button, url: link };
	const expires = emails.time(expiresAt);
	return {
		link: { text: link, alone: button, end: [button] },
		code: { text: code, alone: { code }, end: [words.code, { code }] },
		expires: { text: expires, alone: expires, end: [words.expires(expires)] },
	};
}

function messageWords(
	{ subject, message }: FounderMessage,
	reason: string,
	parts: Readonly<Record<string, Part>> = {},
): EmailWords {
	const fill = (text: string) =>
		text.replace(/\{(\w+)\}/g, (place, name) =>
			Object.hasOwn(parts, name) ? parts[name]!.text : place,
		);
	const values = Object.values(parts);
	const blocks = parseMarkdown(fill(message));
	const shown = JSON.stringify(blocks);
	const first = blocks.find((block) => "paragraph" in block);
	return {
		subject: fill(subject),
		preview: first ? textOf(first.paragraph).replaceAll("\n", " ") : fill(subject),
		title: fill(subject),
		body: [
			...blocks.map((block): EmailPiece => {
				const alone = "paragraph" in block ? textOf(block.paragraph) : "";
				return values.find(({ text }) => text === alone)?.alone ?? block;
			}),
			...values.filter(({ text }) => !shown.includes(text)).flatMap(({ end }) => end),
		],
		reason,
	};
}

function textOf(spans: TextSpans): string {
	const texts = spans.map((span) => {
		if (typeof span === "string") return span;
		return textOf("strong" in span ? span.strong : span.linked);
	});
	return texts.join("");
}

/** @throws Refusal that names a line with unsupported Markdown */
export function parseMarkdown(text: string, firstLine = 1): Block[] {
	let line = firstLine;
	return marked.lexer(text, { gfm: true, breaks: true }).flatMap((token) => {
		const block = readBlock(token as MarkedToken, line);
		line += token.raw.split("\n").length - 1;
		return block ?? [];
	});
}

function readBlock(token: MarkedToken, line: number): Block | undefined {
	const spans = (tokens: Token[] | undefined) => readSpans(tokens, token.raw, line);
	switch (token.type) {
		case "space":
			return;
		case "paragraph":
			return { paragraph: spans(token.tokens) };
		case "list":
			return {
				list: token.items.map((item) =>
					(item.tokens as MarkedToken[]).flatMap((part) => {
						if (part.type === "space") return [];
						if (part.type === "text") return spans(part.tokens);
						if (part.type === "paragraph" && item.tokens.length === 1) return spans(part.tokens);
						throw refuse(part, line);
					}),
				),
				numbered: token.ordered,
			};
		default:
			throw refuse(token, line);
	}
}

function readSpans(tokens: Token[] | undefined, raw: string, line: number): Span[] {
	return (tokens as MarkedToken[]).map((token): Span => {
		switch (token.type) {
			case "text":
			case "escape":
				return token.text;
			case "br":
				return "\n";
			case "strong":
				return { strong: readSpans(token.tokens, raw, line) };
			case "link": {
				const url = token.href.replace(/%7B(\w+)%7D/gi, "{$1}");
				if (/^(?:https:\/\/|mailto:|\{link\}$)/.test(url)) {
					return { linked: readSpans(token.tokens, raw, line), url };
				}
			}
		}
		throw refuse(token, line + raw.slice(0, raw.indexOf(token.raw)).split("\n").length - 1);
	});
}

const refuse = ({ raw }: Pick<Token, "raw">, line: number) =>
	new Refusal(
		`line ${line} has ${JSON.stringify(raw.trim().slice(0, 50))}: a message may contain only paragraphs, ` +
			"**bold** words, [links](https://orbit.example) and lists",
	);
