import {
	delaysAsText,
	type OutgoingSummary,
	type Overview,
	readOverview,
	waitingAsText,
	warmUpAsText,
} from "../../mail/overview.ts";
import { pauseAllEmail, resendUnknown, resumeAllEmail } from "../../mail/people/actions.ts";
import { formatCount, formatNumber } from "../../text/format-number.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import {
	actionRoute,
	card,
	confirmForm,
	figures,
	NO_MAIL_CARD,
	sentenceAsHtml,
	sheet,
	timeAsHtml,
} from "../parts.ts";
import { get, type Route } from "../responses.ts";

export const EMAILS_PATH = "/emails";

export const emailRoutes: readonly Route[] = [
	get(EMAILS_PATH, async ({ database, settings, now }) => {
		const numbers = await readOverview(database, settings.mail, now);
		const { emails, troubled, warmUp, pause, slowed } = numbers;
		const unknown = emails.filter(({ state }) => state === "unknown");
		const normally = html`<p class="well">Sending normally.</p>
<form method="post" action="${EMAILS_PATH}/pause"><button class="act" type="submit">Pause all emails</button></form>`;
		const state = html`<section class="card state" aria-label="State">
${outgoingAsHtml(numbers)}
${pause || slowed.length > 0 ? html`` : normally}
${warmUp ? html`<p>${warmUpAsText(warmUp)}</p>` : html``}
</section>`;
		return {
			title: "Emails",
			main: html`${settings.mail ? html`` : NO_MAIL_CARD}
${settings.mail || pause ? state : html``}
${unknown.length === 0 ? html`` : unknownCard(unknown.reduce((sum, { count }) => sum + count, 0))}
${emails.length === 0 ? html`` : countsCard(numbers)}
${troubled.length === 0 ? html`` : troubledEmails(numbers)}`,
		};
	}),
	actionRoute(`${EMAILS_PATH}/pause`, EMAILS_PATH, pauseAllEmail),
	actionRoute(`${EMAILS_PATH}/resume`, EMAILS_PATH, resumeAllEmail),
	actionRoute(`${EMAILS_PATH}/unknown`, EMAILS_PATH, resendUnknown),
	get(`${EMAILS_PATH}/unknown`, () =>
		confirmForm("Send them again?", {
			back: EMAILS_PATH,
			button: "Send again",
			words: html`<p>This may send duplicates to some people. People who have unsubscribed, bounced or confirmed since get none.</p>`,
		}),
	),
];

export function outgoingAsHtml(outgoing: OutgoingSummary): Html {
	const stops = delaysAsText(outgoing);
	const resume = html`<form method="post" action="${EMAILS_PATH}/resume"><button class="act strong" type="submit">Resume</button></form>`;
	return html`<p>${waitingAsText(outgoing)}</p>
${stops.map((stop) => html`<p class="alarm">${sentenceAsHtml(stop)}</p>`)}
${stops.length > 0 ? resume : html``}`;
}

const unknownCard = (count: number): Html =>
	card(
		"unknown",
		"Unknown",
		html`<p>${formatCount(count, "email", "emails")} may or may not have arrived: the connection or the server failed while sending, or a backup was restored. Check your mail provider’s log, then use <code>waitlist sent</code>.</p>
<p class="actions"><a class="act" href="${EMAILS_PATH}/unknown">Send again…</a></p>`,
	);

function countsCard({ emails }: Overview): Html {
	const rows = emails.map(
		({ kind, state, count }) => [`${kind}, ${state}`, formatNumber(count)] as const,
	);
	return card("states", "By kind and state", figures(["Kind and state", "Emails"], rows));
}

function troubledEmails({ troubled }: Overview): Html {
	const rows = troubled.map(({ email, kind, state, code, attempts, time }) => [
		printableLine(email),
		kind,
		printableLine(code),
		formatNumber(attempts),
		html`${state === "deferred" ? "next attempt on" : "given up on"} ${timeAsHtml(time)}`,
	]);
	const columns = ["Address", "Kind", "Server reply", "Attempts", "State"];
	return html`<h2>Deferred or given up</h2>
${sheet(columns, rows, { wide: "State" })}`;
}
