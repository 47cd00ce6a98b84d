import type { CheckResult } from "../../database/database.ts";
import {
	countUnknownEmails,
	NO_MAIL,
	sendingDelaysAsText,
	waitingAsText,
} from "../../mail/overview.ts";
import { type ListedPerson, readPeople } from "../../mail/people/list.ts";
import { readHealth, readNumbersToday, type WaitlistNumbers } from "../../numbers.ts";
import { BURST_FLAG } from "../../registrations/flags.ts";
import { isSourceLabel } from "../../registrations/registrations.ts";
import { formatCount, formatNumber } from "../../text/format-number.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { shortDay, shortTime } from "../../time.ts";
import {
	card,
	numbersTable,
	PEOPLE_PATH,
	peoplePath,
	personPath,
	searchForm,
	sentenceAsHtml,
	timeAsHtml,
} from "../parts.ts";
import { getRoute } from "../responses.ts";
import { EMAILS_PATH, emailCountsAsHtml, sendingDelaysAsHtml } from "./emails.ts";
import { WAVES_PATH } from "./waves.ts";

/** Rows per list: the page then fits on three phone screens. */
const MOST_ROWS = 5;

export const todayRoute = getRoute("/", async ({ database, settings, now }) => {
	const numbers = await readNumbersToday(database, settings, now);
	const health = await readHealth(database, settings, now);
	const latest = await database.read(readPeople, { filter: {}, after: undefined, most: MOST_ROWS });
	return {
		title: "Today",
		main: html`<div class="fresh"><p>As of ${timeAsHtml(numbers.asOf, now)}</p>
<a class="act" href="/">Refresh</a>
${searchForm()}</div>
${needsCard(numbers, health, settings.mail !== undefined)}
<div class="cards">
${joinsCard(numbers, now)}
${card("by-day", "Joins by day", byDay(numbers.days, now))}
</div>
${funnelCard(numbers, now)}
<div class="cards">
${latestCard(latest, numbers, now)}
${sourcesCard(numbers)}
${card("emails", "Emails", html`<p>${waitingAsText(numbers)}</p>${emailCountsAsHtml(numbers)}`)}
</div>`,
	};
});

/** Lists what the founder should look at or decide, then what is fine. */
function needsCard(
	numbers: WaitlistNumbers,
	health: readonly CheckResult[],
	hasMail: boolean,
): Html {
	const line = ({ name, found }: CheckResult) => `${name}: ${found}.`;
	const need = (words: string, path = "", link = "") =>
		html`<div class="actions"><p>${sentenceAsHtml(words)}</p>${path ? html`<a class="act" href="${path}">${link}</a>` : html``}</div>`;
	const needs = health.filter(({ ok }) => !ok).map((finding) => need(line(finding)));
	if (!hasMail) needs.unshift(need(NO_MAIL));
	const unknown = countUnknownEmails(numbers);
	if (unknown > 0) {
		const words = `${formatCount(unknown, "email")} may or may not have arrived.`;
		needs.push(need(words, EMAILS_PATH, "Review"));
	}
	const burst = numbers.flags.find(({ name }) => name === BURST_FLAG)?.count ?? 0;
	if (burst > 0) {
		const words = `${formatCount(burst, "person", "people")} joined in a burst: they get no email until you run \`waitlist confirm --flag burst\`.`;
		needs.push(need(words, peoplePath({ flag: BURST_FLAG }), "See who"));
	}
	const isFine = needs.length === 0 && sendingDelaysAsText(numbers).length === 0;
	const fine = health.filter(({ ok }) => ok).map(line);
	return card(
		"needs",
		isFine ? "Nothing needs attention" : "Needs attention",
		html`${sendingDelaysAsHtml(numbers)}
${needs}
<p class="fine">${fine.join(" ")}</p>`,
	);
}

function joinsCard({ today, total, asOf }: WaitlistNumbers, now: Date): Html {
	const time = shortTime(asOf, now);
	return card(
		"total",
		"On the waitlist",
		html`<p class="large">${formatNumber(total)}</p>
<dl class="known"><dt>Joined today</dt><dd>${formatNumber(today.now)}</dd><dt>Yesterday by ${time}</dt><dd>${formatNumber(today.yesterday)}</dd><dt>A week ago by ${time}</dt><dd>${formatNumber(today.weekAgo)}</dd></dl>`,
	);
}

