import { keysIn, rowsIn, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import { DAY_MS, HOUR_MS, isoOf, MINUTE_MS } from "../time.ts";
import { type EventKind, personNames } from "./event.ts";
import { isAccepted, type Posted } from "./post.ts";
import { readWebhook } from "./webhook.ts";

export interface ClaimedEvent {
	/** Its place among all events. PostgreSQL returns text. */
	seq: number | string;
	/** The same at each attempt. */
	id: string;
	kind: EventKind;
	/** A canonical address, or `person` after a deletion. */
	who: string;
	person: string;
	/** As typed; "" if it is not known any more. */
	email: string;
	at: string;
	/** The number of this attempt, from 1. */
	attempts: number;
}

type Event = Pick<ClaimedEvent, "seq" | "id" | "attempts">;

export interface Outcome {
	delivered: Event[];
	/** Each with the time of its retry, ISO 8601, unless it is given up, and the code of the failure. */
	undelivered: (Event & { nextAt: string | undefined; code: string })[];
	/** Absent where nothing was learned about it. */
	receiver?: { failures: number; restUntil: string; code: string };
}

/** Before each attempt: the schedule of Standard Webhooks 1.0, ten attempts in 75.6 hours. */
export const BEFORE_ATTEMPT_MS = [
	...[0, 5000, 5 * MINUTE_MS, 30 * MINUTE_MS],
	...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/** An attempt ends within ten seconds. */
const LEASE_MS = 30_000;

/** A failed event may hold the address of a deleted person. */
const FAILED_MS = 30 * DAY_MS;

/**
 * Records the outcome of attempts, and claims the next events, one of each person at most. Events that a
 * killed process had claimed are claimed again when their lease has ended. Safe to repeat.
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
	if (!webhook || webhook.restUntil > iso) return { events: [], failures: 0 };
	const { failures } = webhook;
	const events = await claim(tx, failures > 0 ? Math.min(most, 1) : most, secret, now);
	return { events, failures };
}

const seqsOf = (events: readonly Pick<ClaimedEvent, "seq">[]) => {
	const rows = events.map(({ seq }) => [seq]);
	return sql`(SELECT CAST(value->>0 AS BIGINT) FROM ${rowsIn(rows)})`;
};

async function record(tx: Tx, outcome: Outcome, now: string): Promise<void> {
	const { delivered, undelivered, receiver } = outcome;
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
	await tx.all(sql`UPDATE event SET next_at = ${isoOf(now + BEFORE_ATTEMPT_MS[1]!)}
		WHERE seq IN ${seqsOf(held)}`);
	await tx.all(sql`UPDATE event
		SET state = 'sending', attempts = attempts + 1, next_at = ${isoOf(now + LEASE_MS)}
		WHERE seq IN ${seqsOf(events)}`);
	return events;
}

/**
 * Judges attempts, and the receiver.
 *
 * @param failures of the receiver in a row so far
 */
export function judge(
	attempts: readonly { event: Event; posted: Posted }[],
	failures: number,
	now: number,
): Outcome {
	const delivered = attempts.filter(({ posted }) => isAccepted(posted)).map(({ event }) => event);
	const missed = attempts.filter(({ posted }) => !isAccepted(posted));
	const undelivered = missed.map(({ event, posted: { code, waitMs } }) => {
		const beforeMs = BEFORE_ATTEMPT_MS[event.attempts];
		const nextAt = beforeMs === undefined ? undefined : isoOf(now + Math.max(beforeMs, waitMs));
		return { ...event, nextAt, code };
	});
	const down = missed.find(({ posted }) => isDown(posted));
	if (delivered.length === 0 && !down) return { delivered, undelivered };
	const waitMs = Math.max(...attempts.map(({ posted }) => posted.waitMs));
	if (!down || (delivered.length > 0 && waitMs === 0)) {
		return { delivered, undelivered, receiver: { failures: 0, restUntil: "", code: "" } };
	}
	// A receiver that is down gets one event after each rest.
	const restMs = Math.min(5000 * 2 ** failures, MINUTE_MS);
	const restUntil = isoOf(now + Math.max(restMs, waitMs));
	const receiver = { failures: failures + 1, restUntil, code: down.posted.code };
	return { delivered, undelivered, receiver };
}

/** Whether a failure is about the receiver, and not about the one event. */
const isDown = ({ status }: Posted) => status < 400 || status >= 500 || [408, 429].includes(status);
