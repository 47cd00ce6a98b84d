import type { Finding } from "../../database/database.ts";
import { MARKS } from "../../mail/people/list.ts";
import { throttledAsText } from "../../mail/rate/throttle.ts";
import { BURST } from "../../registrations/flags.ts";
import type { Joined } from "../../registrations/people.ts";
import { isSourceLabel } from "../../registrations/source.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { shownTime } from "../../time.ts";
import { readHealth } from "../health.ts";
import { type Funnel, readToday, type TodayNumbers } from "../numbers.ts";
import type { Route } from "../page.ts";
import {
	card,
	figure,
	figures,
	findForm,
	flagAsText,
	sentenceAsHtml,
	timeAsHtml,
} from "../parts.ts";
import { EMAILS_PATH, pauseAsHtml, resumeForm, waitingAsHtml } from "./emails.ts";
import { listAt } from "./people-filter.ts";
import { WAVES_PATH } from "./waves.ts";

export const todayRoutes: readonly Route[] = [
	{
		method: "GET",
		path: "/",
		async respond({ database, settings, now }) {
			const numbers = await readToday(database, settings, now);
			const health = await readHealth(database, settings, now);
			return {
				title: "Today",
				main: html`<div class="fresh"><p>As of ${timeAsHtml(numbers.asOf)}</p>${findForm()}
<a class="act" href="/">Refresh</a></div>
<div class="first">
${joinsCard(numbers)}
${card("by-day", "Joins by day", byDay(numbers.days))}
</div>
${funnelCard(numbers.funnel)}
<div class="cards">
${sourcesCard(numbers)}
${emailsCard(numbers, settings.mail !== undefined)}
<div>${healthCard(health)}
${flagsCard(numbers.flags)}</div>
</div>`,
			};
		},
	},
];

function joinsCard({ today, funnel, asOf }: TodayNumbers): Html {
	const time = shownTime(asOf).slice(11, 16);
	return html`<section class="card tally" aria-labelledby="total"><h2 id="total">On the waitlist</h2>
<p class="large">${figure(funnel.joined)}</p>
<dl class="known"><dt>Joined today</dt><dd>${figure(today.now)}</dd><dt>Yesterday by ${time}</dt><dd>${figure(today.yesterday)}</dd><dt>A week ago by ${time}</dt><dd>${figure(today.weekAgo)}</dd></dl></section>`;
}

/** Size of the chart in its own units: the style sheet stretches it. */
const [WIDTH, HEIGHT] = [480, 160];

/** The next round number, which has a whole half: 2, 4, 6, 10, 20, 40, 60, 100, … */
function roundUp(most: number): number {
	const power = 10 ** Math.floor(Math.log10(Math.max(2, most)));
	return [1, 2, 4, 6, 10].map((step) => step * power).find((top) => top >= Math.max(2, most))!;
}

/** Draws a bar for each day, all in one path, with the numbers in a table. */
function byDay(days: readonly Joined[]): Html {
	const most = Math.max(...days.map(({ count }) => count));
	const top = roundUp(most);
	const width = WIDTH / days.length;
	const bars = days.flatMap(({ count }, n) => {
		const x = ((n + 0.15) * width).toFixed(1);
		const y = (HEIGHT * (1 - count / top)).toFixed(1);
		return count > 0 ? [`M${x} ${HEIGHT}V${y}h${(0.7 * width).toFixed(1)}V${HEIGHT}z`] : [];
	});
	const [first, last] = [days[0]!.name, days.at(-1)!.name];
	const label = `Joins by day, from ${first} to ${last}: ${figure(most)} at most.`;
	const axis = [top, top / 2, 0].map((value) => html`<li>${figure(value)}</li>`);
	const rows = days.toReversed().map(({ name, count }) => [name, figure(count)] as const);
	return html`<div class="chart"><ol class="axis" aria-hidden="true">${axis}</ol><svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="grid" d="M0 0H${String(WIDTH)}M0 ${String(HEIGHT / 2)}H${String(WIDTH)}M0 ${String(HEIGHT)}H${String(WIDTH)}"/><path class="bars" d="${bars.join("") || "M0 0"}"/></svg>
<ol class="ticks" aria-hidden="true"><li>${first.slice(5)}</li><li>Today</li></ol></div>
<details class="numbers"><summary>As a table</summary>${figures(["Day", "Joined"], rows)}</details>`;
}

