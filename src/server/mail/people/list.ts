import type { SharedDatabase } from "../../database/database.ts";
import {
	countRows,
	inPages,
	joinSql,
	raw,
	type Statement,
	sql,
	type Tx,
} from "../../database/sql.ts";
import { type FlagFilter, flagIs } from "../../registrations/flags.ts";
import type { Registration } from "../../registrations/registrations.ts";

/** States of a person. The last one that holds counts. */
export const STATES = ["unconfirmed", "confirmed", "bounced", "left"] as const;

export type PersonState = (typeof STATES)[number];

/** Selects people. Times are ISO 8601 in UTC with milliseconds. */
export interface ListFilter {
	source?: string;
	/** Joined then or later, and before then. */
	since?: string;
	until?: string;
	state?: PersonState;
	/** A wave that they have an email of. */
	wave?: string;
	flag?: FlagFilter;
}

export interface Listed extends Registration {
	state: PersonState;
}

/** The person after whom a page begins. */
export type ListPlace = Pick<Registration, "joinedAt" | "key">;

const STATE = sql`CASE WHEN unsubscribed_at <> '' THEN 'left' WHEN bounced_at <> '' THEN 'bounced'
	WHEN confirmed_at <> '' THEN 'confirmed' ELSE 'unconfirmed' END`;

/** SQL for the people of a list. */
function isListed({ source, since, until, state, wave, flag }: ListFilter): Statement {
	const conditions = [
		sql`TRUE`,
		source !== undefined && sql`source = ${source}`,
		since !== undefined && sql`joined_at >= ${since}`,
		until !== undefined && sql`joined_at < ${until}`,
		state !== undefined && sql`${STATE} = ${state}`,
		flag !== undefined && flagIs(flag),
		wave !== undefined &&
			sql`EXISTS (SELECT 1 FROM email WHERE email.email_key = registration.email_key AND wave = ${wave})`,
	].filter((condition) => condition !== false);
	return joinSql(conditions, " AND ");
}

/**
 * A transaction that reads a page of a list, the latest join first. A filter that few match reads the whole
 * list: about a second for a million people, on a connection that nobody else waits for.
 */
export function readList(
	tx: Tx,
	{ filter, after, most }: { filter: ListFilter; after: ListPlace | undefined; most: number },
): Promise<Listed[]> {
	const place = after ? sql`(joined_at, email_key) < (${after.joinedAt}, ${after.key})` : sql`TRUE`;
	return tx.all(sql<Listed>`SELECT email_key AS "key", email, source, joined_at AS "joinedAt", terms,
			flag, ${STATE} AS state
		FROM registration WHERE ${isListed(filter)} AND ${place}
		ORDER BY joined_at DESC, email_key DESC LIMIT ${raw(most)}`);
}

/** A transaction that counts a list. */
export const countList = (tx: Tx, filter: ListFilter) =>
	countRows(tx, sql`registration WHERE ${isListed(filter)}`);

const PAGE_ROWS = 1000;

/** All people of a list, a page at a time. */
export const peopleOf = (database: Pick<SharedDatabase, "read">, filter: ListFilter) =>
	inPages<Listed>(PAGE_ROWS, (after) =>
		database.read(readList, { filter, after, most: PAGE_ROWS }),
	);
