import type { Finding } from "../../database/database.ts";
import { type Html, html } from "../../html.ts";
import { MARKS } from "../../mail/people/list.ts";
import { UNTIL_RELEASED } from "../../mail/rate/pauses.ts";
import { throttledAsText } from "../../mail/rate/throttle.ts";
import { printableLine } from "../../printable.ts";
import type { Joined } from "../../registrations/people.ts";
import type { Registration } from "../../registrations/registrations.ts";
import { BURST } from "../../registrations/registrations.ts";
import { isSourceLabel } from "../../registrations/source.ts";
import { listAt } from "../list/filter.ts";
import { personPath } from "../person/find-form.ts";
import { markAsText } from "../person/marks.ts";
import { sentenceAsHtml } from "../sentence.ts";
import { timeAsHtml } from "../time.ts";
import type { Funnel, TodayNumbers } from "./numbers.ts";
import { MOST_NETWORKS, type Refused } from "./refusals.ts";
import { card, counted, figure, fold, type Row, table } from "./words.ts";

/** Where the button leads that ends the pause of all letters. */
export const GO_ON_PATH = "/go-on";

/** The page of letters and waves. */
export const LETTERS_PATH = "/letters";

/** From a visit to a redeemed code, each with its share of the step before. */
export function funnelSection(funnel: Funnel): Html {
	const { visits, visitsSince, joined, confirmed, invited, redeemed } = funnel;
	const steps = [
		["Visits", visits],
		["Joined", joined, listAt({})],
		["Confirmed", confirmed, listAt({ state: "confirmed" })],
		["Invited", invited, LETTERS_PATH],
		["Redeemed", redeemed, LETTERS_PATH],
	] as const;
	const items = steps.map(([name, count, path], place) => {
		const before = place > 0 ? steps[place - 1]![1] : undefined;
		const named = path && count ? html`<a href="${path}">${name}</a>` : html`${name}`;
		return html`<li><span class="figure-name">${named}</span> <b>${count === undefined ? "–" : figure(count)}</b> <span class="fine">${shareAsText(count, before)}</span></li>`;
	});
	const since = visitsSince
		? `Visits are counted since ${visitsSince}, people since the first joined.`
		: "No visit was counted yet: there is a count for each day on which a browser opens the landing page.";
	const missing = [
		...(confirmed === undefined ? ["nobody was asked to confirm"] : []),
		...(invited === undefined ? ["there was no invitation"] : []),
	].join(", and ");
	return card(
		"funnel",
		"From visit to sign-up",
		html`<ol class="facts steps">${items}</ol>
<p class="fine">${since}${missing ? ` So far ${missing}.` : ""}</p>`,
	);
}

/** A share above all of it says that something was not counted: then it says nothing. */
function shareAsText(count: number | undefined, before: number | undefined): string {
	if (count === undefined || !before || count > before) return "";
	return `${((100 * count) / before).toFixed(1)} % of these`;
}

export function sourcesSection({ sources, funnel, days }: TodayNumbers): Html {
	const today = days.at(-1)!.name;
	const rows = (joined: readonly Joined[], since: Record<string, string>): Row[] =>
		joined.map(({ name, count }) => {
			const words = printableLine(name);
			// An import brings in sources that no filter takes.
			const isListed = isSourceLabel(name);
			const path = listAt({ source: name, ...since });
			return [isListed ? html`<a href="${path}">${words}</a>` : words, figure(count)];
		});
	const list = (joined: readonly Joined[], none: string, since = {}) =>
		joined.length > 0
			? table(["Source", "Joined"], rows(joined, since))
			: html`<p class="empty">${none}</p>`;
	const visitsToday = days.at(-1)!.visits;
	const visits =
		funnel.visits === undefined
			? "No visit was counted yet."
			: `${counted(funnel.visits, "visit")} in all, ${figure(visitsToday ?? 0)} today.`;
	return card(
		"sources",
		"Sources",
		html`<h3>Today</h3>${list(sources.today, "Nobody joined today yet.", { since: today })}
${fold("All days", html`<h3>All days</h3>${list(sources.all, "Nobody joined yet.")}`)}
<p class="fine">${visits} A visit is counted by its day alone, so that no visitor can be found in it: which source it had is not kept.</p>`,
	);
}

export function lettersSection(
	{ waiting, pause, slowed, pausedWaves }: TodayNumbers,
	mail: boolean,
): Html {
	const kinds = waiting.kinds.map(({ kind, letters }): Row => [kind, figure(letters)]);
	const words = [
		...(waiting.letters > 0 ? [table(["Kind", "Waiting"], kinds)] : []),
		lastAsHtml({ waiting, pause, mail }),
		...(pause ? [pauseAsHtml(pause)] : []),
		...slowed.map((stream) => html`<p class="alarm">${throttledAsText(stream)}</p>`),
		...(pause || slowed.length > 0 ? [goOn(pause !== null, "/")] : []),
		...pausedWaves.map((wave) => html`<p class="alarm">The wave <b>${wave}</b> is paused.</p>`),
		html`<p class="actions"><a class="act" href="${LETTERS_PATH}">All letters</a></p>`,
	];
	return card("letters", "Letters", html`${words}`);
}

