import { countUnwanted } from "../../mail/emails/email-counts.ts";
import { type Overview, readOverview } from "../../mail/emails/overview.ts";
import { retryEmails } from "../../mail/emails/resend.ts";
import { type Pause, pauseEmails, releaseEmails, UNTIL_RELEASED } from "../../mail/rate/pauses.ts";
import { throttledAsText } from "../../mail/rate/throttle.ts";
import { rampAsText } from "../../mail/rate/warm-up.ts";
import { endAsText } from "../../mail/wave/wave-counts.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { type Outgoing, readOutgoing } from "../numbers.ts";
import type { Route } from "../page.ts";
import {
	card,
	counted,
	facts,
	figure,
	nothing,
	notice,
	sentenceAsHtml,
	sheet,
	timeAsHtml,
} from "../parts.ts";

export const EMAILS_PATH = "/emails";

/** Notices by the name in the next address, which cannot hold text. */
const DONE: Readonly<Record<string, string>> = {
	resumed: "Emails go out again, as the sending rate allows.",
	again: "They are sent again, as the sending rate allows.",
};

const doneAsHtml = (search: URLSearchParams) => {
	const did = search.get("did") ?? "";
	return Object.hasOwn(DONE, did) ? notice(DONE[did]!) : html``;
};

export const NO_MAIL = nothing(
	"No mail server is set up, so no email is sent.",
	html`Set <code>SMTP_URL</code>, <code>WAITLIST_MAIL_FROM</code> and <code>SITE_ORIGIN</code>, and restart.`,
);

export const emailRoutes: readonly Route[] = [
	{
		method: "GET",
		path: EMAILS_PATH,
		async respond({ database, settings: { mail }, now, search }) {
			const emails = await readOverview(database, mail, now);
			const outgoing = await readOutgoing(database, mail, now);
			const unknown = emails.letters
				.filter(({ state }) => state === "unknown")
				.reduce((sum, { count }) => sum + count, 0);
			return {
				title: "Emails",
				main: html`${doneAsHtml(search)}${mail ? html`` : NO_MAIL}
${stateCard(emails, outgoing)}
${unknown === 0 ? html`` : unknownCard(unknown, await countUnwanted(database))}
${emails.letters.length === 0 ? html`` : countsCard(emails)}
${emails.troubled.length === 0 ? html`` : troubledCard(emails.troubled)}`,
			};
		},
	},
	{
		method: "POST",
		path: `${EMAILS_PATH}/pause`,
		async respond({ database, note }) {
			const pause = { until: UNTIL_RELEASED, reason: "", cause: "operator" as const };
			await database.transact(pauseEmails, { ...pause, also: note("emails paused") });
			return { seeOther: EMAILS_PATH };
		},
	},
	{
		method: "POST",
		path: `${EMAILS_PATH}/resume`,
		async respond({ database, now, note }) {
			await database.transact(releaseEmails, { now, also: note("emails resumed") });
			return { seeOther: `${EMAILS_PATH}?did=resumed` };
		},
	},
	{
		method: "POST",
		path: `${EMAILS_PATH}/unknown`,
		async respond({ database, form, now, note }) {
			if (form.get("sure") !== "yes") return { seeOther: EMAILS_PATH };
			await database.transact(retryEmails, { now, also: note("unknown emails sent again") });
			return { seeOther: `${EMAILS_PATH}?did=again` };
		},
	},
];

/** `Waiting 76 (76 in the paused wave beta-1)` */
function waitingAsText({ waiting, paused }: Pick<Outgoing, "waiting" | "paused">): string {
	const inPaused = paused.reduce((sum, wave) => sum + wave.waiting, 0);
	const parts = paused.map((wave) => `${figure(wave.waiting)} in the paused wave ${wave.wave}`);
	const of = parts.length > 0 ? ` (${parts.join(", ")})` : "";
	return `${figure(waiting.letters + inPaused)}${of}`;
}

