import { countWhere, raw, type Statement, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { BURST, BY_OPERATOR } from "../../registrations/flags.ts";
import type { Registration } from "../../registrations/registrations.ts";

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
	/** The name of a wave that they have an email of. */
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

/** In whose order people are read: a column that an index begins with, and its conditions. */
interface Order {
	where: Statement;
	/** The column that comes before the key in the index; undefined where there is none. */
	by: "joined_at" | "confirmed_at" | "unsubscribed_at" | "bounced_at" | undefined;
}

/** The index that leaves the fewest people to look at. */
function orderOf({ source, since, until, state, wave, mark }: ListFilter): Order {
	if (wave !== undefined) return { where: sql`wave = ${wave} AND wave <> ''`, by: undefined };
	if (state === "left") return { where: sql`unsubscribed_at <> ''`, by: "unsubscribed_at" };
	if (state === "bounced") return { where: sql`bounced_at <> ''`, by: "bounced_at" };
	if (state === "confirmed") {
		return { where: sql`confirmed_at <> '' AND unsubscribed_at = ''`, by: "confirmed_at" };
	}
	const range = and([
		since === undefined ? undefined : sql`joined_at >= ${since}`,
		until === undefined ? undefined : sql`joined_at < ${until}`,
	]);
	const first =
		mark && mark !== "none"
			? sql`flag <> '' AND flag = ${mark}`
			: source === undefined
				? sql`TRUE`
				: sql`source = ${source}`;
	return { where: sql`${first} AND ${range}`, by: "joined_at" };
}

const and = (conditions: readonly (Statement | undefined)[]) =>
	conditions
		.filter((one) => one !== undefined)
		.reduce((one, other) => sql`${one} AND ${other}`, sql`TRUE`);

/** What a list is sorted by, in words: `joined`, `address`. */
export function sortedBy(
	filter: ListFilter,
): "joined" | "confirmed" | "left" | "bounced" | "address" {
	const { by } = orderOf(filter);
	if (by === undefined) return "address";
	return by === "unsubscribed_at" ? "left" : (by.replace("_at", "") as "joined");
}

const STATE = sql`CASE WHEN unsubscribed_at <> '' THEN 'left' WHEN bounced_at <> '' THEN 'bounced'
	WHEN confirmed_at <> '' THEN 'confirmed' ELSE 'unconfirmed' END`;

/** Whether a person of a window belongs to the list. */
const fits = ({ source, since, until, state, mark }: ListFilter): Statement =>
	and([
		source === undefined ? undefined : sql`source = ${source}`,
		since === undefined ? undefined : sql`joined_at >= ${since}`,
		until === undefined ? undefined : sql`joined_at < ${until}`,
		state === undefined ? undefined : sql`${STATE} = ${state}`,
		mark === undefined ? undefined : sql`flag = ${mark === "none" ? "" : mark}`,
	]);

/** The rows of one window: a range of the index, before anybody decides who fits. */
function windowOf(filter: ListFilter, after: ListPlace | undefined, rows: number) {
	const { where, by } = orderOf(filter);
	// Addresses begin with A.
	const isUp = (filter.oldest ?? false) !== (by === undefined);
	const way = isUp ? "ASC" : "DESC";
	const limit = sql`LIMIT ${rows}`;
	if (by === undefined) {
		const place = after ? sql`AND email_key ${raw(isUp ? ">" : "<")} ${after.key}` : sql``;
		const order = `email_key ${way}`;
		const page = sql`SELECT '' AS at, registration.* FROM (
			SELECT DISTINCT email_key FROM email WHERE ${where} ${place} ORDER BY ${raw(order)} ${limit}
		) AS page JOIN registration ON registration.email_key = page.email_key`;
		return { page, order };
	}
	const place = after
		? sql`AND (${raw(by)}, email_key) ${raw(isUp ? ">" : "<")} (${after.at}, ${after.key})`
		: sql``;
	const order = `${by} ${way}, email_key ${way}`;
	const page = sql`SELECT ${raw(by)} AS at, registration.* FROM registration
		WHERE ${where} ${place} ORDER BY ${raw(order)} ${limit}`;
	return { page, order };
}

interface Row extends Listed {
	at: string;
	fits: number;
}

/**
 * A window of a list. Whether people fit is decided last, so that no database can choose to decide it first,
 * for a million people.
 */
export function windowStatement(filter: ListFilter, after: ListPlace | undefined, rows: number) {
	const { page, order } = windowOf(filter, after, rows);
	return sql<Row>`SELECT at, email_key AS "key", email, source, joined_at AS "joinedAt", terms,
			flag, ${STATE} AS state, CASE WHEN ${fits(filter)} THEN 1 ELSE 0 END AS fits
		FROM (${page}) AS page ORDER BY ${raw(order)}`;
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
	tx: Tx,
	filter: ListFilter,
	{ after, most, windows: mostWindows = MOST_WINDOWS }: Asked,
): Promise<ListPage> {
	const people: Listed[] = [];
	let place = after;
	for (let windows = 1; ; windows++) {
		const size = windows === 1 ? most + 1 : WINDOW;
		const rows = await tx.all(windowStatement(filter, place, size));
		for (const { at, fits, ...person } of rows) {
			if (fits === 1) {
				if (people.length === most) return { people, next: place, cut: false };
				people.push(person);
			}
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

/** Rows that are counted: it takes about as long as a page. */
const MOST_COUNTED = 10_000;

/** Counts a list, as far as that takes no longer than a page of it: not all of a long one. */
export async function countListed(tx: Tx, filter: ListFilter): Promise<ListCount> {
	const { page } = windowOf(filter, undefined, MOST_COUNTED + 1);
	const [row] = await tx.all(sql<{
		looked: number;
		fitting: number;
	}>`SELECT ${countWhere(sql`TRUE`)} AS looked,
			CAST(COALESCE(sum(CASE WHEN ${fits(filter)} THEN 1 ELSE 0 END), 0) AS INTEGER) AS fitting
		FROM (${page}) AS page`);
	const { looked, fitting } = row!;
	return { count: Math.min(fitting, MOST_COUNTED), isAll: looked <= MOST_COUNTED };
}

/** All people of a list, a page at a time. */
export async function* peopleOf(tx: Tx, filter: ListFilter): AsyncGenerator<Listed[]> {
	for (let after: ListPlace | undefined; ; ) {
		const { people, next } = await listPage(tx, filter, {
			after,
			most: WINDOW,
			windows: Infinity,
		});
		if (people.length > 0) yield people;
		if (!next) return;
		after = next;
	}
}