/**
 * The button that ends a pause, and what slows letters.
 *
 * @param at the page that it is on, and comes back to
 */
export function goOn(isPaused: boolean, at: "/" | typeof LETTERS_PATH): Html {
	return html`<form method="post" action="${GO_ON_PATH}"><button class="act strong" type="submit" name="at" value="${at}">${isPaused ? "End the pause" : "Send at the whole rate"}</button></form>`;
}

function lastAsHtml({
	waiting: { letters, lastAt },
	pause,
	mail,
}: Pick<TodayNumbers, "waiting" | "pause"> & { mail: boolean }): Html {
	if (!mail) return html`<p class="empty">No mail is set up: nobody is written to.</p>`;
	if (letters === 0) return html`<p class="empty">No letter waits.</p>`;
	if (lastAt) return html`<p>At today’s rate the last one goes out by ${timeAsHtml(lastAt)}.</p>`;
	if (pause) return html`<p>When the last one goes out is known once the pause has ended.</p>`;
	return html`<p>No rate is set: they go out as fast as the mail server takes them.</p>`;
}

function pauseAsHtml({ until, reason }: NonNullable<TodayNumbers["pause"]>): Html {
	const end = until === UNTIL_RELEASED ? html`until you say so` : html`until ${timeAsHtml(until)}`;
	return html`<p class="alarm">Nothing is sent ${end}. ${sentenceAsHtml(reason)}</p>`;
}

export function limitsSection(refused: Refused, marks: readonly Joined[]): Html {
	const { since, all, hour, networks } = refused;
	const from = `${figure(networks)}${networks >= MOST_NETWORKS ? " or more" : ""}`;
	const refusedNow =
		hour === 0
			? html`<p class="empty">No join was refused this hour.</p>`
			: html`<p><b>${counted(hour, "join was", "joins were")}</b> refused this hour, from ${from} ${networks === 1 ? "network" : "networks"}.</p>`;
	const marked =
		marks.length === 0
			? html`<p class="empty">Nobody on the list is marked.</p>`
			: table(
					["Mark", "On the list"],
					marks.map(({ name, count }): Row => [markLink(name), figure(count)]),
				);
	const burst = marks.some(({ name }) => name === BURST)
		? html`<p>Somebody in a burst gets no letter until they are let out of it: on their page, or all by <code>waitlist release --burst</code>.</p>`
		: html``;
	return card(
		"limits",
		"Limits",
		html`${refusedNow}${fold(
			"Marks",
			html`${marked}${burst}
<p class="fine">${counted(all, "join was", "joins were")} refused by this copy of the server since ${timeAsHtml(since)}. An IPv4 address counts as a network.</p>`,
		)}`,
	);
}

function markLink(name: string): Html | string {
	const words = markAsText(name);
	return MARKS.some((mark) => mark === name)
		? html`<a href="${listAt({ mark: name })}">${words}</a>`
		: words;
}

export function healthSection(findings: readonly Finding[]): Html {
	const rows = (some: readonly Finding[]) => {
		const all = some.map(
			({ name, ok, found }) =>
				html`<dt>${name}</dt><dd${ok ? html`` : html` class="alarm"`}>${ok ? html`` : html`<b>Look: </b>`}${sentenceAsHtml(found)}</dd>`,
		);
		return html`<dl class="known">${all}</dl>`;
	};
	const [well, ill] = [true, false].map((is) => findings.filter(({ ok }) => ok === is));
	// What needs somebody comes first, and is never folded.
	const summary = ill!.length === 0 ? "All is well" : "The rest is well";
	return card(
		"health",
		"Health",
		html`${ill!.length > 0 ? rows(ill!) : html``}${fold(summary, rows(well!))}`,
	);
}

export function latestSection(people: readonly Registration[]): Html {
	const rows = people.map(
		({ key, createdAt, email, source, flags }) => html`<tr>
<th scope="row"><a href="${personPath(key)}">${printableLine(email)}</a></th><td data-name="Joined">${timeAsHtml(createdAt)}</td><td data-name="Source" class="wide">${printableLine(source)}</td><td data-name="Mark">${markAsText(flags)}</td></tr>`,
	);
	const shown =
		rows.length === 0
			? html`<p class="empty">Nobody is on the waitlist yet.</p>`
			: html`<table><thead><tr><th scope="col">Address</th><th scope="col">Joined</th><th scope="col">Source</th><th scope="col">Mark</th></tr></thead><tbody>${rows}</tbody></table>`;
	return html`<section class="card sheet people" aria-labelledby="latest"><h2 id="latest">The latest</h2>
${shown}</section>`;
}
