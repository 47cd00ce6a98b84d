import type { CheckResult } from "../../database/database.ts";
import { readHealth, readNumbersToday, type WaitlistNumbers } from "../../numbers.ts";
import { BURST, FLAG_FILTERS } from "../../registrations/flags.ts";
import type { JoinCount } from "../../registrations/people.ts";
import { isSourceLabel } from "../../registrations/registrations.ts";
import { formatNumber } from "../../text/format-number.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { shownTime } from "../../time.ts";
import {
	card,
	figures,
	flagAsText,
	listPath,
	NO_MAIL,
	searchForm,
	sentenceAsHtml,
	timeAsHtml,
} from "../parts.ts";
import { get } from "../responses.ts";
import { EMAILS_PATH, outgoingAsHtml } from "./emails.ts";
import { WAVES_PATH } from "./waves.ts";

export const todayRoute = get("/", async ({ database, settings, now }) => {
	const numbers = await readNumbersToday(database, settings, now);
	const health = await readHealth(database, settings, now);
	const emails = settings.mail ? outgoingAsHtml(numbers) : html`<p class="empty">${NO_MAIL}</p>`;
	return {
		title: "Today",
		main: html`<div class="fresh"><p>As of ${timeAsHtml(numbers.asOf)}</p>${searchForm()}
<a class="act" href="/">Refresh</a></div>
<div class="first">
${joinsCard(numbers)}
${card("by-day", "Joins by day", byDay(numbers.days))}
</div>
${funnelCard(numbers)}
<div class="cards">
${sourcesCard(numbers)}
${card("emails", "Emails", html`${emails}<p class="actions"><a class="act" href="${EMAILS_PATH}">All emails</a></p>`)}
<div>${healthCard(health)}
${flagsCard(numbers.flags)}</div>
</div>`,
	};
});

function joinsCard({ today, total, asOf }: WaitlistNumbers): Html {
	const time = shownTime(asOf).slice(11, 16);
	return html`<section class="card tally" aria-labelledby="total"><h2 id="total">On the waitlist</h2>
<p class="large">${formatNumber(total)}</p>
<dl class="known"><dt>Joined today</dt><dd>${formatNumber(today.now)}</dd><dt>Yesterday by ${time}</dt><dd>${formatNumber(today.yesterday)}</dd><dt>A week ago by ${time}</dt><dd>${formatNumber(today.weekAgo)}</dd></dl></section>`;
}

/** Size of the chart's view box, which CSS stretches. */
const [WIDTH, HEIGHT] = [480, 160];

/** Draws a bar per day, all in one path, and a table of the numbers. */
function byDay(days: WaitlistNumbers["days"]): Html {
	const top = Math.max(1, ...days.map(({ count }) => count));
	const width = WIDTH / days.length;
	const bars = days.flatMap(({ count }, n) => {
		const x = ((n + 0.15) * width).toFixed(1);
		const y = (HEIGHT * (1 - count / top)).toFixed(1);
		return count > 0 ? [`M${x} ${HEIGHT}V${y}h${(0.7 * width).toFixed(1)}V${HEIGHT}z`] : [];
	});
	const [first, last] = [days[0]!.name, days.at(-1)!.name];
	const label = `Joins by day, from ${first} to ${last}: ${formatNumber(top)} at most.`;
	const rows = days
		.toReversed()
		.map(({ name, count, visits }) => [name, formatNumber(count), formatNumber(visits)] as const);
	return html`<div class="chart"><ol class="axis" aria-hidden="true"><li>${formatNumber(top)}</li><li>0</li></ol><svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="grid" d="M0 0H${String(WIDTH)}M0 ${String(HEIGHT)}H${String(WIDTH)}"/><path class="bars" d="${bars.join("") || "M0 0"}"/></svg>
<ol class="ticks" aria-hidden="true"><li>${first.slice(5)}</li><li>Today</li></ol></div>
<details class="numbers"><summary>As a table</summary>${figures(["Day", "Joined", "Visits"], rows)}</details>`;
}

/** Steps from visit to redeemed code, each with its share of the previous step. */
function funnelCard({ visits, total, people, invitations }: WaitlistNumbers): Html {
	const steps = [
		["Visits", visits?.count],
		["Joined", total, listPath({})],
		["Confirmed", people.confirmed, listPath({ state: "confirmed" })],
		["Invited", invitations?.invited, WAVES_PATH],
		["Redeemed", invitations?.redeemed, WAVES_PATH],
	] as const;
	const items = steps.map(([name, count, path], n) => {
		const link = path && count ? html`<a href="${path}">${name}</a>` : html`${name}`;
		return html`<li><span class="figure-name">${link}</span> <b>${count === undefined ? "–" : formatNumber(count)}</b> <span class="fine">${shareAsText(count, steps[n - 1]?.[1])}</span></li>`;
	});
	const since = visits ? html`<p class="fine">Visits since ${visits.since}.</p>` : html``;
	const list = html`<ol class="facts steps">${items}</ol>${since}`;
	return card("funnel", "From visit to sign-up", list);
}

/** Returns '' above 100 %, where the previous step's count is incomplete. */
const shareAsText = (count: number | undefined, before: number | undefined) =>
	count === undefined || !before || count > before
		? ""
		: `${((100 * count) / before).toFixed(1)} %`;

/** Count of people, with a link to their list. Some imported names have no filter, and so no link. */
const countRow = (words: string, filter: Record<string, string> | false, count: number) =>
	[filter ? html`<a href="${listPath(filter)}">${words}</a>` : words, formatNumber(count)] as const;

function sourcesCard({ sources, days }: WaitlistNumbers): Html {
	const list = (joined: readonly JoinCount[], since: Record<string, string> = {}) => {
		if (joined.length === 0) return html`<p class="empty">Nobody yet.</p>`;
		const rows = joined.map(({ name, count }) =>
			countRow(printableLine(name), isSourceLabel(name) && { source: name, ...since }, count),
		);
		return figures(["Source", "Joined"], rows);
	};
	const today = list(sources.today, { since: days.at(-1)!.name });
	const all = list(sources.all);
	return card("sources", "Sources", html`<h3>Today</h3>${today}<h3>All days</h3>${all}`);
}

function healthCard(findings: readonly CheckResult[]): Html {
	const rows = findings
		.toSorted((a, b) => Number(a.ok) - Number(b.ok))
		.map(({ name, ok, found }) =>
			ok
				? html`<dt>${name}</dt><dd>${sentenceAsHtml(found)}</dd>`
				: html`<dt>${name}</dt><dd class="alarm"><b>Problem: </b>${sentenceAsHtml(found)}</dd>`,
		);
	return card("health", "Health", html`<dl class="known">${rows}</dl>`);
}

function flagsCard(flags: readonly JoinCount[]): Html {
	if (flags.length === 0) return html``;
	const rows = flags.map(({ name, count }) => {
		const isFilter = FLAG_FILTERS.some((flag) => flag === name);
		return countRow(flagAsText(name), isFilter && { flag: name }, count);
	});
	const burst = flags.some(({ name }) => name === BURST)
		? html`<p class="fine">People in a burst joined with many others from one network. They get no email until you send them the confirmation: on their page, or with <code>waitlist confirm --flag burst</code>.</p>`
		: html``;
	return card("flags", "Flags", html`${figures(["Flag", "People"], rows)}${burst}`);
}
