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

/** Where the list is. */
export const LIST_PATH = "/list";

/**
 * The address of a list, or of a file of it.
 *
 * @param filter its names and values as {@link listIn} reads them
 */
export function listAt(filter: Readonly<Record<string, string>>, file?: "csv" | "jsonl"): string {
	const search = new URLSearchParams(filter);
	const path = file ? `${LIST_PATH}.${file}` : LIST_PATH;
	return search.size > 0 ? `${path}?${search}` : path;
}

/**
 * The name of a file of a list: the day, and what it is filtered by, as in
 * `waitlist-2026-11-25-source-press.csv`. What is no letter of ASCII, digit or dot becomes a dash.
 */
export function fileNameOf(search: URLSearchParams, format: string, now: Date): string {
	const parts = ["waitlist", now.toISOString().slice(0, 10), ...[...search].flat()];
	const name = parts.join("-").replace(/[^A-Za-z\d.]+/g, "-");
	return `${name.slice(0, MOST_NAME).replace(/[-.]+$/, "")}.${format}`;
}

/** Characters of a name: with its ending and a number of the browser's, every file system takes it. */
const MOST_NAME = 120;

/** What an address may say of a list: for each name, how its value is read into the filter. */
const FIELDS: Record<string, (value: string) => ListFilter | string> = {
	source: (source) => (isSourceLabel(source) ? { source } : SOURCE_INVALID),
	since: (value) => timed(value, (since) => ({ since })),
	until: (value) => timed(value, (until) => ({ until })),
	state: (value) =>
		STATES.some((state) => state === value)
			? { state: value as PersonState }
			: `It must be one of ${STATES.join(", ")}.`,
	wave: (wave) => (isWaveName(wave) ? { wave } : WAVE_NAME_INVALID),
	mark: (value) =>
		MARKS.some((mark) => mark === value)
			? { mark: value as Mark }
			: `It must be one of ${MARKS.join(", ")}.`,
	order: (value) => (value === "oldest" ? { oldest: true } : "It must be oldest, or left out."),
};

function timed(value: string, as: (time: string) => ListFilter): ListFilter | string {
	const time = parseTime(value);
	return time === undefined
		? "It must be a day or a time, as in 2026-11-21 or 2026-11-21T09:30Z."
		: as(time);
}

/** A list as its address names it. */
export interface AskedList {
	filter: ListFilter;
	after: ListPlace | undefined;
	/** The filter as an address has it, without the place. */
	search: URLSearchParams;
}

/**
 * Reads the address of a list. What it does not know, it refuses: a filter that is left out would show,
 * and export, more than was asked for. An empty value is none, as forms send it.
 *
 * @returns a sentence where the address names no list
 */
export function listIn(search: URLSearchParams): AskedList | string {
	let filter: ListFilter = {};
	const kept = new URLSearchParams();
	let after: string | undefined;
	for (const [name, value] of search) {
		if (value === "") continue;
		if (kept.has(name) || (name === "after" && after !== undefined))
			return `${name} stands there twice.`;
		if (name === "after") {
			after = value;
			continue;
		}
		const read = Object.hasOwn(FIELDS, name) ? FIELDS[name]! : undefined;
		if (!read) return `The list has no filter of the name ${name}.`;
		const found = read(value);
		if (typeof found === "string") return `${name}: ${found}`;
		filter = { ...filter, ...found };
		kept.set(name, value);
	}
	const place = after === undefined ? undefined : placeIn(after, filter);
	if (after !== undefined && !place) return "after: It must be a place of this list.";
	return { filter, after: place, search: kept };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The address of a place: the time and the address of the person before it. */
export const placeAsText = ({ at, key }: ListPlace) => `${at} ${key}`;

function placeIn(text: string, filter: ListFilter): ListPlace | undefined {
	const gap = text.indexOf(" ");
	const [at, key] = [text.slice(0, gap), text.slice(gap + 1)];
	const isSorted = sortedBy(filter) === "address" ? at === "" : TIME.test(at);
	return gap >= 0 && isSorted && key !== "" && !NOT_IN_ADDRESS.test(key) ? { at, key } : undefined;
}