/** How many emails wait, and until when. */
export function waitingAsHtml(outgoing: Outgoing): Html {
	const { waiting, paused, pause } = outgoing;
	if (waiting.letters === 0 && paused.length === 0) return html`No email is waiting.`;
	const until =
		waiting.letters === 0
			? html``
			: waiting.lastAt
				? html` At today’s rate the last one goes out by ${timeAsHtml(waiting.lastAt)}.`
				: pause
					? html``
					: html` No rate is set: they go out as fast as the mail server accepts them.`;
	return html`Waiting ${waitingAsText(outgoing)}.${until}`;
}

const CAUSES: Readonly<Record<Pause["cause"], string>> = {
	unreachable: "The mail server cannot be reached",
	refused: "The mail server refuses emails",
	quota: "The mail server’s quota is used up",
	operator: "Paused by you",
};

/** Says why nothing is sent, and until when. */
export function pauseAsHtml({ until, reason, cause }: Pause): Html {
	const end =
		until === UNTIL_RELEASED
			? html`Nothing is sent until you resume.`
			: html`Nothing is sent until ${timeAsHtml(until)}.`;
	return html`<p class="alarm"><b>${CAUSES[cause]}.</b> ${end} ${sentenceAsHtml(reason)}</p>`;
}

/** The button that ends a pause and throttles; nothing without any. */
export function resumeForm({ pause, slowed }: Pick<Outgoing, "pause" | "slowed">): Html {
	if (!pause && slowed.length === 0) return html``;
	return html`<form method="post" action="${EMAILS_PATH}/resume"><button class="act strong" type="submit">${pause ? "Resume" : "Send at the full rate"}</button></form>`;
}

function stateCard({ held, ramp }: Overview, outgoing: Outgoing): Html {
	const { waiting, pause, slowed } = outgoing;
	const rows: [string, string | Html][] = [["Waiting", waitingAsText(outgoing)]];
	if (waiting.oldest) rows.push(["Oldest requested", timeAsHtml(waiting.oldest)]);
	if (waiting.lastAt) rows.push(["Last one goes out", timeAsHtml(waiting.lastAt)]);
	if (held > 0) rows.push(["Held", html`${figure(held)}, until <code>waitlist resume</code>`]);
	const clear =
		pause || slowed.length > 0
			? html``
			: html`<p class="well">Emails go out normally.</p><form method="post" action="${EMAILS_PATH}/pause"><button class="act" type="submit">Pause all emails</button></form>`;
	return html`<section class="card state" aria-label="State">
${pause ? pauseAsHtml(pause) : html``}
${slowed.map((stream) => html`<p class="alarm">${throttledAsText(stream)}</p>`)}
${resumeForm(outgoing)}${clear}
${facts(rows)}
${ramp ? html`<p>${rampAsText(ramp)}</p>` : html``}
</section>`;
}

function countsCard({ letters }: Overview): Html {
	const rows = letters.map(({ kind, state, count }) => {
		return html`<tr><th scope="row">${kind}</th><td>${endAsText(state)}</td><td class="number">${figure(count)}</td></tr>`;
	});
	return html`<h2 id="states">By kind and state</h2>
<div class="card"><table aria-labelledby="states">
<thead><tr><th scope="col">Kind</th><th scope="col">State</th><th scope="col" class="number">Emails</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

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

function unknownCard(count: number, unwanted: number): Html {
	const never =
		unwanted > 0
			? html`<p>${counted(unwanted, "of them is", "of them are")} never sent again, because the people unsubscribed, bounced or confirmed.</p>`
			: html``;
	return card(
		"unknown",
		"Unknown",
		html`<p>The connection broke after ${counted(count, "email was", "emails were")} handed over, so it is unknown whether they arrived. Your mail provider’s log may tell: see <code>waitlist sent</code>.</p>
${never}
<form method="post" action="${EMAILS_PATH}/unknown"><label class="pick"><input type="checkbox" name="sure" value="yes" required> Send them again: some people may get theirs twice.</label>
<button class="act" type="submit">Send again</button></form>`,
	);
}
