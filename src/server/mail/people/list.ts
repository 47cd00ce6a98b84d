import type { SharedDatabase } from "../../database/database.ts";
import { countRows, joinSql, raw, readInPages, sql, type Tx } from "../../database/sql.ts";
import { MAILING_STATUS_SQL, type MailingStatus } from "../../registrations/facts.ts";
import { type FlagFilter, flagFilterSql } from "../../registrations/flags.ts";
import type { Registration } from "../../registrations/registrations.ts";

/** If several states apply to a person, the last wins. */
export const PERSON_STATES = ["unconfirmed", "confirmed", "bounced", "unsubscribed"] as const;

export type PersonState = (typeof PERSON_STATES)[number];

export interface PeopleFilter {
	source?: string;
	since?: string;
	until?: string;
	state?: PersonState;
	wave?: string;
	flag?: FlagFilter;
}

export type ListedPerson = Registration & MailingStatus & { state: PersonState };

export type ListPosition = Pick<Registration, "joinedAt" | "key">;

const STATE = sql`CASE WHEN unsubscribed_at <> '' THEN 'unsubscribed' WHEN bounced_at <> '' THEN 'bounced'
	WHEN confirmed_at <> '' THEN 'confirmed' ELSE 'unconfirmed' END`;

function isListed({ source, since, until, state, wave, flag }: PeopleFilter) {
	const conditions = [
		sql`TRUE`,
		source !== undefined && sql`source = ${source}`,
		since !== undefined && sql`joined_at >= ${since}`,
		until !== undefined && sql`joined_at < ${until}`,
		state !== undefined && sql`${STATE} = ${state}`,
		flag !== undefined && flagFilterSql(flag),
		wave !== undefined &&
			sql`EXISTS (SELECT 1 FROM email WHERE email.email_key = registration.email_key AND wave = ${wave})`,
	].filter((condition) => condition !== false);
	return joinSql(conditions, " AND ");
}

/** Reads people, latest join first. A filter with few matches takes 1 s for a million people. */
export function readPeople(
	tx: Tx,
	{ filter, after, most }: { filter: PeopleFilter; after: ListPosition | undefined; most: number },
): Promise<ListedPerson[]> {
	const place = after ? sql`(joined_at, email_key) < (${after.joinedAt}, ${after.key})` : sql`TRUE`;
	return tx.all(sql<ListedPerson>`SELECT email_key AS "key", email, source, joined_at AS "joinedAt", terms,
			${MAILING_STATUS_SQL}, ${STATE} AS state
		FROM registration WHERE ${isListed(filter)} AND ${place}
		ORDER BY joined_at DESC, email_key DESC LIMIT ${raw(most)}`);
}

export const countListedPeople = (tx: Tx, filter: PeopleFilter) =>
	countRows(tx, sql`registration WHERE ${isListed(filter)}`);

export const readPeoplePages = (database: Pick<SharedDatabase, "read">, filter: PeopleFilter) =>
	readInPages<ListedPerson>(1000, (after) =>
		database.read(readPeople, { filter, after, most: 1000 }),
	);
