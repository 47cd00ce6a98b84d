import { collect, type Put, type Query } from "../../database/statement.ts";
import { countRange, rangeOfPeople } from "../../registrations/people.ts";
import type { Registration } from "../../registrations/registrations.ts";
import { BURST, BY_OPERATOR } from "../../registrations/registrations.ts";

/** Where a person stands: the first of these that holds, from the last one. */
export const STATES = ["unconfirmed", "confirmed", "bounced", "left"] as const;

export type PersonState = (typeof STATES)[number];

/** Marks that a list can be filtered by. */
export const MARKS = ["honeypot", BURST, BY_OPERATOR, "none"] as const;

export type Mark = (typeof MARKS)[number];

/** Which people a list has. Times are ISO 8601 in UTC with milliseconds. */
export interface ListFilter {
	source?: string;
	/** Joined then or later, and before then. */
	since?: string;
	until?: string;
	state?: PersonState;
	/** The name of a wave that they have a letter of. */
	wave?: string;
	/** The mark that they have, or none. */
	mark?: Mark;
	/** The other way round: those who joined first come first. */
	oldest?: boolean;
}

/** A person on a list. */
export interface Listed extends Registration {
	state: PersonState;
}

/** Where a list goes on. */
export interface ListPlace {
	/** The value that the list is sorted by: a time, or "" where it is sorted by address. */
	at: string;
	key: string;
}

/** A page of a list. */
export interface ListPage {
	people: Listed[];
	/** Where the next page begins; undefined at the end of the list. */
	next: ListPlace | undefined;
	/** Whether it ends where nobody looked any further, before it was full. */
	cut: boolean;
}

/** Rows of an index that are looked at together: few, so that joins get in between. */
const WINDOW = 1000;

/** Windows that a page looks at: without a bound, a rare combination would read a million people. */
const MOST_WINDOWS = 5;

/** An index in whose order people are read. */
interface Order {
	/** Table and conditions in SQL, in the words of the index. */
	from: string;
	where: (put: Put) => string[];
	/** The column that comes before the key in the index; undefined where there is none. */
	by: string | undefined;
}

/** In whose order a filter is read: the index that leaves the fewest people to look at. */
function orderOf({ source, since, until, state, wave, mark }: ListFilter): Order {
	if (wave !== undefined) {
		return { from: "letter", where: (put) => [`wave = ${put(wave)}`, "wave <> ''"], by: undefined };
	}
	const recipients = (by: string): Order => ({
		from: "recipient",
		by,
		where: () => [`${by} <> ''`],
	});
	if (state === "left") return recipients("left_at");
	if (state === "bounced") return recipients("bounced_at");
	if (state === "confirmed") {
		const confirmed = recipients("confirmed_at");
		return { ...confirmed, where: (put) => [...confirmed.where(put), "left_at = ''"] };
	}
	const where = (put: Put) => [
		...(mark && mark !== "none"
			? ["flags <> ''"]
			: source === undefined
				? []
				: [`source = ${put(source)}`]),
		...(since === undefined ? [] : [`created_at >= ${put(since)}`]),
		...(until === undefined ? [] : [`created_at < ${put(until)}`]),
	];
	return { from: "registration", where, by: "created_at" };
}

/** What a list is sorted by, in words: `joined`, `address`. */
export function sortedBy(
	filter: ListFilter,
): "joined" | "confirmed" | "left" | "bounced" | "address" {
	const { by } = orderOf(filter);
	if (by === undefined) return "address";
	return by === "created_at" ? "joined" : (by.replace("_at", "") as "left");
}

interface Row extends Listed {
	at: string;
}

/**
 * SQL of one window: a range of the index, and what is known of the people in it. Whether they fit is
 * decided later, so that no database can choose to decide it first, for a million people.
 */
export function windowStatement(filter: ListFilter, after: ListPlace | undefined, rows: number) {
	const { parameters, put } = collect();
	const { from, where, by } = orderOf(filter);
	// Addresses begin with A.
	const oldest = (filter.oldest ?? false) !== (by === undefined);
	const than = oldest ? ">" : "<";
	const columns = by === undefined ? ["email_key"] : [by, "email_key"];
	const place = after && (by === undefined ? [after.key] : [after.at, after.key]);
	const conditions = [
		...where(put),
		...(place ? [`(${columns.join(", ")}) ${than} (${place.map(put).join(", ")})`] : []),
	];
	const sql = rangeOfPeople({ from, by, conditions, oldest, rows: put(rows) });
	return { sql, parameters };
}

