import { NOT_IN_ADDRESS } from "#shared/email.ts";
import {
	countList,
	type Listed,
	type ListFilter,
	type PersonState,
	peopleOf,
	readList,
	STATES,
} from "../../mail/people/list.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../../mail/wave/wave.ts";
import { readWaves } from "../../mail/wave/waves.ts";
import { FLAG_FILTERS } from "../../registrations/flags.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/source.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { parseTime } from "../../time.ts";
import { exportLines } from "../../transfer/export.ts";
import {
	counted,
	findForm,
	flagAsText,
	listPath,
	nothing,
	PEOPLE_PATH,
	pageLinks,
	personPath,
	sheet,
	timeAsHtml,
} from "../parts.ts";
import type { PageRequest, PageResponse, Route } from "../responses.ts";
import { IMPORT_PATH } from "./import.ts";

/** People on one page. */
const PAGE = 50;

/** Reads the value of a filter, or returns a sentence why it is invalid. */
const FILTERS: Record<keyof ListFilter, (value: string, zone: string) => ListFilter | string> = {
	source: (source) => (isSourceLabel(source) ? { source } : SOURCE_INVALID),
	since: (value, zone) => timed(value, zone, (since) => ({ since })),
	until: (value, zone) => timed(value, zone, (until) => ({ until })),
	state: (value) => oneOf(STATES, value, (state) => ({ state })),
	wave: (wave) => (isWaveName(wave) ? { wave } : WAVE_NAME_INVALID),
	flag: (value) => oneOf(FLAG_FILTERS, value, (flag) => ({ flag })),
};

function oneOf<Choice extends string>(
	choices: readonly Choice[],
	value: string,
	as: (choice: Choice) => ListFilter,
): ListFilter | string {
	const choice = choices.find((one) => one === value);
	return choice ? as(choice) : `It must be one of ${choices.join(", ")}.`;
}

function timed(value: string, zone: string, as: (time: string) => ListFilter): ListFilter | string {
	const time = parseTime(value, zone);
	return time === undefined ? "It must be a day or time, as in 2026-11-21 09:30." : as(time);
}

/** A list as its address names it: `chosen` has the filters as they were typed. */
interface NamedList {
	filter: ListFilter;
	after: { joinedAt: string; key: string } | undefined;
	chosen: Record<string, string>;
}

/**
 * Reads the address of a list. Unknown names are refused: a filter that is ignored would show, and export,
 * more people than requested. Returns a sentence for an invalid address.
 */
function readAddress(search: URLSearchParams, zone: string): NamedList | string {
	const list: NamedList = { filter: {}, after: undefined, chosen: {} };
	for (const [name, value] of search) {
		if (value === "") continue;
		if (name === "after") {
			const [, joinedAt, key] = /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z) (.+)$/.exec(value) ?? [];
			if (!joinedAt || NOT_IN_ADDRESS.test(key!)) return "after: It must be a place of this list.";
			list.after = { joinedAt, key: key! };
			continue;
		}
		if (!Object.hasOwn(FILTERS, name)) return `There is no filter ${name}.`;
		const read = FILTERS[name as keyof ListFilter](value, zone);
		if (typeof read === "string") return `${name}: ${read}`;
		Object.assign(list.filter, read);
		list.chosen[name] = value;
	}
	return list;
}

/** The list, a page at a time, and as a file. */
export const peopleRoutes: readonly Route[] = [
	{
		method: "GET",
		path: PEOPLE_PATH,
		respond: withList(async ({ database }, { filter, after, chosen }) => {
			const found = await database.read(readList, { filter, after, most: PAGE + 1 });
			const count = await database.read(countList, filter);
			const waves = (await readWaves(database)).map(({ name }) => name);
			const people = found.slice(0, PAGE);
			const last = found.length > PAGE ? people.at(-1) : undefined;
			const links = [
				after && { href: listPath(chosen), name: "First page" },
				last && {
					href: listPath({ ...chosen, after: `${last.joinedAt} ${last.key}` }),
					name: "Next",
				},
			];
			return {
				title: "People",
				main: html`<div class="fresh">${findForm()} <a class="act" href="${IMPORT_PATH}">Import…</a></div>
${filterForm(chosen, waves)}
${people.length === 0 ? NOBODY : html`<p class="actions">${counted(count, "person", "people")}, the latest join first.</p>${table(people)}`}
${pageLinks(links, html`<span class="files"><a href="${listPath(chosen, `${PEOPLE_PATH}.csv`)}">All of this list as CSV</a></span>`)}`,
			};
		}),
	},
	{
		method: "GET",
		path: `${PEOPLE_PATH}.csv`,
		respond: withList(({ database, now }, { filter }) => ({
			download: exportLines(database, peopleOf(database, filter), "csv"),
			file: `waitlist-${now.toISOString().slice(0, 10)}.csv`,
			type: "text/csv",
		})),
	},
];

/** Responds with a list, or with the reason why its address is invalid. */
function withList(
	respond: (request: PageRequest, list: NamedList) => PageResponse | Promise<PageResponse>,
): Route["respond"] {
	return (request) => {
		const list = readAddress(request.search, request.settings.timeZone);
		if (typeof list !== "string") return respond(request, list);
		return {
			title: "People",
			status: 400,
			main: html`${nothing("This filter is invalid.", printableLine(list))}
<p class="actions"><a class="act" href="${PEOPLE_PATH}">All people</a></p>`,
		};
	};
}

const NOBODY = nothing("Nobody is here.", "Clear the filter, or wait: people appear as they join.");

const STATE_NAMES: Record<PersonState, string> = {
	unconfirmed: "not confirmed",
	confirmed: "confirmed",
	bounced: "bounced",
	left: "unsubscribed",
};

function filterForm(chosen: Readonly<Record<string, string>>, waves: readonly string[]): Html {
	const choice = (name: string, label: string, choices: readonly (readonly [string, string])[]) => {
		const options = [["", "any"] as const, ...choices].map(
			([value, text]) =>
				html`<option value="${value}"${(chosen[name] ?? "") === value ? html` selected` : html``}>${text}</option>`,
		);
		return html`<label><span>${label}</span><select name="${name}">${options}</select></label>`;
	};
	const text = (name: string, label: string, hint: string) =>
		html`<label><span>${label}</span><input name="${name}" value="${chosen[name] ?? ""}" placeholder="${hint}" autocomplete="off" spellcheck="false"></label>`;
	const isFiltered = Object.keys(chosen).length > 0;
	return html`<details class="card filter"${isFiltered ? html` open` : html``}><summary>Filter</summary>
<form class="filters" action="${PEOPLE_PATH}" aria-label="Filter the list">
${text("source", "Source", "any")}
${text("since", "Joined from", "2026-11-21")}
${text("until", "Joined before", "2026-11-22")}
${choice(
	"state",
	"State",
	STATES.map((state) => [state, STATE_NAMES[state]]),
)}
${choice(
	"wave",
	"Wave",
	waves.map((name) => [name, name]),
)}
${choice(
	"flag",
	"Flag",
	FLAG_FILTERS.map((flag) => [flag, flag === "any" ? "any flag" : flagAsText(flag)]),
)}
<button class="act strong" type="submit">Show</button>${isFiltered ? html` <a class="act" href="${PEOPLE_PATH}">Clear</a>` : html``}
</form></details>`;
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
