import { type Html, html } from "../../html.ts";
import type { Consent } from "../../mail/emails/consent.ts";
import { HELD, type StoredLetter } from "../../mail/emails/letter.ts";
import { LEFT_BY } from "../../mail/links/leaving.ts";
import type { Found } from "../../mail/people/find-person.ts";
import { printable, printableLine } from "../../printable.ts";
import type { KeptWording } from "../../registrations/wordings.ts";
import { timeAsHtml } from "../time.ts";

/** A line of what is known. */
const line = (name: string, value: Html | string) => html`<dt>${name}</dt><dd>${value}</dd>\n`;

const LEGAL: Record<string, string> = { terms: "Terms of Service", privacy: "Privacy Policy" };

/** Marks as people read them; others are shown as they are. */
const MARKS: Record<string, string> = {
	honeypot: "the honeypot: a program filled a field that nobody sees",
	operator: "by hand: you flagged them, and no wave writes to them",
	burst: "a burst: they joined with many others from one network",
};

/** A Message-ID breaks before its domain, so that no bracket is left alone in a line. */
function inTwo(messageId: string): Html {
	const at = messageId.lastIndexOf("@");
	return html`${messageId.slice(0, at)}<wbr>${messageId.slice(at)}`;
}

/** What is kept of a person, and what they were shown. */
export function knownOf(found: Found, consent: Consent, messageId: string | null): Html {
	const { registration, recipient } = found;
	const { email, source, flags } = registration!;
	const { asked, confirmed, form, legal, terms } = consent;
	const by = confirmed?.by === "button" ? "by the button of the page" : `by ${confirmed?.by ?? ""}`;
	const askedWords = asked
		? html`${timeAsHtml(asked.at)}${asked.times > 1 ? `, the last of ${String(asked.times)} letters` : ""}${messageId ? html`, Message-ID <span class="name">${inTwo(messageId)}</span>` : html``}`
		: html`no letter asked to confirm`;
	return html`<section class="card"><h2>What is kept</h2>
<dl class="known">
${line("Address", printableLine(email))}${line("Joined", timeAsHtml(registration!.createdAt))}${line("From", printableLine(source))}
${flags ? line("Marked", Object.hasOwn(MARKS, flags) ? MARKS[flags]! : printableLine(flags)) : html``}
${line("Asked to confirm", askedWords)}
${line("Confirmed", confirmed ? html`${timeAsHtml(confirmed.at)}, ${printableLine(by)}` : "not yet")}
${consent.left.map(({ at, by }) => line("Left", html`${timeAsHtml(at)}, ${LEFT_BY[by]}`))}
${consent.isBack ? line("Back", "they confirmed again after they had left") : html``}
${recipient?.bouncedAt ? line("Bounced", html`${timeAsHtml(recipient.bouncedAt)} (${printableLine(recipient.bounce)})`) : html``}
${consent.complained ? line("Complained", "they called a letter spam") : html``}
</dl></section>
${lettersOf(found.letters ?? [])}
<section class="card"><h2>Proof of consent</h2>
<p>Legal texts: ${printableLine(terms) || "unknown"}. No IP address is kept.</p>
${wordsOf("The form", form)}
${legal.map((wording) => wordsOf(`The ${LEGAL[wording.kind] ?? wording.kind}`, wording))}
${asked ? wordsOf("The letter that asked to confirm", asked.words) : html``}
${confirmed ? wordsOf("The page that confirmed", confirmed.page) : html``}
${erasuresOf(found)}</section>`;
}

function wordsOf(what: string, wording: KeptWording | null): Html {
	if (!wording) return html`<p>${what}: its words are not kept.</p>`;
	return html`<details><summary>${what}, version ${printableLine(wording.version)}</summary><p class="said-then">${printable(wording.said)}</p></details>`;
}

/** The proofs of earlier erasures; nothing where there is none. */
export function erasuresOf({ erasures, erasuresUnknown }: Found): Html {
	const unknown =
		erasuresUnknown === undefined
			? html``
			: html`<p>Erasures could not be looked up. ${printableLine(erasuresUnknown)}</p>`;
	return html`${erasures.map(({ erasedAt, reason }) => html`<p>Erased on ${timeAsHtml(erasedAt)}: ${printableLine(reason)}.</p>`)}${unknown}`;
}

function lettersOf(letters: readonly StoredLetter[]): Html {
	if (letters.length === 0) {
		return html`<section class="card"><h2>Letters</h2><p class="empty">Nobody has written to them.</p></section>`;
	}
	const rows = letters.map((letter) => {
		const { kind, wave, askedAt, code, redeemedAt, endedAt } = letter;
		const name = kind === "confirm" ? "to confirm" : kind;
		return html`<tr><th scope="row">${printableLine(name)}${wave ? `, ${printableLine(wave)}` : ""}</th>
<td data-name="Asked for">${timeAsHtml(askedAt)}</td>
<td data-name="State">${stateOf(letter)}${endedAt ? html`, ${timeAsHtml(endedAt)}` : html``}${redeemedAt ? html`, redeemed ${timeAsHtml(redeemedAt)}` : html``}</td>
<td data-name="Code" class="wide">${printableLine(code)}</td></tr>`;
	});
	return html`<section class="card sheet"><h2>Letters</h2><table>
<thead><tr><th scope="col">Letter</th><th scope="col">Asked for</th><th scope="col">State</th><th scope="col">Code</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

const IN_WORDS: Record<string, string> = {
	accepted: "the mail server took it",
	waiting: "waits to be sent",
	sending: "is being sent",
	deferred: "is tried again later",
	unknown: "nobody knows whether it arrived",
};

function stateOf({ state, held, code }: StoredLetter): string {
	if (state === "refused" && code === "cancelled") return "taken back with its wave";
	if ((held & HELD.byOperator) !== 0) return "held until you send it again";
	if (held !== 0) return "waits for its wave";
	return IN_WORDS[state] ?? state;
}
