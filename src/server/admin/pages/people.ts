import {
	countListed,
	type ListCount,
	type Listed,
	type ListFilter,
	type ListPage,
	listPage,
	MARKS,
	type PersonState,
	peopleOf,
	STATES,
	sortedBy,
} from "../../mail/people/list.ts";
import { readWaves } from "../../mail/wave/waves.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { exportLines } from "../../transfer/export.ts";
import type { Page, Route } from "../page.ts";
import {
	counted,
	findForm,
	flagAsText,
	nothing,
	pageLinks,
	personPath,
	sheet,
	timeAsHtml,
} from "../parts.ts";
import { IMPORT_PATH } from "./import.ts";
import {
	type FilteredList,
	fileNameOf,
	listAt,
	PEOPLE_PATH,
	placeAsText,
	readFilter,
} from "./people-filter.ts";

/** People on one page. */
const PAGE = 50;

/** The list, a page at a time, and exactly what is seen as a file. */
export const peopleRoutes: readonly Route[] = [
	{
		method: "GET",
		path: PEOPLE_PATH,
		async respond({ database, settings, search }) {
			const list = readFilter(search, settings.timeZone);
			if (typeof list === "string") return invalid(list);
			const { filter, after } = list;
			const page = await listPage(database, filter, { after, most: PAGE });
			const count = await countListed(database, filter);
			const waves = (await readWaves(database)).map(({ name }) => name);
			return {
				title: "People",
				main: html`<div class="fresh">${findForm()} <a class="act" href="${IMPORT_PATH}">Import…</a></div>
${filterForm(list, waves)}
${page.people.length === 0 ? nobody(list, page) : html`${howMany(filter, count)}${table(page.people)}`}
${pagesOf(list, page)}`,
			};
		},
	},
	{
		method: "GET",
		path: `${PEOPLE_PATH}.csv`,
		respond({ database, settings, now, search }) {
			const list = readFilter(search, settings.timeZone);
			if (typeof list === "string") return invalid(list);
			const people = peopleOf(database, list.filter);
			const download = exportLines(database, people, { format: "csv", raw: false });
			return { download, file: fileNameOf(list.search, now), type: "text/csv" };
		},
	},
];

const invalid = (why: string): Page => ({
	title: "People",
	status: 400,
	main: html`${nothing("This filter is invalid.", printableLine(why))}
<p class="actions"><a class="act" href="${PEOPLE_PATH}">All people</a></p>`,
});

const STATE_NAMES: Record<PersonState, string> = {
	unconfirmed: "not confirmed",
	confirmed: "confirmed",
	bounced: "bounced",
	left: "unsubscribed",
};

function filterForm({ filter, search }: FilteredList, waves: readonly string[]): Html {
	const value = (name: string) => search.get(name) ?? "";
	const choice = (name: string, label: string, choices: readonly (readonly [string, string])[]) => {
		const options = choices.map(
			([is, text]) =>
				html`<option value="${is}"${value(name) === is ? html` selected` : html``}>${text}</option>`,
		);
		return html`<label><span>${label}</span><select name="${name}">${options}</select></label>`;
	};
	const text = (name: string, label: string, hint: string) =>
		html`<label><span>${label}</span><input name="${name}" value="${value(name)}" placeholder="${hint}" autocomplete="off" spellcheck="false"></label>`;
	const any = ["", "any"] as const;
	const named = value("wave");
	const all = named === "" || waves.includes(named) ? waves : [...waves, named];
	const orders =
		sortedBy(filter) === "address" ? ["A to Z", "Z to A"] : ["latest first", "earliest first"];
	return html`<details class="card filter"${search.size > 0 ? html` open` : html``}><summary>Filter</summary>
<form class="filters" action="${PEOPLE_PATH}" aria-label="Filter the list">
${text("source", "Source", "any")}
${text("since", "Joined from", "2026-11-21")}
${text("until", "Joined before", "2026-11-22")}
${choice("state", "State", [any, ...STATES.map((state) => [state, STATE_NAMES[state]] as const)])}
${choice("wave", "Wave", [any, ...all.map((name) => [name, name] as const)])}
${choice("flag", "Flag", [any, ...MARKS.map((flag) => [flag, flag === "none" ? "not flagged" : flagAsText(flag)] as const)])}
${choice("order", "Order", [
	["", orders[0]!],
	["oldest", orders[1]!],
])}
<button class="act strong" type="submit">Show</button>${search.size > 0 ? html` <a class="act" href="${PEOPLE_PATH}">Clear</a>` : html``}
</form></details>`;
}

function nobody({ search, after }: FilteredList, { cut }: ListPage): Html {
	if (cut) return nothing("No match among the people read so far.", "“Next” reads on.");
	if (after) return nothing("No more matches.", "“First page” shows the ones before.");
	if (search.size > 0) return nothing("No matches.", "Clear some of the filters.");
	return nothing("Nobody has joined yet.", "People appear here a moment after they join.");
}

function table(people: readonly Listed[]): Html {
	const rows = people.map(
		({ key, email, source, joinedAt, flag, state }) => html`<tr>
<th scope="row"><a href="${personPath(key)}">${printableLine(email)}</a></th>
<td data-name="Joined">${timeAsHtml(joinedAt)}</td>
<td data-name="Source" class="wide">${printableLine(source)}</td>
<td data-name="State"><span class="stand ${state}">${STATE_NAMES[state]}</span>${flag ? html` <span class="mark-here">${flagAsText(flag)}</span>` : html``}</td>
</tr>`,
	);
	return sheet("people", ["Address", "Joined", "Source", "State"], rows);
}

/** How many people the whole list has, and its order. */
function howMany(filter: ListFilter, { count, isAll }: ListCount): Html {
	const by = sortedBy(filter);
	const verb = by === "left" ? "unsubscribed" : by;
	const order = by === "address" ? "by address" : `by the time they ${verb}`;
	const sorted =
		count === 0
			? "Sorted"
			: `${isAll ? "" : "At least "}${counted(count, "person", "people")}, sorted`;
	return html`<p class="actions">${sorted} ${order}.</p>`;
}

function pagesOf({ after, search }: FilteredList, { next, cut }: ListPage): Html {
	const kept = Object.fromEntries(search);
	const said = cut
		? html`<p class="actions">Few people match: about 4,000 were read for this page. “Next” reads on.</p>`
		: html``;
	const files = html`<span class="files"><a href="${listAt(kept, `${PEOPLE_PATH}.csv`)}">All of this list as CSV</a></span>`;
	const links = [
		after && { href: listAt(kept), name: "First page" },
		next && { href: listAt({ ...kept, after: placeAsText(next) }), name: "Next" },
	];
	return html`${said}${pageLinks(links, files)}`;
}
