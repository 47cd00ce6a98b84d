import { keysSql, rowsSql, selectKeys, sql, type Tx } from "../database/sql.ts";
import { isDay } from "../time.ts";
import type { Person } from "./registrations.ts";

/* Confirmations, unsubscribes and bounces, learned from emails and imports. */

export type PersonFacts = Omit<Person, "email" | "source" | "joinedAt" | "terms" | "flag" | "id">;

const NOTHING = {
	...{ confirmedAt: "", confirmedBy: "", page: "" },
	...{ unsubscribedAt: "", bouncedAt: "", bounce: "" },
};

export function withDefaultFacts(key: string, known: Partial<PersonFacts> = {}): PersonFacts {
	return { key, ...NOTHING, ...known };
}

/** Merges two sets of facts in any order. A confirmation cancels earlier unsubscribes and bounces. */
function mergeTwo(ours: PersonFacts, theirs: PersonFacts): PersonFacts {
	const later = (name: keyof PersonFacts) => (theirs[name] > ours[name] ? theirs : ours);
	const { confirmedAt, confirmedBy, page } = later("confirmedAt");
	const { unsubscribedAt } = later("unsubscribedAt");
	const { bouncedAt, bounce } = later("bouncedAt");
	return {
		key: ours.key,
		confirmedAt,
		confirmedBy,
		page,
		unsubscribedAt: unsubscribedAt > confirmedAt ? unsubscribedAt : "",
		...(bouncedAt > confirmedAt ? { bouncedAt, bounce } : { bouncedAt: "", bounce: "" }),
	};
}

/** Merges facts into people on the list. The later of two conflicting facts wins. */
export async function mergeFacts(tx: Tx, facts: readonly PersonFacts[]): Promise<void> {
	if (facts.length === 0) return;
	const theirs = new Map<string, PersonFacts>();
	for (const one of facts) theirs.set(one.key, mergeTwo(theirs.get(one.key) ?? one, one));
	const ours =
		await tx.all(sql<PersonFacts>`SELECT email_key AS "key", confirmed_at AS "confirmedAt",
			confirmed_by AS "confirmedBy", page, unsubscribed_at AS "unsubscribedAt", bounced_at AS "bouncedAt", bounce
		FROM registration WHERE email_key IN ${keysSql(theirs.keys())} ORDER BY email_key FOR UPDATE`);
	const rows = ours.flatMap((before) => {
		const now = mergeTwo(before, theirs.get(before.key)!);
		const names = Object.keys(NOTHING) as (keyof typeof NOTHING)[];
		if (names.every((name) => now[name] === before[name])) return [];
		return [[now.key, ...names.map((name) => now[name])]];
	});
	if (rows.length === 0) return;
	await tx.all(sql`UPDATE registration SET confirmed_at = value->>1, confirmed_by = value->>2, page = value->>3,
			unsubscribed_at = value->>4, bounced_at = value->>5, bounce = value->>6
		FROM ${rowsSql(rows)} WHERE email_key = value->>0`);
}

export type MailingStatus = Pick<Person, "flag" | "confirmedAt" | "unsubscribedAt" | "bouncedAt">;

export const MAILING_STATUS_SQL = sql`flag, confirmed_at AS "confirmedAt", unsubscribed_at AS "unsubscribedAt",
	bounced_at AS "bouncedAt"`;

export const readMailingStatuses = (tx: Tx, keys: readonly string[], { lock }: { lock: boolean }) =>
	tx.all(sql<
		MailingStatus & { key: string }
	>`SELECT email_key AS "key", ${MAILING_STATUS_SQL} FROM registration
		WHERE email_key IN ${keysSql(keys)} ORDER BY email_key ${lock ? sql`FOR UPDATE` : sql``}`);

export const markUnsubscribed = (tx: Tx, key: string, at: string) =>
	tx.all(sql`UPDATE registration SET unsubscribed_at = ${at} WHERE email_key = ${key}`);

export const markBounced = (tx: Tx, key: string, at: string, reply: string) =>
	tx.all(sql`UPDATE registration SET bounced_at = ${at}, bounce = ${reply}
		WHERE email_key = ${key}`);

/** Finds people who bounced with a reply code (`5.1.1` or `550 5.1.1`), or on a UTC day. */
export async function findBouncedKeys(tx: Tx, codeOrDay: string): Promise<string[]> {
	const which = isDay(codeOrDay)
		? sql`bounced_at LIKE ${`${codeOrDay}T%`}`
		: sql`(bounce = ${codeOrDay} OR bounce LIKE ${`% ${codeOrDay}`})`;
	const found = sql`SELECT email_key AS "key" FROM registration
		WHERE bounced_at <> '' AND ${which} ORDER BY email_key`;
	return selectKeys(tx, found);
}

export const clearBounceColumns = (tx: Tx, keys: readonly string[]) =>
	tx.all(sql<{ key: string }>`UPDATE registration SET bounced_at = '', bounce = ''
		WHERE bounced_at <> '' AND email_key IN ${keysSql(keys)}
		RETURNING email_key AS "key"`);

export type LinkedPerson = Pick<Person, "id" | "key" | "confirmedAt" | "unsubscribedAt">;

export const findPersonById = (tx: Tx, id: string) =>
	tx.first(sql<LinkedPerson>`SELECT id, email_key AS "key", confirmed_at AS "confirmedAt",
		unsubscribed_at AS "unsubscribedAt" FROM registration WHERE id = ${id}`);

/** Confirms a person. Also clears a bounce, because the link arrived by email. */
export const confirmPersonSql = (id: string, now: string, page: string) =>
	sql<{ key: string }>`UPDATE registration
		SET confirmed_at = ${now}, confirmed_by = 'button', page = ${page}, unsubscribed_at = '',
			bounced_at = '', bounce = ''
		WHERE id = ${id} AND (confirmed_at = '' OR unsubscribed_at <> '')
		RETURNING email_key AS "key"`;
