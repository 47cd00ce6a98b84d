import { type Html, html } from "../../html.ts";
import { dayChart, daysChart } from "./charts.ts";
import type { Compared, Tallies } from "./numbers.ts";
import { asTable, card, figure } from "./words.ts";

/** How many, today and this hour, and how today compares with yesterday. */
export function firstNumbers(numbers: Tallies): Html {
	const { total, today, hour, asOf } = numbers;
	const minute = asOf.slice(11, 16);
	return html`<div class="tallies">
${tally("total", "On the waitlist", total, "Yesterday at this time")}
${tally("today", "Today", today, `Yesterday by ${minute}`)}
${tally("hour", "This hour", hour, `Yesterday, ${minute.slice(0, 2)}:00 to ${minute}`)}
</div>
<div class="pictures">
${card("by-hour", "Today, over yesterday", byHour(numbers))}
${card("by-day", "Four weeks", byDay(numbers))}
</div>
`;
}

/** @param when what the number of yesterday counts, in words */
function tally(name: string, title: string, { now, yesterday, weekAgo }: Compared, when: string) {
	return html`<section class="card tally" aria-labelledby="${name}"><h2 class="figure-name" id="${name}">${title}</h2>
<p class="large">${figure(now)}</p>
<dl class="known"><dt>${when}</dt><dd>${figure(yesterday)}</dd><dt>A week ago</dt><dd>${figure(weekAgo)}</dd></dl></section>`;
}

/** Share of the day that is over. */
const passed = (asOf: string) => (Date.parse(asOf) % 86_400_000) / 86_400_000;

function byHour({ hours, asOf, total }: Tallies): Html {
	const { today, yesterday } = hours;
	const rows = yesterday.map((before, hour) => {
		const now = today[hour];
		const name = `${String(hour).padStart(2, "0")}:00`;
		return [name, now === undefined ? "" : figure(now), figure(before)] as const;
	});
	if (total.now === 0) return html`<p class="empty">The first join draws the line.</p>`;
	return html`<p class="key"><span class="current">Today</span> <span class="earlier">Yesterday</span></p>
${dayChart(hours, passed(asOf))}
${asTable("By hour", ["Hour, UTC", "Today", "Yesterday"], rows)}`;
}

function byDay({ days, total }: Tallies): Html {
	if (total.now === 0) return html`<p class="empty">The first join draws the first bar.</p>`;
	const rows = days
		.toReversed()
		.map(
			({ name, joined, visits }) =>
				[name, figure(joined), visits === undefined ? "not counted" : figure(visits)] as const,
		);
	return html`<p class="key"><span class="current">Joined a day</span></p>
${daysChart(days)}
${asTable("By day", ["Day, UTC", "Joined", "Visits"], rows)}`;
}
