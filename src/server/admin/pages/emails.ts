import { countLost } from "../../mail/emails/unknown-emails.ts";
import {
	type Outgoing,
	type Overview,
	rampAsText,
	readOutgoing,
	readOverview,
	stoppedAsText,
	waitingAsText,
} from "../../mail/overview.ts";
import { pauseAll, resendUnknown, resumeAll } from "../../mail/people/actions.ts";
import { endAsText, readCountedWaves } from "../../mail/waves.ts";
import { counted, figure } from "../../text/figure.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import {
	actionRoute,
	card,
	confirmForm,
	figures,
	nothing,
	sentenceAsHtml,
	sheet,
	timeAsHtml,
} from "../parts.ts";
import type { Route } from "../responses.ts";

export const EMAILS_PATH = "/emails";

export const NO_MAIL = nothing(
	"No mail server is set up, so no email is sent.",
	html`Set <code>SMTP_URL</code>, <code>WAITLIST_MAIL_FROM</code> and <code>SITE_ORIGIN</code>, and restart.`,
);

export const emailRoutes: readonly Route[] = [
	{
		method: "GET",
		path: EMAILS_PATH,
		async respond({ database, settings: { mail }, now }) {
			const overview = await readOverview(database, mail);
			const { emails, troubled, ramp } = overview;
			const outgoing = await readOutgoing(database, {
				rates: mail,
				waves: await readCountedWaves(database, now),
				now,
			});
			const pause = html`<form method="post" action="${EMAILS_PATH}/pause"><button class="act" type="submit">Pause all emails</button></form>`;
			return {
				title: "Emails",
				main: html`${mail ? html`` : NO_MAIL}
<section class="card state" aria-label="State">
${outgoingAsHtml(outgoing)}
${outgoing.pause || outgoing.slowed.length > 0 ? html`` : html`<p class="well">Emails go out normally.</p>${pause}`}
${ramp ? html`<p>${rampAsText(ramp)}</p>` : html``}
</section>
${unknownCard(countUnknown(overview))}
${emails.length === 0 ? html`` : countsCard(overview)}
${troubled.length === 0 ? html`` : troubledCard(troubled)}`,
			};
		},
	},
	actionRoute(`${EMAILS_PATH}/pause`, EMAILS_PATH, pauseAll),
	actionRoute(`${EMAILS_PATH}/resume`, EMAILS_PATH, resumeAll),
	actionRoute(`${EMAILS_PATH}/unknown`, EMAILS_PATH, resendUnknown),
	{
		method: "GET",
		path: `${EMAILS_PATH}/unknown`,
		async respond({ database }) {
			const { wanted, unwanted } = await countLost(database);
			return confirmForm({
				title: "Send them again?",
				path: `${EMAILS_PATH}/unknown`,
				back: EMAILS_PATH,
				button: `Send ${counted(wanted, "email")} again`,
				words: html`<p>Some people may get theirs twice.</p>
${unwanted > 0 ? html`<p>${counted(unwanted, "other is", "others are")} never sent again, because the people unsubscribed, bounced or confirmed.</p>` : html``}`,
			});
		},
	},
];

/** Emails that wait, what stops or slows them, and the button that ends that. */
export function outgoingAsHtml(outgoing: Outgoing): Html {
	const stops = stoppedAsText(outgoing);
	const resume = html`<form method="post" action="${EMAILS_PATH}/resume"><button class="act strong" type="submit">Resume</button></form>`;
	return html`<p>${waitingAsText(outgoing)}</p>
${stops.map((stop) => html`<p class="alarm">${sentenceAsHtml(stop)}</p>`)}
${stops.length > 0 ? resume : html``}`;
}

const countUnknown = ({ emails }: Overview) =>
	emails.filter(({ state }) => state === "unknown").reduce((sum, { count }) => sum + count, 0);

const unknownCard = (count: number): Html =>
	count === 0
		? html``
		: card(
				"unknown",
				"Unknown",
				html`<p>The connection broke after ${counted(count, "email was", "emails were")} handed over, so it is unknown whether they arrived. Your mail provider’s log may tell: see <code>waitlist sent</code>.</p>
<p class="actions"><a class="act" href="${EMAILS_PATH}/unknown">Send again…</a></p>`,
			);

const countsCard = ({ emails }: Overview): Html =>
	card(
		"states",
		"By kind and state",
		figures(
			["Kind and state", "Emails"],
			emails.map(
				({ kind, state, count }) => [`${kind}, ${endAsText(state)}`, figure(count)] as const,
			),
		),
	);

function troubledCard(troubled: Overview["troubled"]): Html {
	const rows = troubled.map(
		({ email, kind, state, code, attempts, time }) => html`<tr>
<th scope="row">${printableLine(email)}</th><td data-name="Kind">${kind}</td>
<td data-name="Answer">${printableLine(code)}</td><td data-name="Attempts">${figure(attempts)}</td>
<td class="wide">${state === "deferred" ? "Next attempt" : "Given up"} ${timeAsHtml(time)}</td></tr>`,
	);
	return html`<h2>Deferred or given up</h2>
${sheet("", ["Address", "Kind", "Answer", "Attempts", "Next"], rows)}`;
}