/** Size of the chart's view box, which CSS stretches. */
const [WIDTH, HEIGHT] = [480, 160];

/** Draws a bar chart, and a table with the same numbers. */
function byDay(days: WaitlistNumbers["days"], now: Date): Html {
	const top = Math.max(1, ...days.map(({ count }) => count));
	const width = WIDTH / days.length;
	const bars = days.flatMap(({ count }, n) => {
		const x = ((n + 0.15) * width).toFixed(1);
		const y = (HEIGHT * (1 - count / top)).toFixed(1);
		return count > 0 ? [`M${x} ${HEIGHT}V${y}h${(0.7 * width).toFixed(1)}V${HEIGHT}z`] : [];
	});
	const first = shortDay(days[0]!.name, now);
	const label = `Joins by day, from ${first} to today: up to ${formatNumber(top)} a day.`;
	const rows = days
		.toReversed()
		.map(({ name, count, visits }) => [
			shortDay(name, now),
			formatNumber(count),
			formatNumber(visits),
		]);
	return html`<div class="chart"><ol class="axis" aria-hidden="true"><li>${formatNumber(top)}</li><li>0</li></ol><svg viewBox="0 0 ${String(WIDTH)} ${String(HEIGHT)}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="grid" d="M0 0H${String(WIDTH)}M0 ${String(HEIGHT)}H${String(WIDTH)}"/><path class="bars" d="${bars.join("") || "M0 0"}"/></svg>
<ol class="ticks" aria-hidden="true"><li>${first}</li><li>Today</li></ol></div>
<details class="numbers"><summary>As a table</summary>${numbersTable(["Day", "Joined", "Visits"], rows)}</details>`;
}

function funnelCard({ visits, total, people, invitations }: WaitlistNumbers, now: Date): Html {
	const steps = [
		["Visits", visits?.count],
		["Joined", total, peoplePath({})],
		["Confirmed", people.confirmed, peoplePath({ state: "confirmed" })],
		["Invited", invitations?.invited, WAVES_PATH],
		["Redeemed", invitations?.redeemed, WAVES_PATH],
	] as const;
	const since = visits ? `since ${shortDay(visits.since, now)}` : "";
	const items = steps.map(([name, count, path], n) => {
		const link = path && count ? html`<a href="${path}">${name}</a>` : html`${name}`;
		const share = n === 0 ? since : shareAsText(count, steps[n - 1]?.[1]);
		return html`<li><span class="figure-name">${link}</span> <b>${count === undefined ? "–" : formatNumber(count)}</b> <span class="fine">${share}</span></li>`;
	});
	return card("funnel", "From visit to sign-up", html`<ol class="facts steps">${items}</ol>`);
}

/** Returns '' above 100%, for example if unconfirmed people were invited. */
const shareAsText = (count: number | undefined, before: number | undefined) =>
	count === undefined || !before || count > before ? "" : `${((100 * count) / before).toFixed(1)}%`;

function latestCard(latest: readonly ListedPerson[], { total }: WaitlistNumbers, now: Date): Html {
	const rows = latest.map(({ key, email, joinedAt }) => [
		html`<a href="${personPath(key)}">${printableLine(email)}</a>`,
		timeAsHtml(joinedAt, now),
	]);
	const title = html`Latest joins <a href="${PEOPLE_PATH}">See all ${formatNumber(total)}</a>`;
	const table = numbersTable(["Address", "Joined"], rows);
	return card("latest", title, rows.length > 0 ? table : NOBODY);
}

const NOBODY = html`<p class="empty">No one yet.</p>`;

/** Links only sources that the filter of the people list accepts. */
function sourcesCard({ sources }: WaitlistNumbers): Html {
	const rows = sources.slice(0, MOST_ROWS).map(({ name, count, today }) => {
		const words = printableLine(name) || "none";
		const link = html`<a href="${peoplePath({ source: name })}">${words}</a>`;
		return [isSourceLabel(name) ? link : words, formatNumber(today), formatNumber(count)];
	});
	const table = numbersTable(["Source", "Today", "All time"], rows);
	return card("sources", "Sources", rows.length > 0 ? table : NOBODY);
}