/** From a visit to a redeemed code, each with its share of the step before. */
function funnelCard({ visits, visitsSince, joined, confirmed, invited, redeemed }: Funnel): Html {
	const steps = [
		["Visits", visits],
		["Joined", joined, listAt({})],
		["Confirmed", confirmed, listAt({ state: "confirmed" })],
		["Invited", invited, WAVES_PATH],
		["Redeemed", redeemed, WAVES_PATH],
	] as const;
	const items = steps.map(([name, count, path], n) => {
		const before = n > 0 ? steps[n - 1]![1] : undefined;
		const link = path && count ? html`<a href="${path}">${name}</a>` : html`${name}`;
		return html`<li><span class="figure-name">${link}</span> <b>${count === undefined ? "–" : figure(count)}</b> <span class="fine">${shareAsText(count, before)}</span></li>`;
	});
	const since = visitsSince ? html`<p class="fine">Visits since ${visitsSince}.</p>` : html``;
	return card(
		"funnel",
		"From visit to sign-up",
		html`<ol class="facts steps">${items}</ol>${since}`,
	);
}

/** More than all of the step before means that something was not counted. */
function shareAsText(count: number | undefined, before: number | undefined): string {
	if (count === undefined || !before || count > before) return "";
	return `${((100 * count) / before).toFixed(1)} %`;
}

function sourcesCard({ sources, days }: TodayNumbers): Html {
	const list = (joined: readonly Joined[], none: string, since: Record<string, string> = {}) => {
		if (joined.length === 0) return html`<p class="empty">${none}</p>`;
		const rows = joined.map(({ name, count }) => {
			const words = printableLine(name);
			// An import brings in sources that no filter accepts.
			const link = isSourceLabel(name)
				? html`<a href="${listAt({ source: name, ...since })}">${words}</a>`
				: words;
			return [link, figure(count)] as const;
		});
		return figures(["Source", "Joined"], rows);
	};
	const all = list(sources.all, "Nobody joined yet.");
	const today = list(sources.today, "Nobody joined today yet.", { since: days.at(-1)!.name });
	return card("sources", "Sources", html`<h3>Today</h3>${today}<h3>All days</h3>${all}`);
}

function emailsCard(numbers: TodayNumbers, hasMail: boolean): Html {
	const { pause, slowed } = numbers;
	return card(
		"emails",
		"Emails",
		html`${hasMail ? html`<p>${waitingAsHtml(numbers)}</p>` : html`<p class="empty">No mail server is set up, so no email is sent.</p>`}
${pause ? pauseAsHtml(pause) : html``}
${slowed.map((stream) => html`<p class="alarm">${throttledAsText(stream)}</p>`)}
${resumeForm(numbers)}
<p class="actions"><a class="act" href="${EMAILS_PATH}">All emails</a></p>`,
	);
}

/** Problems come first. */
function healthCard(findings: readonly Finding[]): Html {
	const rows = [...findings]
		.sort((a, b) => Number(a.ok) - Number(b.ok))
		.map(({ name, ok, found }) => {
			const [look, words] = ok ? [html``, html``] : [html` class="alarm"`, html`<b>Problem: </b>`];
			return html`<dt>${name}</dt><dd${look}>${words}${sentenceAsHtml(found)}</dd>`;
		});
	return card("health", "Health", html`<dl class="known">${rows}</dl>`);
}

function flagsCard(flags: readonly Joined[]): Html {
	if (flags.length === 0) return html``;
	const rows = flags.map(({ name, count }) => {
		const isListed = MARKS.some((flag) => flag === name);
		const words = flagAsText(name);
		const link = isListed ? html`<a href="${listAt({ flag: name })}">${words}</a>` : words;
		return [link, figure(count)] as const;
	});
	const burst = flags.some(({ name }) => name === BURST)
		? html`<p class="fine">People in a burst joined with many others from one network. They get no email before you confirm them, on their page or by <code>waitlist confirm --flag burst</code>.</p>`
		: html``;
	return card("flags", "Flags", html`${figures(["Flag", "People"], rows)}${burst}`);
}
