import { type Html, html } from "../../html.ts";
import {
	type Listed,
	type ListPage,
	listPage,
	type PersonState,
	peopleOf,
	STATES,
	sortedBy,
} from "../../letters/people/list.ts";
import { readWaves } from "../../letters/wave/waves.ts";
import { type ExportFormat, exportLines } from "../../moving/export.ts";
import { printableLine } from "../../printable.ts";
import { type AskedList, listIn, placeAsText } from "../list/filter.ts";
import { pageLinks } from "../paging.ts";
import { findForm, personPath } from "../person/find-form.ts";
import type { Asked, OfficeRoute, Page } from "../routes.ts";
import { timeAsHtml } from "../time.ts";
import { counted } from "../today/words.ts";

const PATH = "/list";

/** People on one page. */
const PAGE = 50;

/** The list, a page at a time, and exactly what is seen as a file. */
export const listRoutes: readonly OfficeRoute[] = [
	{
		method: "GET",
		path: PATH,
		async respond({ database, search }) {
			const asked = listIn(search);
			if (typeof asked === "string") return notUnderstood(asked);
			const { filter, after } = asked;
			const page = await listPage(database.query, filter, { after, most: PAGE, bounded: true });
			const waves = (await readWaves(database.query)).map(({ name }) => name);
			return {
				title: "List",
				main: html`${findForm()}
${filterForm(asked, waves)}
${page.people.length === 0 ? html`<p class="card empty">${nobody(asked, page)}</p>` : table(page.people)}
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
		path: `${PATH}.${format}`,
		respond({ database, search }: Asked) {
			const asked = listIn(search);
			if (typeof asked === "string") return notUnderstood(asked);
			const people = peopleOf(database.query, asked.filter);
			const download = exportLines(database, people, { format, raw: false });
			return { download, file: `waitlist.${format}`, type };
		},
	};
}

function notUnderstood(why: string): Page {
	return {
		title: "List",
		status: 400,
		main: html`<p class="card empty">This address is not understood. ${printableLine(why)}</p>
<p class="actions"><a class="act" href="${PATH}">The whole list</a></p>`,
	};
}

/** States as people read them. */
const STATE_NAMES: Record<PersonState, string> = {
	unconfirmed: "not confirmed",
	confirmed: "confirmed",
	bounced: "bounced",
	left: "left",
};

function filterForm({ search }: AskedList, waves: readonly string[]): Html {
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
<form class="filters" action="${PATH}" aria-label="Filter the list">
${text("source", "Source", "any")}
${text("since", "Joined from", "2026-11-21")}
${text("until", "Joined before", "2026-11-22")}
${choice("state", "State", [["", "any"], ...STATES.map((state) => [state, STATE_NAMES[state]] as const)])}
${choice("wave", "Wave", [["", "any"], ...all.map((name) => [name, name] as const)])}
${choice("mark", "Marked", [
	["", "any"],
	["trap", "by the trap"],
	["crowd", "as a crowd"],
	["hand", "by hand"],
	["none", "no"],
])}
${choice("order", "Order", [
	["", "latest first"],
	["oldest", "earliest first"],
])}
<span class="actions"><button class="act strong" type="submit">Show</button>${search.size > 0 ? html` <a class="act" href="${PATH}">Clear</a>` : html``}</span>
</form></details>`;
}

function nobody({ search, after }: AskedList, { cut }: ListPage): string {
	if (cut) return "Nobody of those who were looked at fits.";
	if (after) return "Nobody else fits.";
	return search.size > 0 ? "Nobody fits this filter." : "Nobody has joined yet.";
}

function table(people: readonly Listed[]): Html {
	const rows = people.map(
		({ key, email, source, createdAt, flags, state }) => html`<tr>
<th scope="row"><a href="${personPath(key)}">${printableLine(email)}</a></th>
<td data-name="Joined">${timeAsHtml(createdAt)}</td>
<td data-name="Source" class="wide">${printableLine(source)}</td>
<td data-name="State"><span class="stand ${state}">${STATE_NAMES[state]}</span>${flags ? html` <span class="mark-here">${printableLine(flags)}</span>` : html``}</td>
</tr>`,
	);
	return html`<div class="card sheet people"><table>
<thead><tr><th scope="col">Address</th><th scope="col">Joined</th><th scope="col">Source</th><th scope="col">State</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

function pagesOf({ filter, after, search }: AskedList, { next, cut, people }: ListPage): Html {
	const at = (more: Record<string, string> = {}, path = PATH) => {
		const whole = new URLSearchParams({ ...Object.fromEntries(search), ...more });
		return whole.size > 0 ? `${path}?${whole}` : path;
	};
	const by = sortedBy(filter);
	const order =
		by === "address"
			? "by address"
			: `by the time at which they ${by === "bounced" ? "bounced" : by}`;
	const said = cut
		? html`<p class="actions">Few of many fit: about 4,000 people were looked at for this page. "Next" looks at the ones after them.</p>`
		: html``;
	// Only a list of one page is counted: of a longer one all pages would be read for it.
	const isWhole = !after && !next && !cut;
	const sorted = isWhole ? `${counted(people.length, "person", "people")}, sorted` : "Sorted";
	const beside = html`<span>${people.length > 0 ? `${sorted} ${order}.` : ""}</span>
<span class="files">All of this list as <a href="${at({}, `${PATH}.csv`)}">CSV</a> <a href="${at({}, `${PATH}.jsonl`)}">JSON lines</a></span>`;
	const links = [
		after && { href: at(), name: "First page" },
		next && { href: at({ after: placeAsText(next) }), name: "Next" },
	];
	return html`${said}${pageLinks(links, beside)}`;
}
