import { countRows, isAnyRow } from "../database/rows.ts";
import { keysIn, rowsIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import type { Person } from "./registrations.ts";

/* What emails tell of people: they confirmed, unsubscribed or bounced. */

/** What is known of a person from elsewhere, as from an import. */
export type Facts = Omit<Person, "email" | "source" | "joinedAt" | "terms" | "flag" | "id">;

/** A person of whom nothing is known yet. */
export function factsOf(key: string, known: Partial<Facts> = {}): Facts {
	const nothing = { confirmedAt: "", confirmedBy: "", page: "", unsubscribedAt: "", bouncedAt: "" };
	return { key, ...nothing, bounce: "", ...known };
}

/** SQL for a person who gets no email at all: one who unsubscribed, or whose address does not exist. */
const UNREACHABLE = sql`(unsubscribed_at <> '' OR bounced_at <> '')`;

/** Whether anybody confirmed, unsubscribed or bounced. */
export const hasFacts = (tx: Tx) =>
	isAnyRow(tx, sql`registration WHERE ${UNREACHABLE} OR confirmed_at <> ''`);

/** How many people emails reach. */
export interface FactCounts {
	/** They confirmed, and have not unsubscribed since. */
	confirmed: number;
	left: number;
	/** Also of those who unsubscribed. */
	bounced: number;
}

/** An index of its own answers each of these. */
export async function countFacts(tx: Tx): Promise<FactCounts> {
	return {
		confirmed: await countRows(
			tx,
			sql`registration WHERE confirmed_at <> '' AND unsubscribed_at = ''`,
		),
		left: await countRows(tx, sql`registration WHERE unsubscribed_at <> ''`),
		bounced: await countRows(tx, sql`registration WHERE bounced_at <> ''`),
	};
}

/** The side that knows the later of two times. */
const laterOf = <Name extends keyof Facts>(a: Facts, b: Facts, name: Name) =>
	b[name] > a[name] ? b : a;

/** Merges what two sides know. The order does not matter. A confirmation ends what came before it. */
function mergeTwo(ours: Facts, theirs: Facts): Facts {
	const confirmed = laterOf(ours, theirs, "confirmedAt");
	const left = laterOf(ours, theirs, "unsubscribedAt");
	const bounced = laterOf(ours, theirs, "bouncedAt");
	const { confirmedAt, confirmedBy, page } = confirmed;
	const hasBounced = bounced.bouncedAt > confirmedAt;
	return {
		key: ours.key,
		confirmedAt,
		confirmedBy,
		page,
		unsubscribedAt: left.unsubscribedAt > confirmedAt ? left.unsubscribedAt : "",
		bouncedAt: hasBounced ? bounced.bouncedAt : "",
		bounce: hasBounced ? bounced.bounce : "",
	};
}

const lockFacts = (tx: Tx, keys: Iterable<string>) =>
	tx.all(sql<Facts>`SELECT email_key AS "key", confirmed_at AS "confirmedAt", confirmed_by AS "confirmedBy", page,
			unsubscribed_at AS "unsubscribedAt", bounced_at AS "bouncedAt", bounce
		FROM registration WHERE email_key IN ${keysIn(keys)} ORDER BY email_key FOR UPDATE`);

/** Merges facts into people who are on the list: of two that disagree the later one wins. */
export async function mergeFacts(tx: Tx, facts: readonly Facts[]): Promise<void> {
	if (facts.length === 0) return;
	const theirs = new Map(facts.map((one) => [one.key, one]));
	const ours = await lockFacts(tx, theirs.keys());
	const merged = ours.map((one) => mergeTwo(one, theirs.get(one.key)!));
	const changed = merged.filter((one, n) => JSON.stringify(one) !== JSON.stringify(ours[n]));
	const rows = changed.map(
		({ key, confirmedAt, confirmedBy, page, unsubscribedAt, bouncedAt, bounce }) => [
			...[key, confirmedAt, confirmedBy, page, unsubscribedAt, bouncedAt, bounce],
		],
	);
	if (rows.length === 0) return;
	await tx.all(sql`UPDATE registration SET confirmed_at = value->>1, confirmed_by = value->>2, page = value->>3,
			unsubscribed_at = value->>4, bounced_at = value->>5, bounce = value->>6
		FROM ${rowsIn(rows)} WHERE email_key = value->>0`);
}

/** Takes back that these people bounced. Gives those who had, and when they unsubscribed, if ever. */
export function takeBackBounces(
	tx: Tx,
	keys: readonly string[],
): Promise<Pick<Person, "key" | "unsubscribedAt">[]> {
	return tx.all(sql`UPDATE registration SET bounced_at = '', bounce = ''
		WHERE bounced_at <> '' AND email_key IN ${keysIn(keys)}
		RETURNING email_key AS "key", unsubscribed_at AS "unsubscribedAt"`);
}

/** A person as a link in an email names them. */
export type LinkedPerson = Pick<Person, "id" | "key" | "confirmedAt" | "unsubscribedAt">;

/** The person of an id. */
export const findById = (tx: Tx, id: string) =>
	tx.first(sql<LinkedPerson>`SELECT id, email_key AS "key", confirmed_at AS "confirmedAt",
		unsubscribed_at AS "unsubscribedAt" FROM registration WHERE id = ${id}`);

/** Confirms by the button of a page. An email has arrived: an earlier bounce no longer counts. */
export const confirmById = (id: string, now: string, page: string) =>
	sql<{ key: string }>`UPDATE registration
		SET confirmed_at = ${now}, confirmed_by = 'button', page = ${page}, unsubscribed_at = '',
			bounced_at = '', bounce = ''
		WHERE id = ${id} AND (confirmed_at = '' OR unsubscribed_at <> '')
		RETURNING email_key AS "key"`;
