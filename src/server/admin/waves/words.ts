import type { Finding } from "../../database/database.ts";
import { type Html, html } from "../../html.ts";
import type { Pause } from "../../mail/rate/pauses.ts";
import { UNTIL_RELEASED } from "../../mail/rate/pauses.ts";
import { sentenceAsHtml } from "../sentence.ts";
import { timeAsHtml } from "../time.ts";
import { counted, nothing } from "../today/words.ts";

/** `1 letter`, `2 letters`. */
export const letters = (n: number) => counted(n, "letter");

/** Where no mail is set up. */
export const NO_MAIL = nothing(
	"No mail is set up, so nobody is written to.",
	html`Set <code>SMTP_URL</code>, <code>WAITLIST_MAIL_FROM</code> and <code>SITE_ORIGIN</code>, and restart.`,
);

const CAUSES: Readonly<Record<Pause["cause"], string>> = {
	unreachable: "The mail server cannot be reached",
	refused: "The mail server refuses letters",
	quota: "The mail server’s quota is used up",
	operator: "Paused until you say so",
};

/** Says why nothing is sent, and until when. */
export function pauseAsHtml({ until, reason, cause }: Pause): Html {
	const end =
		until === UNTIL_RELEASED
			? html`Nothing is sent until you end the pause.`
			: html`Nothing is sent until ${timeAsHtml(until)}.`;
	return html`<p class="alarm"><b>${CAUSES[cause]}.</b> ${end} ${sentenceAsHtml(reason)}</p>`;
}

/** Says what is not there that a wave needs; nothing where all is. */
export function openPoints(open: readonly Finding[]): Html {
	if (open.length === 0) return html``;
	const points = open.map(
		({ name, found }) => html`<li><b>${name}:</b> ${sentenceAsHtml(found)}</li>`,
	);
	return html`<section class="card" aria-labelledby="open"><h2 id="open">Open before this wave</h2><ul class="points">${points}</ul></section>`;
}

/** A row of facts with its names. */
export function facts(rows: readonly (readonly [string, string | Html])[]): Html {
	const all = rows.map(
		([name, fact]) =>
			html`<div${fact === "0" ? html` class="none"` : html``}><dt>${name}</dt><dd>${fact}</dd></div>`,
	);
	return html`<dl class="facts">${all}</dl>`;
}
