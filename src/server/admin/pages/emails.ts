import { type Html, html } from "../../html.ts";
import { countUnwanted } from "../../mail/emails/letter-counts.ts";
import { readUnknown, type UnknownPlace } from "../../mail/emails/letters.ts";
import { type Letters, readLetters } from "../../mail/emails/overview.ts";
import { retryLetters } from "../../mail/emails/retry.ts";
import { type Pause, releaseEmails, UNTIL_RELEASED } from "../../mail/rate/pauses.ts";
import { throttledAsText } from "../../mail/rate/throttle.ts";
import { rampAsText } from "../../mail/rate/warm-up.ts";
import { endAsText } from "../../mail/wave/wave-counts.ts";
import { printableLine } from "../../printable.ts";
import { type Outgoing, readOutgoing } from "../numbers.ts";
import type { Route } from "../page.ts";
import {
	counted,
	cutPage,
	facts,
	figure,
	nothing,
	notice,
	pageLinks,
	sentenceAsHtml,
	sheet,
	timeAsHtml,
} from "../parts.ts";

export const EMAILS_PATH = "/emails";

const UNKNOWN_PATH = `${EMAILS_PATH}/unknown`;

/** Rows on one page of emails with an unknown outcome. */
const PAGE = 100;

/** What was done, as the next page says it: an address names one of these, and no text of its own. */
const DONE: Readonly<Record<string, string>> = {
	resumed: "Emails go out again, as the sending rate allows.",
	again: "They are sent again, as the sending rate allows.",
	"none-chosen": "No email was chosen, so none is sent again.",
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
		async respond({ database: { query }, settings: { mail }, now, search }) {
			const emails = await readLetters(query, mail, now);
			const outgoing = await readOutgoing({ query }, mail, now);
			return {
				title: "Emails",
				main: html`${doneAsHtml(search)}${mail ? html`` : NO_MAIL}
${stateCard(emails, outgoing)}
${emails.letters.length === 0 ? html`` : countsCard(emails)}
${emails.troubled.length === 0 ? html`` : troubledCard(emails.troubled)}`,
			};
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
		method: "GET",
		path: UNKNOWN_PATH,
		async respond({ database, search }) {
			const after = placeIn(search);
			const { rows, last } = cutPage(await readUnknown(database.query, after, PAGE + 1), PAGE);
			const unwanted = await countUnwanted(database.query);
			return {
				title: "Unknown emails",
				main: html`${doneAsHtml(search)}<p class="lead">The connection broke after these emails were handed over, so it is unknown whether they arrived. If you send them again, some people may get theirs twice.</p>
${unwanted > 0 ? html`<p>${counted(unwanted, "email is", "emails are")} never sent again, because the people unsubscribed, bounced or confirmed.</p>` : html``}
${rows.length === 0 ? nothing(`No ${after ? "other " : ""}email is unknown.`, "There is nothing to decide.") : unknownForm(rows)}
${pageLinks([
	after ? { href: UNKNOWN_PATH, name: "First" } : { href: EMAILS_PATH, name: "Emails" },
	last && { href: `${UNKNOWN_PATH}?${placeAsSearch(last)}`, name: "Next" },
])}`,
			};
		},
	},
	{
		method: "POST",
		path: UNKNOWN_PATH,
		mostBytes: PAGE * 1000,
		async respond({ database, form, now, note }) {
			const isAll = form.get("all") === "yes";
			const keys = isAll ? undefined : form.getAll("key").slice(0, PAGE);
			if (keys?.length === 0) return { seeOther: `${UNKNOWN_PATH}?did=none-chosen` };
			const also = note("unknown emails sent again", isAll ? "all" : `${keys!.length} chosen`);
			await database.transact(retryLetters, { keys, now, also });
			return { seeOther: `${UNKNOWN_PATH}?did=again` };
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

function stateCard({ held, ramp }: Letters, outgoing: Outgoing): Html {
	const { waiting, pause, slowed } = outgoing;
	const rows: [string, string | Html][] = [["Waiting", waitingAsText(outgoing)]];
	if (waiting.oldest) rows.push(["Oldest requested", timeAsHtml(waiting.oldest)]);
	if (waiting.lastAt) rows.push(["Last one goes out", timeAsHtml(waiting.lastAt)]);
	if (held > 0)
		rows.push(["Held", html`${figure(held)}, until <code>waitlist release --held</code>`]);
	const clear =
		pause || slowed.length > 0 ? html`` : html`<p class="well">Emails go out normally.</p>`;
	return html`<section class="card state" aria-label="State">
${pause ? pauseAsHtml(pause) : html``}
${slowed.map((stream) => html`<p class="alarm">${throttledAsText(stream)}</p>`)}
${resumeForm(outgoing)}${clear}
${facts(rows)}
${ramp ? html`<p>${rampAsText(ramp)}</p>` : html``}
</section>`;
}

function countsCard({ letters }: Letters): Html {
	const rows = letters.map(({ kind, state, count }) => {
		const decide = state === "unknown" ? html` <a href="${UNKNOWN_PATH}">Decide</a>` : html``;
		return html`<tr><th scope="row">${kind}</th><td>${endAsText(state)}${decide}</td><td class="number">${figure(count)}</td></tr>`;
	});
	return html`<h2 id="states">By kind and state</h2>
<div class="card"><table aria-labelledby="states">
<thead><tr><th scope="col">Kind</th><th scope="col">State</th><th scope="col" class="number">Emails</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function troubledCard(troubled: Letters["troubled"]): Html {
	const rows = troubled.map(
		({ email, kind, state, code, attempts, time }) => html`<tr>
<th scope="row">${printableLine(email)}</th><td data-name="Kind">${kind}</td>
<td data-name="Answer">${printableLine(code)}</td><td data-name="Attempts">${figure(attempts)}</td>
<td class="wide">${state === "deferred" ? "Next attempt" : "Given up"} ${timeAsHtml(time)}</td></tr>`,
	);
	return html`<h2>Deferred or given up</h2>
${sheet("", ["Address", "Kind", "Answer", "Attempts", "Next"], rows)}`;
}

function unknownForm(unknown: Awaited<ReturnType<typeof readUnknown>>): Html {
	const rows = unknown.map(
		({ email, kind, time, key }) => html`<tr>
<th scope="row"><label class="pick"><input type="checkbox" name="key" value="${key}"> ${printableLine(email)}</label></th>
<td data-name="Kind">${kind}</td><td data-name="Last attempt">${timeAsHtml(time)}</td></tr>`,
	);
	return html`<form method="post" action="${UNKNOWN_PATH}">
${sheet("", ["Address", "Kind", "Last attempt"], rows)}
<p class="actions"><button class="act strong" type="submit">Send the chosen ones again</button>
<button class="act" type="submit" name="all" value="yes">Send all again</button></p>
</form>`;
}

const placeAsSearch = ({ time, recipient, kind }: UnknownPlace) =>
	new URLSearchParams({ time, recipient, kind }).toString();

/** The place that an address names; undefined without one. */
function placeIn(search: URLSearchParams): UnknownPlace | undefined {
	const [time, recipient, kind] = ["time", "recipient", "kind"].map((name) => search.get(name));
	return time && kind ? { time, recipient: recipient ?? "", kind } : undefined;
}
