import { type Html, html } from "../../html.ts";
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
import { printableLine } from "../../printable.ts";
import { type ExportFormat, exportLines } from "../../transfer/export.ts";
import {
	type AskedList,
	fileNameOf,
	LIST_PATH,
	listAt,
	listIn,
	placeAsText,
} from "../list/filter.ts";
import type { Asked, OfficeRoute, Page } from "../page.ts";
import { pageLinks } from "../paging.ts";
import { findForm, personPath } from "../person/find-form.ts";
import { markAsText } from "../person/marks.ts";
import { timeAsHtml } from "../time.ts";
import { counted, nothing } from "../today/words.ts";

/** People on one page. */
const PAGE = 50;

/** The list, a page at a time, and exactly what is seen as a file. */
export const listRoutes: readonly OfficeRoute[] = [
	{
		method: "GET",
		path: LIST_PATH,
		async respond({ database, search }) {
			const asked = listIn(search);
			if (typeof asked === "string") return notUnderstood(asked);
			const { filter, after } = asked;
			const page = await listPage(database.query, filter, { after, most: PAGE });
			const count = await countListed(database.query, filter);
			const waves = (await readWaves(database.query)).map(({ name }) => name);
			return {
				title: "List",
				main: html`${findForm()}
${filterForm(asked, waves)}
${page.people.length === 0 ? nobody(asked, page) : html`${howMany(filter, count)}${table(page.people)}`}
${pagesOf(asked, page)}`,
			};
		},
	},
	file("csv", "text/csv"),
	file("jsonl", "application/jsonl"),
];

function file(
	format: ExportFormat & ("csv" | "jsonl"),
	type: "text/csv" | "application/jsonl",
): OfficeRoute {
	return {
		method: "GET",
		path: `${LIST_PATH}.${format}`,
		respond({ database, now, search }: Asked) {
			const asked = listIn(search);
			if (typeof asked === "string") return notUnderstood(asked);
			const people = peopleOf(database.query, asked.filter);
			const download = exportLines(database, people, { format, raw: false });
			return { download, file: fileNameOf(asked.search, format, now), type };
		},
	};
}

function notUnderstood(why: string): Page {
	return {
		title: "List",
		status: 400,
		main: html`${nothing("This address is not understood.", html`${printableLine(why)}`)}
<p class="actions"><a class="act" href="${LIST_PATH}">The whole list</a></p>`,
	};
}

/** States as people read them. */
const STATE_NAMES: Record<PersonState, string> = {
	unconfirmed: "not confirmed",
	confirmed: "confirmed",
	bounced: "bounced",
	left: "left",
};

/** Both orders of a list, in words. */
const ORDERS = {
	time: [
		["", "latest first"],
		["oldest", "earliest first"],
	],
	address: [
		["", "A to Z"],
		["oldest", "Z to A"],
	],
} as const;

function filterForm({ filter, search }: AskedList, waves: readonly string[]): Html {
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
	const named = value("wave");
	const all = named === "" || waves.includes(named) ? waves : [...waves, named];
	return html`<details class="card filter"${search.size > 0 ? html` open` : html``}><summary>Filter</summary>
<form class="filters" action="${LIST_PATH}" aria-label="Filter the list">
${text("source", "Source", "any")}
${text("since", "Joined from", "2026-11-21")}
${text("until", "Joined before", "2026-11-22")}
${choice("state", "State", [["", "any"], ...STATES.map((state) => [state, STATE_NAMES[state]] as const)])}
${choice("wave", "Wave", [["", "any"], ...all.map((name) => [name, name] as const)])}
${choice("mark", "Mark", [
	["", "any"],
	...MARKS.map((mark) => [mark, mark === "none" ? "not marked" : markAsText(mark)] as const),
])}
${choice("order", "Order", ORDERS[sortedBy(filter) === "address" ? "address" : "time"])}
<span class="actions"><button class="act strong" type="submit">Show</button>${search.size > 0 ? html` <a class="act" href="${LIST_PATH}">Clear</a>` : html``}</span>
</form></details>`;
}

function nobody({ search, after }: AskedList, { cut }: ListPage): Html {
	if (cut)
		return nothing(
			"Nobody of those who were looked at fits.",
			html`“Next” looks at the ones after them.`,
		);
	if (after) return nothing("Nobody else fits.", html`“First page” leads back to those who do.`);
	return search.size > 0
		? nothing(
				"Nobody fits this filter.",
				html`Leave one of its fields empty, or clear all of them.`,
			)
		: nothing("Nobody has joined yet.", html`The first one who does stands here a moment later.`);
}

function table(people: readonly Listed[]): Html {
	const rows = people.map(
		({ key, email, source, createdAt, flags, state }) => html`<tr>
<th scope="row"><a href="${personPath(key)}">${printableLine(email)}</a></th>
<td data-name="Joined">${timeAsHtml(createdAt)}</td>
<td data-name="Source" class="wide">${printableLine(source)}</td>
<td data-name="State"><span class="stand ${state}">${STATE_NAMES[state]}</span>${flags ? html` <span class="mark-here">${markAsText(flags)}</span>` : html``}</td>
</tr>`,
	);
	return html`<div class="card sheet people"><table>
<thead><tr><th scope="col">Address</th><th scope="col">Joined</th><th scope="col">Source</th><th scope="col">State</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** How many people the whole list has, and what it is sorted by. */
function howMany(filter: ListFilter, { count, isAll }: ListCount): Html {
	const by = sortedBy(filter);
	const order =
		by === "address"
			? "by address"
			: `by the time at which they ${by === "bounced" ? "bounced" : by}`;
	const people = counted(count, "person", "people");
	const sorted = count === 0 ? "Sorted" : `${isAll ? "" : "At least "}${people}, sorted`;
	return html`<p class="how-many">${sorted} ${order}.</p>`;
}

function pagesOf({ after, search }: AskedList, { next, cut }: ListPage): Html {
	const kept = Object.fromEntries(search);
	const said = cut
		? html`<p class="actions">Few of many fit: about 4,000 people were looked at for this page. "Next" looks at the ones after them.</p>`
		: html``;
	const files = html`<span class="files">All of this list as <a href="${listAt(kept, "csv")}">CSV</a> <a href="${listAt(kept, "jsonl")}">JSON lines</a></span>`;
	const links = [
		after && { href: listAt(kept), name: "First page" },
		next && { href: listAt({ ...kept, after: placeAsText(next) }), name: "Next" },
	];
	return html`${said}${pageLinks(links, files)}`;
}
