import { type MarkedToken, marked, type Token } from "marked";
import { Refusal } from "../../refusal.ts";

/** Text in a paragraph or in an item of a list. `\n` is a line break. */
export type Span = string | { strong: Spans } | { linked: Spans; url: string };
export type Spans = readonly Span[];

/** A paragraph, or a list with its items. */
export type Block = { paragraph: Spans } | { list: readonly Spans[]; numbered: boolean };

const MAY_HAVE =
	"a message may have paragraphs, **bold** words, [links](https://orbit.example) and lists";

/** What else Markdown has, by the names of the library. */
const OTHERS: Record<string, string> = {
	blockquote: "a quotation",
	checkbox: "a checkbox",
	code: "code (a line that begins with four spaces is code)",
	codespan: "code",
	def: "the address of a link apart from it",
	del: "struck-out words",
	em: "italics",
	heading: "a heading",
	hr: "a rule",
	html: "HTML",
	image: "an image",
	paragraph: "a list item of several paragraphs",
	table: "a table",
};

/**
 * Reads what the founder writes in Markdown. Line breaks stay, and web addresses become links.
 *
 * @throws Refusal that names the line of what cannot be sent
 */
export function readMarkdown(text: string, firstLine = 1): Block[] {
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
						throw refuse(part.type === "list" ? "a list in a list" : nameOf(part), line);
					}),
				),
				numbered: token.ordered,
			};
		default:
			throw refuse(nameOf(token), line);
	}
}

/** @param raw all that the founder wrote of the block, which begins in this line */
function readSpans(tokens: Token[] | undefined, raw: string, line: number): Span[] {
	return (tokens as MarkedToken[]).map((token): Span => {
		const lineOf = () => line + raw.slice(0, raw.indexOf(token.raw)).split("\n").length - 1;
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
				if (!/^(?:https:\/\/|mailto:|\{link\}$)/.test(url)) {
					throw refuse(`a link to ${JSON.stringify(url)}, which is no https address`, lineOf());
				}
				return { linked: readSpans(token.tokens, raw, line), url };
			}
			default:
				throw refuse(nameOf(token), lineOf());
		}
	});
}

const nameOf = ({ type }: Pick<Token, "type">) => OTHERS[type] ?? type;

const refuse = (what: string, line: number) => new Refusal(`line ${line} has ${what}: ${MAY_HAVE}`);
