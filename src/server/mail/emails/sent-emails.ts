import { keysIn, keysOf, raw, type Statement, sql, type Tx } from "../../database/sql.ts";
import { daysAfter } from "../../time.ts";
import { dueAgain, HELD_AGAIN, readWaves, type Wave } from "../waves.ts";
import { MOST_ASKS } from "./requests.ts";

/** The keys of people by the ids of their emails. */
export async function peopleByEmail(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
	const rows = await tx.all(sql<{
		id: string;
		key: string;
	}>`SELECT id, email_key AS "key" FROM email
		WHERE id <> '' AND id IN ${keysIn(ids)}`);
	return new Map(rows.map(({ id, key }) => [id, key]));
}

/** Marks emails as sent by their ids. Returns the keys of their people. */
export async function markByIds(tx: Tx, ids: readonly string[], now: Date): Promise<string[]> {
	if (ids.length === 0) return [];
	const which = sql`state IN ('unknown', 'waiting', 'deferred') AND id <> ''
		AND id IN ${keysIn(ids)}`;
	return markSent(tx, which, now);
}

/**
 * Marks emails as sent by their people: the unknown ones, or those of a wave, which adds missing ones. Returns
 * the key of its person for each.
 */
export async function markByKeys(
	tx: Tx,
	keys: readonly string[],
	wave: Wave | undefined,
	now: Date,
): Promise<string[]> {
	if (keys.length === 0) return [];
	const people = keysIn(keys);
	if (!wave) {
		return markSent(tx, sql`state = 'unknown' AND email_key IN ${people}`, now);
	}
	const ofWave = sql`wave = ${wave.name} AND state IN ('unknown', 'waiting', 'deferred')
		AND email_key IN ${people}`;
	const marked = await markSent(tx, ofWave, now);
	const time = now.toISOString();
	const expiresAt = wave.kind === "invitation" ? daysAfter(now.getTime(), wave.validDays) : "";
	const added = await tx.all(sql<{ key: string }>`INSERT INTO email
				(email_key, kind, wave, state, reason, asked_at, next_at, ended_at, expires_at, queue)
			SELECT email_key, ${wave.kind}, ${wave.name}, 'accepted', 'told', ${time}, ${time}, ${time},
				${expiresAt}, CASE confirmed_at WHEN '' THEN 'unconfirmed' ELSE 'confirmed' END
			FROM registration WHERE email_key IN ${people} FOR UPDATE SKIP LOCKED
			ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING email_key AS "key"`);
	return [...marked, ...keysOf(added)];
}

/** Codes expire counted from the latest moment at which their email may have been sent. */
async function expireCodes(tx: Tx, now: string): Promise<void> {
	for (const { name, kind, validDays } of await readWaves(tx)) {
		if (kind !== "invitation") continue;
		await tx.all(sql`UPDATE email SET expires_at = ${daysAfter(Date.parse(now), validDays)}
			WHERE wave = ${name} AND wave <> '' AND state IN ('accepted', 'unknown') AND expires_at = ''`);
	}
}

/**
 * Makes unsent emails of a restored database unknown: they may have been sent since its backup. People get one
 * more confirmation email at most.
 */
export async function assumeSent(tx: Tx, time: string): Promise<void> {
	const asks = MOST_ASKS - 1;
	await tx.all(sql`UPDATE email SET state = 'unknown', reason = 'assumed', held = 0, claim = '',
			lease_until = '', ended_at = ${time}, expires_at = '',
			asks = CASE WHEN wave = '' AND asks < ${raw(asks)} THEN ${raw(asks)} ELSE asks END
		WHERE state IN ('waiting', 'deferred', 'sending')`);
	await expireCodes(tx, time);
}

async function markSent(tx: Tx, which: Statement, now: Date): Promise<string[]> {
	const time = now.toISOString();
	const marked = await tx.all(sql<{ key: string; kind: string; expiresAt: string }>`UPDATE email
		SET state = 'accepted', reason = 'told', held = 0,
			ended_at = CASE ended_at WHEN '' THEN ${time} ELSE ended_at END
		WHERE ${which} RETURNING email_key AS "key", kind, expires_at AS "expiresAt"`);
	// Looks at all emails of each wave, and a restore has set these times.
	const isMissing = marked.some(({ kind, expiresAt }) => kind === "invitation" && expiresAt === "");
	if (isMissing) await expireCodes(tx, time);
	return keysOf(marked);
}

/** Queues the emails again of which a restored database could only assume that they were sent. */
export const takeBackAssumed = (now: Date) =>
	sql`UPDATE email SET state = 'waiting', held = ${HELD_AGAIN}, reason = '', ended_at = '', expires_at = '',
			attempts = 0, next_at = ${dueAgain(now)}
		WHERE state = 'unknown' AND reason = 'assumed' AND redeemed_at = '' RETURNING email_key`;
