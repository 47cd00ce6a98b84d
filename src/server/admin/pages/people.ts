import { FORBIDDEN_IN_ADDRESS } from "#shared/email.ts";
import {
	countListedPeople,
	type ListedPerson,
	PERSON_STATES,
	type PeopleFilter,
	type PersonState,
	readPeople,
	readPeoplePages,
} from "../../mail/people/list.ts";
import { isWaveName, readWaves } from "../../mail/waves.ts";
import { Refusal } from "../../refusal.ts";
import { FLAG_FILTERS } from "../../registrations/flags.ts";
import { isSourceLabel } from "../../registrations/registrations.ts";
import { formatCount } from "../../text/format-number.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { parseTime } from "../../time.ts";
import { exportLines } from "../../transfer/export.ts";
import {
	emptyCard,
	flagAsText,
	PEOPLE_PATH,
	pageOrRefusal,
	paginationNav,
	peoplePath,
	personPath,
	responsiveTable,
	searchForm,
	timeAsHtml,
} from "../parts.ts";
import { getRoute, type Page, type PageRequest, type Route } from "../responses.ts";
import { IMPORT_PATH } from "./import.ts";

const PAGE = 50;

const oneOf =
	<Choice extends string>(choices: readonly Choice[]) =>
	(value: string) =>
		choices.find((choice) => choice === value);

const PARSERS: {
	[Name in keyof PeopleFilter]-?: (value: string, zone: string) => PeopleFilter[Name] | undefined;
} = {
	source: (value) => (isSourceLabel(value) ? value : undefined),
	since: parseTime,
	until: parseTime,
	state: oneOf(PERSON_STATES),
	wave: (value) => (isWaveName(value) ? value : undefined),
	flag: oneOf(FLAG_FILTERS),
};

const isFilter = (name: string): name is keyof PeopleFilter => Object.hasOwn(PARSERS, name);

/** Refuses unknown filters: ignoring them would show and export more people. */
function parseListUrl({ search, settings }: PageRequest) {
	const { after: place = "", ...chosen } = Object.fromEntries(
		[...search].filter(([, value]) => value !== ""),
	);
	const filter = Object.entries(chosen).map(([name, value]) => {
		const parsed = isFilter(name) ? PARSERS[name](value, settings.timeZone) : undefined;
		if (parsed === undefined) throw new Refusal(`The filter ${name} is invalid: ${value}`);
		return [name, parsed];
	});
	const [, joinedAt, key] = /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z) (.+)$/.exec(place) ?? [];
	const after = joinedAt && key && !FORBIDDEN_IN_ADDRESS.test(key) ? { joinedAt, key } : undefined;
	return { filter: Object.fromEntries(filter) as PeopleFilter, after, chosen };
}

export const peopleRoutes: readonly Route[] = [
	getRoute(PEOPLE_PATH, (request) =>
		pageOrRefusal(async () => {
			const { database, now } = request;
			const { filter, after, chosen } = parseListUrl(request);
			const found = await database.read(readPeople, { filter, after, most: PAGE + 1 });
			const count = await database.read(countListedPeople, filter);
			const waves = (await readWaves(database)).map(({ name }) => name);
			const people = found.slice(0, PAGE);
			const last = found.length > PAGE ? people.at(-1) : undefined;
			const next = last && { ...chosen, after: `${last.joinedAt} ${last.key}` };
			const links = [
				after && { href: peoplePath(chosen), name: "First page" },
				next && { href: peoplePath(next), name: "Next" },
			];
			return {
				title: "People",
				main: html`<div class="fresh"><a class="act" href="${IMPORT_PATH}">Import…</a> ${searchForm()}</div>
${filterForm(chosen, waves)}
${people.length === 0 ? NOBODY : html`<p class="actions">${formatCount(count, "person", "people")}, latest join first.</p>${table(people, now)}`}
${paginationNav(links)}
<p class="actions files"><a href="${peoplePath(chosen, `${PEOPLE_PATH}.csv`)}">Download this list as CSV</a></p>`,
			};
		}, allPeople),
	),
	getRoute(`${PEOPLE_PATH}.csv`, (request) =>
		pageOrRefusal(() => {
			const { filter } = parseListUrl(request);
			const { database, now } = request;
			return {
				download: exportLines(database, readPeoplePages(database, filter), "csv"),
				file: `waitlist-${now.toISOString().slice(0, 10)}.csv`,
				type: "text/csv",
			};
		}, allPeople),
	),
];

const allPeople = (said: Html): Page => ({
	title: "People",
	main: html`${said}<p class="actions"><a class="act" href="${PEOPLE_PATH}">All people</a></p>`,
});

const NOBODY = emptyCard(
	"No one to show.",
	"Clear the filter, or wait: people appear as they join.",
);

const STATE_NAMES: Record<PersonState, string> = {
	unconfirmed: "not confirmed",
	confirmed: "confirmed",
	bounced: "bounced",
	unsubscribed: "unsubscribed",
};

function filterForm(chosen: Readonly<Record<string, string>>, waves: readonly string[]): Html {
	const choice = (name: string, label: string, choices: readonly (readonly [string, string])[]) => {
		const options = [["", "any"] as const, ...choices].map(([value, text]) => {
			const selected = value === (chosen[name] ?? "") ? html` selected` : html``;
			return html`<option value="${value}"${selected}>${text}</option>`;
		});
		return html`<label><span>${label}</span><select name="${name}">${options}</select></label>`;
	};
	const input = (name: string, label: string, type: string) =>
		html`<label><span>${label}</span><input name="${name}" type="${type}" value="${chosen[name] ?? ""}" autocomplete="off" spellcheck="false"></label>`;
	const states = PERSON_STATES.map((state) => [state, STATE_NAMES[state]] as const);
	const flags = FLAG_FILTERS.map(
		(flag) => [flag, flag === "any" ? "any flag" : flagAsText(flag)] as const,
	);
	const isFiltered = Object.keys(chosen).length > 0;
	return html`<details class="card filter"${isFiltered ? html` open` : html``}><summary>Filter</summary>
<form class="filters" action="${PEOPLE_PATH}" aria-label="Filter the list">
${input("source", "Source", "text")}
${input("since", "Joined since", "date")}
${input("until", "Joined before", "date")}
${choice("state", "State", states)}
${choice(
	"wave",
	"Wave",
	waves.map((name) => [name, name]),
)}
${choice("flag", "Flag", flags)}
<button class="act strong" type="submit">Show</button>${isFiltered ? html` <a class="act" href="${PEOPLE_PATH}">Clear</a>` : html``}
</form></details>`;
}

function table(people: readonly ListedPerson[], now: Date): Html {
	const rows = people.map(({ key, email, source, joinedAt, flag, state }) => [
		html`<a href="${personPath(key)}">${printableLine(email)}</a>`,
		timeAsHtml(joinedAt, now),
		printableLine(source),
		html`<span class="stand ${state}">${STATE_NAMES[state]}</span>${flag ? html` <span class="mark-here">${flagAsText(flag)}</span>` : html``}`,
	]);
	const options = { look: "people", wide: "Source" };
	return responsiveTable(["Address", "Joined", "Source", "State"], rows, options);
}
