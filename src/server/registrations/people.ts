import type { Database } from "../database/database.ts";
import { type Dialect, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import { countRows } from "../database/rows.ts";
import { type Query, statement } from "../database/statement.ts";
import type { Bucket } from "../time.ts";
import { HAS_BOUNCED, HAS_CONFIRMED, HAS_LEFT } from "./recipients.ts";
import { IS_BURST } from "./registrations.ts";

/*
 * What others ask of the table `registration`: keys and pages of people who fit a condition of theirs, in
 * SQL, and counts. Times are ISO 8601 in UTC with milliseconds.
 */

/** The keys of people after the key `$1`, in the order of keys: so many at most. */
export async function keysAfter(
	query: Query,
	condition: string,
	parameters: readonly string[],
	most: number,
): Promise<string[]> {
	return keysOf(
		await query<{ key: string }>(
			`SELECT email_key AS "key" FROM registration WHERE email_key > $1 AND ${condition}
			ORDER BY email_key LIMIT ${most}`,
			parameters,
		),
	);
}

/** For each of these texts, the first key of the list that is no smaller: none where all are smaller. */
export async function firstKeysFrom(
	{ query, dialect }: Pick<Database, "query" | "dialect">,
	texts: readonly string[],
): Promise<Map<string, string>> {
	const rows = await query<{ text: string; key: string | null }>(
		`SELECT value->>0 AS text, (
			SELECT email_key FROM registration WHERE email_key >= value->>0 ORDER BY email_key LIMIT 1
		) AS "key" FROM ${dialect.jsonRows}`,
		[keysAsJson(texts)],
	);
	return new Map(rows.flatMap(({ text, key }) => (key === null ? [] : [[text, key]])));
}

/** The keys of the people among `rows`, as keysAsJson gives them, who are on the list and fit a condition. */
export async function keysAmong(
	query: Query,
	dialect: Dialect,
	rows: string,
	condition = "true",
): Promise<string[]> {
	return keysOf(
		await query<{ key: string }>(
			`SELECT email_key AS "key" FROM registration WHERE ${ofPeople(dialect)} AND ${condition}`,
			[rows],
		),
	);
}

/** The keys of those on the list, locked until the transaction ends. Leaves out who is being erased. */
export const lockPeople = (query: Query, dialect: Dialect, keys: readonly string[]) =>
	keysAmong(query, dialect, keysAsJson(keys), `true ${dialect.takeRows}`);

/** A person of a page, and whether they fit its condition. */
interface MayBe {
	key: string;
	may: number;
}

/**
 * People by the time of joining, after the time `$1` and the key `$2`. The page comes first and the condition
 * second, because PostgreSQL without statistics would check a million people before it takes a page.
 *
 * @param selected conditions in SQL for who is on the page at all
 */
export const pageByTime = (
	may: string,
	{ selected, most }: { selected: readonly string[]; most: number },
	parameters: (string | number)[],
) =>
	statement<MayBe & { createdAt: string }>(
		`SELECT email_key AS "key", created_at AS "createdAt", CASE WHEN ${may} THEN 1 ELSE 0 END AS may
		FROM (
			SELECT * FROM registration WHERE ${["(created_at, email_key) > ($1, $2)", ...selected].join(" AND ")}
			ORDER BY created_at, email_key LIMIT ${most}
		) AS registration ORDER BY created_at, email_key`,
		...parameters,
	);

/** People by their random ids as recipients, after the id `$1` and up to `$2`; page and condition as in pageByTime. */
export const pageById = (may: string, most: number, parameters: (string | number)[]) =>
	statement<MayBe & { id: string }>(
		`SELECT registration.email_key AS "key", page.id AS id, CASE WHEN ${may} THEN 1 ELSE 0 END AS may
		FROM (
			SELECT email_key, id FROM recipient WHERE id > $1 AND id <= $2 ORDER BY id LIMIT ${most}
		) AS page
		JOIN registration ON registration.email_key = page.email_key ORDER BY page.id`,
		...parameters,
	);

/** A range of an index: its table, its first column if there is one, and conditions, all in SQL. */
interface Range {
	from: string;
	by: string | undefined;
	conditions: readonly string[];
	oldest: boolean;
	rows: string;
	/** Columns that a count looks at besides. The table has them, an index of it need not. */
	columns?: readonly string[];
}

/** SQL of a range of an index by which a list is read, and of what is known of the people in it. */
export function rangeOfPeople({ from, by, conditions, oldest, rows }: Range): string {
	const way = oldest ? "ASC" : "DESC";
	return `SELECT page.at AS at, page.email_key AS "key", email, source,
			created_at AS "createdAt", terms, flags, COALESCE((
				SELECT CASE WHEN ${HAS_LEFT} THEN 'left' WHEN ${HAS_BOUNCED} THEN 'bounced'
					WHEN ${HAS_CONFIRMED} THEN 'confirmed' ELSE 'unconfirmed' END
				FROM recipient WHERE recipient.email_key = page.email_key
			), 'unconfirmed') AS state
		FROM (${rowsOf({ from, by, conditions, oldest, rows })}) AS page
		LEFT JOIN registration ON registration.email_key = page.email_key
		ORDER BY ${by === undefined ? "" : `page.at ${way}, `}page.email_key ${way}`;
}

function rowsOf({ from, by, conditions, oldest, rows, columns = [] }: Range): string {
	const way = oldest ? "ASC" : "DESC";
	const order = [...(by === undefined ? [] : [`${by} ${way}`]), `email_key ${way}`].join(", ");
	return `SELECT ${[`${by ?? "''"} AS at`, "email_key", ...columns].join(", ")} FROM ${from}
		${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""}
		ORDER BY ${order} LIMIT ${rows}`;
}

/** SQL that counts the rows of a range, and the people in it who fit conditions about its columns. */
export const countRange = (range: Range, fits: readonly string[]) =>
	`SELECT CAST(count(*) AS INTEGER) AS looked, CAST(count(${range.from === "letter" ? "DISTINCT " : ""}CASE WHEN
			${["true", ...fits].join(" AND ")} THEN email_key END) AS INTEGER) AS fitting
		FROM (${rowsOf(range)}) AS page`;

/** SQL that counts people. @param where begins with WHERE, or is "" */
export const countPeople = (counts: string, where: string) =>
	`SELECT ${counts} FROM registration ${where}`;

/** SQL that counts people with what is known of them as recipients. */
export const countWithRecipients = (counts: string, where: string) =>
	countPeople(
		counts,
		`LEFT JOIN recipient ON recipient.email_key = registration.email_key ${where}`,
	);

/** SQL that counts recipients, in the order of their table. @param where may name registrations, if it is not "" */
export const countRecipientsWhere = (
	counts: string,
	where: string,
) => `SELECT ${counts} FROM recipient
	${where && "JOIN registration ON registration.email_key = recipient.email_key"} ${where}`;

/** How many registrations there are. */
export const countRegistrations = (query: Query) => countRows(query, "registration");

/** What the registrations say of the whole list. */
export interface ListCounts {
	/** Times of the first and the latest join, ISO 8601. */
	first: string | null;
	latest: string | null;
	/** Registrations that the honeypot or the operator has marked. */
	flagged: number;
	/** Registrations of bursts that were not released. */
	burst: number;
}

/** An index answers each of these. */
export async function countList(query: Query): Promise<ListCounts> {
	const [counts] = await query<ListCounts>(
		`SELECT (SELECT min(created_at) FROM registration) AS first,
			(SELECT max(created_at) FROM registration) AS latest,
			CAST((SELECT count(*) FROM registration WHERE flags <> '' AND NOT ${IS_BURST}) AS INTEGER) AS flagged,
			CAST((SELECT count(*) FROM registration WHERE ${IS_BURST}) AS INTEGER) AS burst`,
	);
	return counts!;
}

/** How many joined, by something that has a name. */
export interface Joined {
	name: string;
	count: number;
}

/** How many came from each site, the largest first: at most so many sites, since an ISO 8601 time. */
export function countBySource(query: Query, most: number, since = ""): Promise<Joined[]> {
	return query(
		`SELECT source AS name, CAST(count(*) AS INTEGER) AS count FROM registration
		${since && "WHERE created_at >= $1"}
		GROUP BY source ORDER BY count(*) DESC, source LIMIT ${most}`,
		since ? [since] : [],
	);
}

/** How many joined in each of these times, in their order. */
export async function countByTime(
	{ query, dialect }: Pick<Database, "query" | "dialect">,
	times: readonly Bucket[],
): Promise<Joined[]> {
	const ranges = times.map(({ from, to }, place) => [String(place), from, to]);
	const rows = await query<{ place: string; count: number }>(
		`SELECT value->>0 AS place, CAST((
			SELECT count(*) FROM registration WHERE created_at >= value->>1 AND created_at < value->>2
		) AS INTEGER) AS count FROM ${dialect.jsonRows}`,
		[JSON.stringify(ranges)],
	);
	const counts = new Map(rows.map(({ place, count }) => [Number(place), count]));
	return times.map(({ name }, place) => ({ name, count: counts.get(place)! }));
}

/** How many have each mark, by its name. An index of marked rows answers. */
export function countMarks(query: Query): Promise<Joined[]> {
	return query(
		`SELECT flags AS name, CAST(count(*) AS INTEGER) AS count FROM registration
		WHERE flags <> '' GROUP BY flags ORDER BY flags`,
	);
}
