import { randomBytes } from "node:crypto";
import { type Note, readNote, writeNote } from "../database/notes.ts";
import { keysOf, keysSql, raw, rowsSql, sql, type Tx } from "../database/sql.ts";
import { createSigner } from "../secret.ts";
import { DAY_MS, HOUR_MS, isoOf, MINUTE_MS } from "../time.ts";
import { MOST_RETRY_AFTER_MS } from "./post.ts";

export type EventKind =
	| "joined"
	| "confirmed"
	| "unsubscribed"
	| "bounced"
	| "invited"
	| "redeemed"
	| "deleted";

/** Webhook body (Standard Webhooks 1.0). */
export interface WebhookEvent {
	type: `registration.${EventKind}`;
	timestamp: string;
	/** `id` identifies the person, and is the same in all their events. */
	data: { id: string; email: string };
}

/** Stored while a webhook is set, so that commands add events too. */
const WEBHOOK: Note<true> = { name: "webhook" };

export const HAS_WEBHOOK_SQL = sql`EXISTS (
	SELECT 1 FROM note WHERE name = ${raw(`'${WEBHOOK.name}'`)} AND value <> 'null')`;

const newId = () => `msg_${randomBytes(16).toString("hex")}`;

/** Adds an event per person if a webhook is set. Events halve the maximum rate of joins. */
export async function addEvents(
	tx: Tx,
	kind: EventKind,
	keys: Iterable<string>,
	at: string,
): Promise<void> {
	const rows = Array.from(new Set(keys), (key) => [key, newId()]);
	if (rows.length === 0) return;
	await tx.all(sql`INSERT INTO event (id, kind, who, at, state, next_at)
		SELECT value->>1, ${kind}, value->>0, ${at}, 'waiting', ${at}
		FROM ${rowsSql(rows)} WHERE ${HAS_WEBHOOK_SQL}`);
}

/** Replaces a deleted person's events with a `deleted` event, due after any event that is being sent. */
export async function addDeletedEvents(
	tx: Tx,
	deleted: readonly { key: string; email: string }[],
	now: string,
): Promise<void> {
	const dropped = await tx.all(sql<{ who: string; state: string; nextAt: string }>`DELETE FROM event
		WHERE who IN ${keysSql(keysOf(deleted))}
		RETURNING who, state, next_at AS "nextAt"`);
	if (!(await hasWebhook(tx))) return;
	const isSending = dropped.filter(({ state }) => state === "sending");
	const leases = new Map(isSending.map(({ who, nextAt }) => [who, nextAt]));
	const rows = deleted.map(({ key, email }) => [key, email, leases.get(key) ?? now, newId()]);
	await tx.all(sql`INSERT INTO event (id, kind, who, email, at, state, next_at)
		SELECT value->>3, 'deleted', value->>0, value->>1, ${now}, 'waiting', value->>2
		FROM ${rowsSql(rows)}`);
}

export const hasWebhook = async (tx: Tx) => (await readNote(tx, WEBHOOK)) !== undefined;

/** Starts recording events. Ends waits that a wrong clock wrote. */
export async function enableWebhook(tx: Tx, now: number): Promise<void> {
	await writeNote(tx, WEBHOOK, true);
	await tx.all(sql`UPDATE event SET next_at = ${isoOf(now)}
		WHERE state IN ('waiting', 'sending') AND next_at > ${isoOf(now + MOST_RETRY_AFTER_MS)}`);
}

/** Stops recording events, and drops undelivered ones. Returns their number. */
export async function disableWebhook(tx: Tx): Promise<number> {
	if (!(await hasWebhook(tx))) return 0;
	const { waiting, failed } = await countEvents(tx);
	await tx.all(sql`DELETE FROM event`);
	await writeNote(tx, WEBHOOK, undefined);
	return waiting + failed;
}

