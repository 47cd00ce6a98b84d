import { sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import type { MailSettings } from "../../settings.ts";
import { isoOf } from "../../time.ts";
import { isPaused, type OutboxRow, readOutbox } from "./outbox-row.ts";
import { type Queue, STREAMS, streamOf } from "./queues.ts";
import { type Limits, lastLeavesAt, limitsOf } from "./sending-rate.ts";
import { ratesAt } from "./warm-up.ts";

/** The emails that wait and are not held. Times are ISO 8601. */
export interface Backlog {
	letters: number;
	kinds: { kind: string; letters: number; oldest: string }[];
	oldest: string | null;
	/** When the last one leaves at today's rate; null if none waits, nothing limits them, or only `resume` ends the pause. */
	lastAt: string | null;
	/** Emails in a ms, after a burst; null if nothing limits them. */
	pace: number | null;
}

interface Waiting {
	kind: string;
	queue: Queue;
	letters: number;
	oldest: string;
	/** When the last of them may be sent. */
	latest: string;
}

export async function readBacklog(
	tx: Tx,
	mail: Pick<MailSettings, "rate" | "ramp"> | undefined,
	now: Date,
): Promise<Backlog> {
	const waiting =
		await tx.all(sql<Waiting>`SELECT kind, queue, CAST(count(*) AS INTEGER) AS letters,
			min(asked_at) AS oldest, max(next_at) AS latest
		FROM email WHERE held = 0 AND state IN ('waiting', 'deferred')
		GROUP BY kind, queue ORDER BY kind, queue`);
	const outbox = await readOutbox(tx);
	const limits = mail && limitsOf(ratesAt(mail, outbox.step));
	const kinds = [...new Set(waiting.map(({ kind }) => kind))].map((kind) => {
		const rows = waiting.filter((row) => row.kind === kind);
		return { kind, letters: count(rows), oldest: rows.map(({ oldest }) => oldest).sort()[0]! };
	});
	return {
		letters: count(waiting),
		kinds,
		oldest: kinds.map(({ oldest }) => oldest).sort()[0] ?? null,
		lastAt: limits && waiting.length > 0 ? lastAt(outbox, waiting, limits, now) : null,
		pace: limits ? 1 / limits.spreadMs : null,
	};
}

const count = (rows: readonly Waiting[]) => rows.reduce((sum, { letters }) => sum + letters, 0);

/** The latest time whose year has four digits: at very low rates, the last email would be later. */
const LAST_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");

function lastAt(
	outbox: OutboxRow,
	waiting: readonly Waiting[],
	limits: Limits,
	now: Date,
): string | null {
	const paused = isPaused(outbox, now.toISOString());
	if (paused && outbox.cause === "operator") return null;
	const from = paused ? Date.parse(outbox.pausedUntil) : now.getTime();
	const last = lastLeavesAt(outbox, limits, count(waiting), { from, now: now.getTime() });
	const throttled = STREAMS.filter((stream) => outbox[`${stream}Slowed`] > 1).map((stream) => {
		const own = waiting.filter(({ queue }) => streamOf(queue) === stream);
		return from + count(own) * outbox[`${stream}Slowed`] * limits.betweenMs;
	});
	const latest = waiting.map((row) => Date.parse(row.latest));
	return isoOf(Math.min(Math.ceil(Math.max(last, ...throttled, ...latest)), LAST_TIME_MS));
}
