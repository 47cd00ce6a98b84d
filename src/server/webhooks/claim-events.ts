import { keysIn, rowsIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { DAY_MS, isoOf } from "../time.ts";
import { personNames } from "./event.ts";
import { BEFORE_ATTEMPT_MS, type ClaimedEvent, type Outcome } from "./outcome.ts";
import { readWebhook } from "./webhook.ts";

/** How long an event may be claimed, whose attempt ends within ten seconds. */
const LEASE_MS = 30_000;

/** An event that was given up may hold the address of an erased person. */
const FAILED_MS = 30 * DAY_MS;

/**
 * Records the outcome of attempts, and claims the next events, one of each person at most. Events that a
 * killed process had claimed are claimed again when their lease has ended. After an error a repeat is
 * safe. Writes nothing if nothing is due.
 */
export async function claimEvents(
	tx: Tx,
	given: { outcome?: Outcome | undefined; most: number; secret: string; now: number },
): Promise<{ events: ClaimedEvent[]; failures: number }> {
	const { outcome, most, secret, now } = given;
	const iso = isoOf(now);
	if (outcome) await record(tx, outcome, iso);
	await tx.all(sql`DELETE FROM event
		WHERE state = 'failed' AND next_at < ${isoOf(now - FAILED_MS)}`);
	await tx.all(sql`UPDATE event SET state = 'waiting'
		WHERE state = 'sending' AND next_at <= ${iso}`);
	const webhook = await readWebhook(tx);
	if (webhook?.endedAt !== "" || webhook.restUntil > iso) return { events: [], failures: 0 };
	const { failures } = webhook;
	const events = await claim(tx, failures > 0 ? Math.min(most, 1) : most, secret, now);
	return { events, failures };
}

const seqsOf = (events: readonly Pick<ClaimedEvent, "seq">[]) => {
	const rows = events.map(({ seq }) => [seq]);
	return sql`(SELECT CAST(value->>0 AS BIGINT) FROM ${rowsIn(rows)})`;
};

async function record(tx: Tx, outcome: Outcome, now: string): Promise<void> {
	const { delivered, undelivered, receiver, isEnded } = outcome;
	// SQLite gives the `seq` of an event that was dropped meanwhile to the next one.
	await tx.all(sql`DELETE FROM event WHERE seq IN ${seqsOf(delivered)}
		AND id IN ${keysIn(delivered.map(({ id }) => id))}`);
	const rows = undelivered.map(({ seq, id, nextAt, attempts, code }) => [
		...[seq, id, nextAt ? "waiting" : "failed", nextAt ?? now, attempts, code],
	]);
	await tx.all(sql`UPDATE event SET state = value->>2, next_at = value->>3,
			attempts = CAST(value->>4 AS INTEGER), code = value->>5
		FROM ${rowsIn(rows)}
		WHERE seq = CAST(value->>0 AS BIGINT) AND event.id = value->>1 AND state = 'sending'`);
	if (receiver) {
		const { failures, restUntil } = receiver;
		await tx.all(sql`UPDATE webhook SET failures = ${failures}, rest_until = ${restUntil}`);
	}
	if (!isEnded) return;
	await tx.all(sql`UPDATE webhook SET ended_at = ${now}`);
	await tx.all(sql`UPDATE event SET state = 'failed', next_at = ${now}, code = '410'
		WHERE state = 'waiting'`);
}

async function claim(tx: Tx, most: number, secret: string, now: number): Promise<ClaimedEvent[]> {
	const due = await tx.all(sql<Omit<ClaimedEvent, "person">>`
		SELECT seq, id, kind, who, at, attempts + 1 AS attempts,
			COALESCE((SELECT registration.email FROM registration WHERE email_key = who), email) AS email
		FROM event AS due
		WHERE state = 'waiting' AND next_at <= ${isoOf(now)} AND NOT EXISTS (
			SELECT 1 FROM event AS earlier
			WHERE earlier.who = due.who AND earlier.seq < due.seq AND earlier.state <> 'failed'
		)
		ORDER BY next_at, seq LIMIT ${most} FOR UPDATE SKIP LOCKED`);
	if (due.length === 0) return [];
	const nameOf = personNames(secret);
	const named = due.map((event) => ({
		...event,
		person: event.who.includes("@") ? nameOf(event.who) : event.who,
	}));
	// Somebody may have joined again before their erasure was delivered.
	const erasures = await tx.all(sql<{ who: string }>`SELECT who FROM event
		WHERE state <> 'failed' AND who IN ${keysIn(named.map(({ person }) => person))}`);
	const erased = new Set(erasures.map(({ who }) => who));
	const held = named.filter(({ who, person }) => who !== person && erased.has(person));
	const events = named.filter((event) => !held.includes(event));
	await tx.all(sql`UPDATE event SET next_at = ${isoOf(now + BEFORE_ATTEMPT_MS[1]!)}
		WHERE seq IN ${seqsOf(held)}`);
	await tx.all(sql`UPDATE event
		SET state = 'sending', attempts = attempts + 1, next_at = ${isoOf(now + LEASE_MS)}
		WHERE seq IN ${seqsOf(events)}`);
	return events;
}