export async function countEvents(tx: Tx): Promise<{ waiting: number; failed: number }> {
	// With literals, not parameters, each count uses its partial index.
	const count = (state: "waiting" | "sending" | "failed") =>
		sql`(SELECT count(*) FROM event WHERE state = ${raw(`'${state}'`)})`;
	const counts = sql<{ waiting: number; failed: number }>`
		SELECT CAST(${count("waiting")} + ${count("sending")} AS INTEGER) AS waiting,
			CAST(${count("failed")} AS INTEGER) AS failed`;
	return (await tx.first(counts))!;
}

export const readFirstFailure = (tx: Tx) =>
	tx.first(sql<{ code: string }>`SELECT code FROM event WHERE state = 'failed'
		ORDER BY next_at, seq LIMIT 1`);

export async function retryFailedEvents(tx: Tx, now: string): Promise<number> {
	const replayed = sql`UPDATE event SET state = 'waiting', attempts = 0, next_at = ${now}
		WHERE state = 'failed' RETURNING id`;
	return (await tx.all(replayed)).length;
}

export interface ClaimedEvent {
	/** A number or string, depending on the driver. */
	seq: number | string;
	id: string;
	kind: EventKind;
	/** Canonical address of the person. */
	who: string;
	/** Derived from `who` and the secret: unguessable, and the same after a restore. */
	person: string;
	/** Address as typed, or '' if no longer known. */
	email: string;
	at: string;
	attempts: number;
}

type Event = Pick<ClaimedEvent, "seq" | "attempts">;

export interface EventOutcome {
	delivered: Event[];
	/** Events without `nextAt` failed permanently. */
	undelivered: (Event & { nextAt: string | undefined; code: string })[];
}

const FIRST_RETRIES_MS = [5000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];

/** The last retry is after three days; most are an hour apart. */
export const MOST_ATTEMPTS = 75;

export function retryAfterMs(attempts: number): number | undefined {
	return attempts < MOST_ATTEMPTS ? (FIRST_RETRIES_MS[attempts - 1] ?? HOUR_MS) : undefined;
}

/** Longer than an attempt, which times out after ten seconds. */
const LEASE_MS = 30_000;

/** Records outcomes and claims the next events, at most one per person. Reclaims events of killed processes. */
export async function claimEvents(
	tx: Tx,
	claiming: { outcome?: EventOutcome | undefined; most: number; secret: string; now: number },
): Promise<ClaimedEvent[]> {
	const { outcome, most, secret, now } = claiming;
	if (outcome) await record(tx, outcome, isoOf(now));
	// An old failed event may contain a deleted person's address.
	await tx.all(sql`DELETE FROM event
		WHERE state = 'failed' AND next_at < ${isoOf(now - 30 * DAY_MS)}`);
	await tx.all(sql`UPDATE event SET state = 'waiting'
		WHERE state = 'sending' AND next_at <= ${isoOf(now)}`);
	return (await hasWebhook(tx)) ? claim(tx, most, secret, now) : [];
}

const seqsOf = (events: readonly Pick<ClaimedEvent, "seq">[]) => {
	const rows = events.map(({ seq }) => [seq]);
	return sql`(SELECT CAST(value->>0 AS BIGINT) FROM ${rowsSql(rows)})`;
};

async function record(tx: Tx, outcome: EventOutcome, now: string): Promise<void> {
	const { delivered, undelivered } = outcome;
	await tx.all(sql`DELETE FROM event WHERE seq IN ${seqsOf(delivered)}`);
	const rows = undelivered.map(({ seq, nextAt, attempts, code }) => {
		return [seq, nextAt ? "waiting" : "failed", nextAt ?? now, attempts, code];
	});
	await tx.all(sql`UPDATE event SET state = value->>1, next_at = value->>2,
			attempts = CAST(value->>3 AS INTEGER), code = value->>4
		FROM ${rowsSql(rows)}
		WHERE seq = CAST(value->>0 AS BIGINT) AND state = 'sending'`);
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
	await tx.all(sql`UPDATE event
		SET state = 'sending', attempts = attempts + 1, next_at = ${isoOf(now + LEASE_MS)}
		WHERE seq IN ${seqsOf(due)}`);
	const sign = createSigner(secret, "events", 16);
	return due.map((event) => ({ ...event, person: sign(event.who).toString("hex") }));
}
