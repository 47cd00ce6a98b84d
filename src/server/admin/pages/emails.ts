import {
	countUnknownEmails,
	type EmailOverview,
	emailCountsAsText,
	type OutgoingSummary,
	readEmailOverview,
	sendingDelaysAsText,
	waitingAsText,
	warmUpAsText,
} from "../../mail/overview.ts";
import { pauseAllEmail, resendUnknownEmails, resumeAllEmail } from "../../mail/people/actions.ts";
import { emailKeyOf } from "../../registrations/registrations.ts";
import { formatCount, formatNumber } from "../../text/format-number.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import {
	actionRoute,
	card,
	confirmForm,
	NO_MAIL_CARD,
	personPath,
	responsiveTable,
	sentenceAsHtml,
	timeAsHtml,
} from "../parts.ts";
import { getRoute, type Route } from "../responses.ts";

export const EMAILS_PATH = "/emails";

export const emailRoutes: readonly Route[] = [
	getRoute(EMAILS_PATH, async ({ database, settings, now }) => {
		const numbers = await readEmailOverview(database, settings.mail, now);
		const { emails, troubled, warmUp, pause, slowed } = numbers;
		const unknown = countUnknownEmails(numbers);
		const normally = html`<p class="well">Sending normally.</p>
<form method="post" action="${EMAILS_PATH}/pause"><button class="act" type="submit">Pause all emails</button></form>`;
		const state = html`<section class="card state" aria-label="State">
<p>${waitingAsText(numbers)}</p>
${sendingDelaysAsHtml(numbers)}
${pause || slowed.length > 0 ? html`` : normally}
${warmUp ? html`<p>${warmUpAsText(warmUp)}</p>` : html``}
</section>`;
		return {
			title: "Emails",
			main: html`${settings.mail ? html`` : NO_MAIL_CARD}
${settings.mail || pause ? state : html``}
${unknown === 0 ? html`` : unknownCard(unknown)}
${emails.length === 0 ? html`` : card("states", "All emails", html`${emailCountsAsHtml(numbers)}`)}
${troubled.length === 0 ? html`` : troubledEmails(numbers, now)}`,
		};
	}),
	actionRoute(`${EMAILS_PATH}/pause`, EMAILS_PATH, pauseAllEmail),
	actionRoute(`${EMAILS_PATH}/resume`, EMAILS_PATH, resumeAllEmail),
	actionRoute(`${EMAILS_PATH}/unknown`, EMAILS_PATH, resendUnknownEmails),
	getRoute(`${EMAILS_PATH}/unknown`, () =>
		confirmForm("Send these emails again?", {
			back: EMAILS_PATH,
			button: "Send again",
			words: html`<p>This may send duplicates to some people. No one who has since unsubscribed or bounced gets one, and no one who has since confirmed gets another confirmation.</p>`,
		}),
	),
];

export function sendingDelaysAsHtml(outgoing: OutgoingSummary): Html {
	const stops = sendingDelaysAsText(outgoing);
	if (stops.length === 0) return html``;
	return html`${stops.map((stop) => html`<p class="alarm">${sentenceAsHtml(stop)}</p>`)}
<form method="post" action="${EMAILS_PATH}/resume"><button class="act strong" type="submit">${outgoing.pause ? "Resume" : "Resume full rate"}</button></form>`;
}

export const emailCountsAsHtml = (outgoing: OutgoingSummary) =>
	emailCountsAsText(outgoing).map((counts) => html`<p>${counts}.</p>`);

const unknownCard = (count: number): Html =>
	card(
		"unknown",
		"Delivery unknown",
		html`<p>${formatCount(count, "email")} may or may not have arrived: the connection or the server failed while sending, or a backup was restored. Check your mail provider’s log, then use <code>waitlist sent --file log.csv</code>.</p>
<p class="actions"><a class="act" href="${EMAILS_PATH}/unknown">Send again…</a></p>`,
	);

function troubledEmails({ troubled }: EmailOverview, now: Date): Html {
	const rows = troubled.map(({ email, state, code, attempts, time }) => [
		html`<a href="${personPath(emailKeyOf(email))}">${printableLine(email)}</a>`,
		printableLine(code),
		formatNumber(attempts),
		html`${state === "deferred" ? "Next attempt:" : "Gave up:"} ${timeAsHtml(time, now)}`,
	]);
	const columns = ["Address", "Server reply", "Attempts", "State"];
	return html`<h2>Deferred or given up</h2>
${responsiveTable(columns, rows, { wide: "State" })}`;
}
