import { type Html, html } from "../html.ts";
import { printable } from "../printable.ts";

/** A sentence of another room, whose commands stand between backticks as in a terminal. */
export function sentenceAsHtml(sentence: string): Html {
	const parts = printable(sentence).split(/`([^`]+)`/);
	return html`${parts.map((part, n) => (n % 2 ? html`<code>${part}</code>` : html`${part}`))}`;
}
