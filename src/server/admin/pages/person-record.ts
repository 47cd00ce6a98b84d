import { brand } from "#brand";
import type { Consent } from "../../mail/emails/consent.ts";
import type { StoredEmail } from "../../mail/emails/email.ts";
import { LEFT_BY } from "../../mail/links/unsubscribe.ts";
import type { Found } from "../../mail/people/find-person.ts";
import type { KeptWording } from "../../registrations/wordings.ts";
import { type Html, html } from "../../text/html.ts";
import { printable, printableLine } from "../../text/printable.ts";
import { shownTime } from "../../time.ts";
import { card, flagAsText, sheet, timeAsHtml } from "../parts.ts";

/** Everything stored about a person. */
export interface PersonRecord {
	found: Found;
	consent: Consent;
	messageId: string | null;
}

const LEGAL: Record<string, string> = { terms: "Terms of Service", privacy: "Privacy Policy" };

const FLAGS: Record<string, string> = {
	honeypot: "honeypot: a program filled in a hidden field",
	operator: "blocked by you: no wave includes them",
	burst: "burst: they joined with many others from one network",
};

/** A named fact, whose times are shown in the founder's zone: as text, or after it. */
type Fact = [name: string, text: string, at?: string];

/** Facts of a person, for the page and for their file. */
function factsOf({ found, consent, messageId }: PersonRecord): Fact[] {
	const { registration } = found;
	const { email, source, flag, joinedAt } = registration!;
	const { asked, confirmed, left, isBack, complained } = consent;
	const facts: Fact[] = [
		["Address", email],
		["Joined", "", joinedAt],
		["Source", source],
	];
	if (flag) facts.push(["Flag", Object.hasOwn(FLAGS, flag) ? FLAGS[flag]! : flagAsText(flag)]);
	if (asked) {
		const times = asked.times > 1 ? `${asked.times} times, last ` : "";
		facts.push(["Asked to confirm", times, asked.at]);
		if (messageId) facts.push(["Message-ID", messageId]);
	} else facts.push(["Asked to confirm", "not yet"]);
	if (confirmed) {
		const by = confirmed.by === "button" ? "by the button on the page, " : `by ${confirmed.by}, `;
		facts.push(["Confirmed", by, confirmed.at]);
	} else facts.push(["Confirmed", "not yet"]);
	for (const { at, by } of left) facts.push(["Unsubscribed", `${LEFT_BY[by]}, `, at]);
	if (isBack) facts.push(["Back", "they confirmed again after they unsubscribed"]);
	const { bounce, bouncedAt } = registration!;
	if (bouncedAt) facts.push(["Bounced", `${bounce}, `, bouncedAt]);
	if (complained) facts.push(["Complained", "they reported an email as spam"]);
	return facts;
}

/** The words that a person was shown, each with its title. */
function wordingsOf({ asked, confirmed, form, legal }: Consent): [string, KeptWording | null][] {
	return [
		["The form", form],
		...legal.map((wording): [string, KeptWording] => [
			`The ${LEGAL[wording.kind] ?? wording.kind}`,
			wording,
		]),
		...(asked ? [["The email that asked to confirm", asked.words] as [string, KeptWording]] : []),
		...(confirmed ? [["The page that confirmed", confirmed.page] as [string, KeptWording]] : []),
	];
}

export function recordAsHtml(record: PersonRecord): Html {
	const { found, consent } = record;
	const facts = factsOf(record).map(
		([name, text, at]) =>
			html`<dt>${name}</dt><dd>${printableLine(text)}${at ? timeAsHtml(at) : html``}</dd>\n`,
	);
	const words = wordingsOf(consent).map(([title, wording]) =>
		wording
			? html`<details><summary>${title}, version ${printableLine(wording.version)}</summary><p class="said-then">${printable(wording.said)}</p></details>`
			: html`<p>${title}: its words are not stored.</p>`,
	);
	return html`${card("stored", "Stored", html`<dl class="known">${facts}</dl>`)}
${emailsAsHtml(found.letters ?? [])}
${card(
	"consent",
	"Proof of consent",
	html`<p>Legal texts: ${printableLine(consent.terms) || "unknown"}. No IP address is stored.</p>
${words}
${deletionsAsHtml(found)}`,
)}`;
}

/** Earlier deletions of this address; nothing without any. */
export function deletionsAsHtml({ deletions, deletionsUnknown }: Found): Html {
	const unknown =
		deletionsUnknown === undefined
			? html``
			: html`<p>Earlier deletions cannot be read. ${printableLine(deletionsUnknown)}</p>`;
	return html`${deletions.map(({ at, reason }) => html`<p>Deleted on ${timeAsHtml(at)}: ${printableLine(reason)}.</p>`)}${unknown}`;
}

const titleOf = ({ kind, wave }: StoredEmail) =>
	`${kind === "confirm" ? "confirmation" : kind}${wave ? `, ${wave}` : ""}`;

function emailsAsHtml(emails: readonly StoredEmail[]): Html {
	const rows = emails.map((email) => {
		const { askedAt, code, redeemedAt, endedAt } = email;
		return html`<tr><th scope="row">${printableLine(titleOf(email))}</th>
<td data-name="Requested">${timeAsHtml(askedAt)}</td>
<td data-name="State">${stateOf(email)}${endedAt ? html`, ${timeAsHtml(endedAt)}` : html``}${redeemedAt ? html`, redeemed ${timeAsHtml(redeemedAt)}` : html``}</td>
<td data-name="Code" class="wide">${printableLine(code)}</td></tr>`;
	});
	if (rows.length === 0) return html`<p class="card empty">They were sent no email.</p>`;
	return html`<h2>Emails</h2>${sheet("", ["Email", "Requested", "State", "Code"], rows)}`;
}

const STATES: Record<string, string> = {
	accepted: "accepted by the mail server",
	waiting: "waiting",
	sending: "being sent",
	deferred: "deferred: it will be tried again",
	refused: "not delivered",
	unknown: "unknown whether it arrived",
};

function stateOf({ state, held, code }: StoredEmail): string {
	if (state === "refused" && code === "cancelled") return "withdrawn with its wave";
	if (held !== 0) return "held until you resend it, or its wave resumes";
	return STATES[state] ?? state;
}

/** All that is stored of a person, as a text file for them. */
export function recordAsText(record: PersonRecord): string {
	const { found, consent } = record;
	const lines = factsOf(record).map(
		([name, text, at]) => `${name}: ${printableLine(text)}${at ? shownTime(at) : ""}`,
	);
	const emails = (found.letters ?? []).map((email) => {
		const { askedAt, endedAt, redeemedAt } = email;
		const ended = endedAt && `, ${shownTime(endedAt)}`;
		const redeemed = redeemedAt && `, redeemed ${shownTime(redeemedAt)}`;
		return `- ${printableLine(titleOf(email))}, requested ${shownTime(askedAt)}: ${stateOf(email)}${ended}${redeemed}`;
	});
	const words = wordingsOf(consent).flatMap(([title, wording]) =>
		wording
			? ["", `${title}, version ${wording.version}:`, "", printable(wording.said)]
			: ["", `${title}: its words are not stored.`],
	);
	return `${[
		`What ${brand.company} stores about you on the waitlist of ${brand.product}`,
		"",
		...lines,
		"",
		"Emails",
		...(emails.length > 0 ? emails : ["none"]),
		"",
		"What you were shown and agreed to",
		`Legal texts: ${printableLine(consent.terms) || "unknown"}. No IP address is stored.`,
		...words,
	].join("\n")}\n`;
}
