import { type SharedDatabase, type Statement, statement } from "../database/database.ts";
import { type Dialect, keysAsJson } from "../database/dialect.ts";
import { EVENT, EVENT_BATCH, WEBHOOK } from "../database/schema.ts";
import { type Wait, waitMender } from "../database/waits.ts";
import { HOUR_MS, MINUTE_MS } from "../time.ts";
import type { EventKind } from "./event.ts";
import { MOST_WAIT_MS } from "./post.ts";

/** An event that the sender has taken. */
export interface TakenEvent {
	/** Its place among all events. PostgreSQL gives it as text. */
	seq: number | string;
	/** The same at each try. */
	id: string;
	kind: EventKind;
	/** Whom it is about: a canonical address, or what events call them where they were erased. */
	who: string;
	/** The address as typed; "" where it is not known any more. */
	email: string;
	/** When it happened, ISO 8601. */
	at: string;
	/** Which try this is, from 1. */
	attempts: number;
}

/** What became of a try that the receiver did not take. */
export interface Untaken extends Pick<TakenEvent, "seq"> {
	/** When to try again, ISO 8601; undefined where it is given up. */
	nextAt: string | undefined;
	/** Whether it was a try: what is cut off as the server stops was none. */
	isTry: boolean;
	/** For people: a status or the code of the network. */
	code: string;
}

/** What a batch of tries says. */
export interface Tried {
	taken: readonly Pick<TakenEvent, "seq">[];
	untaken: readonly Untaken[];
	/** How the receiver is after it; undefined where nothing was learned. */
	receiver?: { failures: number; restUntil: string } | undefined;
	/** Whether the receiver wants no more. */
	ended: boolean;
}

/** How long an event may be in the hands of a sender, whose tries end within ten seconds. */
const LEASE_MS = 30_000;

const isoOf = (ms: number) => new Date(ms).toISOString();

