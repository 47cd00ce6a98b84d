import { NOT_IN_ADDRESS } from "#shared/email.ts";
import {
	type ListFilter,
	type ListPlace,
	MARKS,
	type Mark,
	type PersonState,
	STATES,
	sortedBy,
} from "../../mail/people/list.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../../mail/wave/wave.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/source.ts";
import { parseTime } from "../../time.ts";

export const PEOPLE_PATH = "/people";

/** The path of a list, or of a file of it. @param filter as {@link readFilter} reads it */
export function listAt(filter: Readonly<Record<string, string>>, path = PEOPLE_PATH): string {
	const search = new URLSearchParams(filter);
	return search.size > 0 ? `${path}?${search}` : path;
}

/** Reads the value of each filter; returns a sentence for a value that is invalid. */
const FIELDS: Record<string, (value: string, zone: string) => ListFilter | string> = {
	source: (source) => (isSourceLabel(source) ? { source } : SOURCE_INVALID),
	since: (value, zone) => timed(value, zone, (since) => ({ since })),
	until: (value, zone) => timed(value, zone, (until) => ({ until })),
	state: (value) => oneOf(STATES, value, (state: PersonState) => ({ state })),
	wave: (wave) => (isWaveName(wave) ? { wave } : WAVE_NAME_INVALID),
	flag: (value) => oneOf(MARKS, value, (mark: Mark) => ({ mark })),
	order: (value) => oneOf(["oldest"], value, () => ({ oldest: true })),
};

const oneOf = <Choice extends string>(
	choices: readonly Choice[],
	value: string,
	as: (choice: Choice) => ListFilter,
): ListFilter | string =>
	choices.some((choice) => choice === value)
		? as(value as Choice)
		: `It must be one of ${choices.join(", ")}.`;

function timed(value: string, zone: string, as: (time: string) => ListFilter): ListFilter | string {
	const time = parseTime(value, zone);
	return time === undefined ? "It must be a day or time, as in 2026-11-21 09:30." : as(time);
}

/** A list as its address names it. */
export interface FilteredList {
	filter: ListFilter;
	after: ListPlace | undefined;
	/** The filter as the address has it, without the place. */
	search: URLSearchParams;
}

/**
 * Reads the address of a list. An empty value counts as absent, as forms send it. Unknown names are
 * refused: a filter that is left out would show, and export, more people than requested.
 *
 * @returns a sentence for an invalid address
 */
export function readFilter(search: URLSearchParams, zone: string): FilteredList | string {
	let filter: ListFilter = {};
	let after = "";
	const kept = new URLSearchParams();
	for (const [name, value] of search) {
		if (value === "") continue;
		if (kept.has(name)) return `${name} is there twice.`;
		if (name === "after") {
			after = value;
			continue;
		}
		if (!Object.hasOwn(FIELDS, name)) return `There is no filter ${name}.`;
		const read = FIELDS[name]!(value, zone);
		if (typeof read === "string") return `${name}: ${read}`;
		filter = { ...filter, ...read };
		kept.set(name, value);
	}
	const place = after === "" ? undefined : placeIn(after, filter);
	if (after !== "" && !place) return "after: It must be a place of this list.";
	return { filter, after: place, search: kept };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The place after a person: when they joined, for example, and their address. */
export const placeAsText = ({ at, key }: ListPlace) => `${at} ${key}`;

function placeIn(text: string, filter: ListFilter): ListPlace | undefined {
	const gap = text.indexOf(" ");
	const [at, key] = [text.slice(0, gap), text.slice(gap + 1)];
	const isSorted = sortedBy(filter) === "address" ? at === "" : TIME.test(at);
	return gap >= 0 && isSorted && key !== "" && !NOT_IN_ADDRESS.test(key) ? { at, key } : undefined;
}

/** Every file system accepts a name of this length, with its ending and a browser's number. */
const MOST_NAME = 120;

/** A file name by the day and the filter: `waitlist-2026-11-25-source-press.csv` */
export function fileNameOf(search: URLSearchParams, now: Date): string {
	const parts = ["waitlist", now.toISOString().slice(0, 10), ...[...search].flat()];
	const name = parts.join("-").replace(/[^A-Za-z\d.]+/g, "-");
	return `${name.slice(0, MOST_NAME).replace(/[-.]+$/, "")}.csv`;
}