/** Whether a person of a window belongs to the list: all that its index does not say. */
function fits(
	{ source, since, until, state, mark }: ListFilter,
	person: { [Field in keyof Listed]: Listed[Field] | null },
): boolean {
	return (
		// Somebody who was erased may still be a recipient for a moment, or be known by another spelling.
		person.email !== null &&
		(source === undefined || person.source === source) &&
		(since === undefined || person.createdAt! >= since) &&
		(until === undefined || person.createdAt! < until) &&
		(state === undefined || person.state === state) &&
		(mark === undefined || person.flags === (mark === "none" ? "" : mark))
	);
}

/** What is asked of a list. */
interface Asked {
	after: ListPlace | undefined;
	/** People on the page. */
	most: number;
	/** Windows that are looked at for it. */
	windows?: number;
}

/**
 * A page of a list, by an index, from a place in it. Each person stands in it once, also while others
 * join: a place is what the person before it has, and no number of rows.
 *
 * It may end before it is full, where few of many fit.
 */
export async function listPage(
	query: Query,
	filter: ListFilter,
	{ after, most, windows: mostWindows = MOST_WINDOWS }: Asked,
): Promise<ListPage> {
	const people: Listed[] = [];
	let place = after;
	let before = "";
	for (let windows = 1; ; windows++) {
		const size = windows === 1 ? most + 1 : WINDOW;
		const { sql, parameters } = windowStatement(filter, place, size);
		const rows = await query<Row>(sql, parameters);
		for (const { at, ...person } of rows) {
			// A person may have an invitation and news of one wave.
			if (person.key !== before && fits(filter, person)) {
				if (people.length === most) return { people, next: place, cut: false };
				people.push(person);
			}
			before = person.key;
			place = { at, key: person.key };
		}
		if (rows.length < size) return { people, next: undefined, cut: false };
		if (windows === mostWindows) return { people, next: place, cut: true };
	}
}

/** How many people a list has. */
export interface ListCount {
	count: number;
	/** Whether these are all; otherwise there may be more. */
	isAll: boolean;
}

/** Rows that are counted: one table alone takes 10 ms for so many. */
const MOST_COUNTED = 10_000;

/** Counts a list, as far as that takes no longer than a page of it: not all of a long one. */
export async function countListed(query: Query, filter: ListFilter): Promise<ListCount> {
	const { parameters, put } = collect();
	const { from, where, by } = orderOf(filter);
	const own = inOwnTable(filter, put);
	if (!own) {
		const one = { after: undefined, most: WINDOW, windows: 1 };
		const { people, next } = await listPage(query, filter, one);
		return { count: people.length, isAll: next === undefined };
	}
	const range = { ...own, from, by, conditions: where(put), oldest: false };
	const sql = countRange({ ...range, rows: put(MOST_COUNTED + 1) }, own.fits);
	const [row] = await query<{ looked: number; fitting: number }>(sql, parameters);
	const { looked, fitting } = row!;
	return { count: Math.min(fitting, MOST_COUNTED), isAll: looked <= MOST_COUNTED };
}

/** What decides about a list beside its index, where the table of that index knows it; otherwise undefined. */
function inOwnTable(
	{ source, since, until, state, wave, mark }: ListFilter,
	put: Put,
): { columns: string[]; fits: string[] } | undefined {
	const isMore = [source, since, until, mark].some((value) => value !== undefined);
	if (wave !== undefined) return isMore || state ? undefined : { columns: [], fits: [] };
	if (state === "unconfirmed" || (state && isMore)) return undefined;
	if (state === "left") return { columns: [], fits: [] };
	if (state) {
		const column = state === "bounced" ? "left_at" : "bounced_at";
		return { columns: [column], fits: [`${column} = ''`] };
	}
	if (mark === undefined) return { columns: [], fits: [] };
	const marked = `flags = ${put(mark === "none" ? "" : mark)}`;
	return source === undefined
		? { columns: ["flags"], fits: [marked] }
		: { columns: ["flags", "source"], fits: [marked, `source = ${put(source)}`] };
}

/** All people of a list, a page at a time. */
export async function* peopleOf(query: Query, filter: ListFilter): AsyncGenerator<Listed[]> {
	for (let after: ListPlace | undefined; ; ) {
		const { people, next } = await listPage(query, filter, {
			after,
			most: WINDOW,
			windows: Infinity,
		});
		if (people.length > 0) yield people;
		if (!next) return;
		after = next;
	}
}
