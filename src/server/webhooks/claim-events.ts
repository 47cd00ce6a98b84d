import { keysIn, rowsIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { DAY_MS, HOUR_MS, isoOf, MINUTE_MS } from "../time.ts";
import { type EventKind, hasWebhook, personNames } from "./event.ts";

export interface ClaimedEvent {
	/** PostgreSQL returns text. */
	seq: number | string;
	id: string;
	kind: EventKind;
	/** A canonical address, or `person` after a deletion. */
	who: string;
	person: string;
	/** As typed; "" if it is not known any more. */
	email: string;
	at: string;
	/** From 1. */
	attempts: number;
}

type Event = Pick<ClaimedEvent, "seq" | "id" | "attempts">;

export interface Outcome {
	delivered: Event[];
	/** An event without `nextAt` is given up. */
	undelivered: (Event & { nextAt: string | undefined; code: string })[];
}

const FIRST_RETRIES_MS = [5000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];

/** With hourly retries these are three days. */
export const MOST_ATTEMPTS = 75;

export function retryAfterMs(attempts: number): number | undefined {
	return attempts < MOST_ATTEMPTS ? (FIRST_RETRIES_MS[attempts - 1] ?? HOUR_MS) : undefined;
}

/** An attempt ends within ten seconds. */
const LEASE_MS = 30_000;

/** A failed event may hold the address of a deleted person. */
const FAILED_MS = 30 * DAY_MS;

/**
 * Records the outcome of attempts and claims the next events, at most one of each person. The events of
 * a killed process are claimed again when their lease has ended.
 */
export async function claimEvents(
	tx: Tx,
	given: { outcome?: Outcome | undefined; most: number; secret: string; now: number },
): Promise<{ events: ClaimedEvent[] }> {
	const { outcome, most, secret, now } = given;
	if (outcome) await record(tx, outcome, isoOf(now));
	await tx.all(sql`DELETE FROM event
		WHERE state = 'failed' AND next_at < ${isoOf(now - FAILED_MS)}`);
	await tx.all(sql`UPDATE event SET state = 'waiting'
		WHERE state = 'sending' AND next_at <= ${isoOf(now)}`);
	return { events: (await hasWebhook(tx)) ? await claim(tx, most, secret, now) : [] };
}

const seqsOf = (events: readonly Pick<ClaimedEvent, "seq">[]) => {
	const rows = events.map(({ seq }) => [seq]);
	return sql`(SELECT CAST(value->>0 AS BIGINT) FROM ${rowsIn(rows)})`;
};

async function record(tx: Tx, outcome: Outcome, now: string): Promise<void> {
	const { delivered, undelivered } = outcome;
	// SQLite reuses the `seq` of a dropped event for the next one.
	await tx.all(sql`DELETE FROM event WHERE seq IN ${seqsOf(delivered)}
		AND id IN ${keysIn(delivered.map(({ id }) => id))}`);
	const rows = undelivered.map(({ seq, id, nextAt, attempts, code }) => [
		...[seq, id, nextAt ? "waiting" : "failed", nextAt ?? now, attempts, code],
	]);
	await tx.all(sql`UPDATE event SET state = value->>2, next_at = value->>3,
			attempts = CAST(value->>4 AS INTEGER), code = value->>5
		FROM ${rowsIn(rows)}
		WHERE seq = CAST(value->>0 AS BIGINT) AND event.id = value->>1 AND state = 'sending'`);
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
	// Somebody may have joined again before their deletion was delivered.
	const erasures = await tx.all(sql<{ who: string }>`SELECT who FROM event
		WHERE state <> 'failed' AND who IN ${keysIn(named.map(({ person }) => person))}`);
	const erased = new Set(erasures.map(({ who }) => who));
	const held = named.filter(({ who, person }) => who !== person && erased.has(person));
	const events = named.filter((event) => !held.includes(event));
	await tx.all(sql`UPDATE event SET next_at = ${isoOf(now + FIRST_RETRIES_MS[0]!)}
		WHERE seq IN ${seqsOf(held)}`);
	await tx.all(sql`UPDATE event
		SET state = 'sending', attempts = attempts + 1, next_at = ${isoOf(now + LEASE_MS)}
		WHERE seq IN ${seqsOf(events)}`);
	return events;
}