/** Before each try: the schedule of Standard Webhooks 1.0, ten tries in 75.6 hours. */
export const BEFORE_TRY_MS = [
	0,
	5000,
	5 * MINUTE_MS,
	30 * MINUTE_MS,
	...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

const WAITS: readonly Wait[] = [
	{ table: WEBHOOK, column: "rest_until", longestMs: MOST_WAIT_MS },
	{ table: EVENT, column: "next_at", longestMs: LEASE_MS, where: "state = 'sending'" },
	...BEFORE_TRY_MS.map((beforeMs, attempts) => ({
		table: EVENT,
		column: "next_at",
		longestMs: Math.max(beforeMs, MOST_WAIT_MS),
		where: `state = 'waiting' AND attempts = ${attempts}`,
	})),
];

/** Ends waits that a wrong clock made too long. */
export const eventMender = (database: Pick<SharedDatabase, "run">) =>
	waitMender(database, WAITS, [statement(`UPDATE ${WEBHOOK} SET one = 1`)]);

/** An event that was on its way while its person was erased: it is not tried again. */
const IS_OVER = "kind <> 'erased' AND who NOT LIKE '%@%'";

const RECEIVES = `EXISTS (SELECT 1 FROM ${WEBHOOK} WHERE ended_at = '' AND rest_until <= $1)`;

/** A person's events go out one after the other. What was given up keeps nothing back. */
const DUE = `FROM ${EVENT} AS due
	WHERE state = 'waiting' AND next_at <= $1 AND NOT EXISTS (
		SELECT 1 FROM ${EVENT} AS earlier
		WHERE earlier.who = due.who AND earlier.seq < due.seq AND earlier.state <> 'failed'
	)`;

const TAKE = `UPDATE ${EVENT}
	SET state = 'sending', attempts = attempts + 1, claim = $3, next_at = $4
	WHERE seq IN (SELECT seq ${DUE} AND ${RECEIVES} ORDER BY next_at, seq LIMIT $2)`;

/** The first batches, where fewer than `$2` events are due: as few as suffice, because events cost the joins beside them. */
const TAKE_UP = `UPDATE ${EVENT_BATCH} SET taken = 1
	WHERE ${RECEIVES} AND (SELECT count(*) FROM (SELECT 1 AS one ${DUE} LIMIT $2) AS found) < $2
		AND seq IN (
			SELECT seq FROM (
				SELECT seq, sum(size) OVER (ORDER BY seq) - size AS before
				FROM (SELECT seq, size FROM ${EVENT_BATCH} ORDER BY seq LIMIT $2) AS first
			) AS counted WHERE before < $2
		)`;

/**
 * Makes events of the batches that are marked as taken, in their order: of a person, none comes before an
 * earlier one. The mark is a lock, for which an erasure waits, or which waits for it.
 */
const eventsOfTaken = (
	{ randomId, jsonRowsOf }: Dialect,
	{ state, now, code }: { state: "waiting" | "failed"; now: string; code: string },
) => [
	statement(
		`INSERT INTO ${EVENT} (id, kind, who, at, email, state, next_at, code)
		SELECT 'msg_' || ${randomId}, kind, value->>0, at, COALESCE(value->>1, ''),
			'${state}', '${now}', '${code}'
		FROM ${EVENT_BATCH}, ${jsonRowsOf("people")} WHERE taken <> 0 ORDER BY seq`,
	),
	statement(`DELETE FROM ${EVENT_BATCH} WHERE taken <> 0`),
];

const READ = `SELECT seq, id, kind, who, at, attempts,
		COALESCE(registration.email, ${EVENT}.email) AS email
	FROM ${EVENT} LEFT JOIN registration ON registration.email_key = who
	WHERE state = 'sending' AND claim = $1 ORDER BY seq`;

/** Whether an event is due. */
export async function isEventDue(
	{ query }: Pick<SharedDatabase, "query">,
	ms: number,
): Promise<boolean> {
	const found = await query(
		`SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM ${EVENT_BATCH})
			OR EXISTS (SELECT 1 FROM ${EVENT} WHERE state = 'waiting' AND next_at <= $1)
			OR EXISTS (SELECT 1 FROM ${EVENT} WHERE state = 'sending' AND next_at <= $1)`,
		[isoOf(ms)],
	);
	return found.length > 0;
}

/**
 * Writes down what became of tries and takes the next events, one of each person at most, in one
 * transaction. Copies of the server take turns. After an error a repeat with the same values is
 * safe.
 *
 * @param claim names what is taken, and nothing before
 * @param most how many to take
 */
export async function turn(
	{ run, dialect }: Pick<SharedDatabase, "run" | "dialect">,
	{ taken, untaken, receiver, ended }: Tried,
	{ claim, most, ms }: { claim: string; most: number; ms: number },
): Promise<TakenEvent[]> {
	const now = isoOf(ms);
	const done = `DELETE FROM ${EVENT} WHERE seq IN (
		SELECT CAST(value->>0 AS BIGINT) FROM ${dialect.jsonRows})`;
	const { events } = await run({
		lock: statement(`UPDATE ${WEBHOOK} SET one = 1`),
		taken: taken.length > 0 ? [statement(done, keysAsJson(taken.map(({ seq }) => `${seq}`)))] : [],
		untaken: untaken.flatMap((event) => untakenStatements(event, now)),
		receiver: receiver
			? [
					statement(
						`UPDATE ${WEBHOOK} SET failures = $1, rest_until = $2`,
						...[receiver.failures, receiver.restUntil],
					),
				]
			: [],
		ended: ended
			? [
					statement(`UPDATE ${WEBHOOK} SET ended_at = $1`, now),
					statement(`UPDATE ${EVENT} SET state = 'failed', code = '410' WHERE state = 'waiting'`),
					statement(`UPDATE ${EVENT_BATCH} SET taken = 1`),
					...eventsOfTaken(dialect, { state: "failed", now, code: "410" }),
				]
			: [],
		// Whoever sent these is gone.
		over: statement(
			`DELETE FROM ${EVENT} WHERE state = 'sending' AND next_at <= $1 AND ${IS_OVER}`,
			now,
		),
		lost: statement(
			`UPDATE ${EVENT} SET state = 'waiting' WHERE state = 'sending' AND next_at <= $1`,
			now,
		),
		takenUp: statement(TAKE_UP, now, most),
		made: eventsOfTaken(dialect, { state: "waiting", now, code: "" }),
		next: statement(TAKE, now, most, claim, isoOf(ms + LEASE_MS)),
		events: statement<TakenEvent>(READ, claim),
	});
	return events;
}

function untakenStatements({ seq, nextAt, isTry, code }: Untaken, now: string): Statement[] {
	return [
		statement(`DELETE FROM ${EVENT} WHERE seq = $1 AND ${IS_OVER}`, seq),
		statement(
			`UPDATE ${EVENT} SET state = $2, next_at = $3, code = $4, attempts = attempts - $5
			WHERE seq = $1 AND state = 'sending'`,
			...[seq, nextAt === undefined ? "failed" : "waiting", nextAt ?? now, code, isTry ? 0 : 1],
		),
	];
}

/**
 * Which of these erased people the receiver has not been told of yet. Their erasure is not new where a
 * later event of theirs was taken up.
 */
export async function erasuresToTell(
	{ query, dialect: { jsonRows } }: Pick<SharedDatabase, "query" | "dialect">,
	people: readonly string[],
): Promise<Set<string>> {
	const found = await query<{ who: string }>(
		`SELECT who FROM ${EVENT} WHERE who IN (SELECT value->>0 FROM ${jsonRows})
			AND state <> 'failed'`,
		[keysAsJson(people)],
	);
	return new Set(found.map(({ who }) => who));
}

/** Drops what was given up before a time, ISO 8601: it may hold the address of an erased person. */
export async function dropFailed(
	{ run }: Pick<SharedDatabase, "run">,
	before: string,
): Promise<void> {
	const sql = `DELETE FROM ${EVENT} WHERE state = 'failed' AND next_at < $1`;
	await run({ dropped: statement(sql, before) });
}
