import type { Tx } from "../../database/transaction.ts";
import type { MailSettings } from "../../settings.ts";
import { isoOf } from "../../time.ts";
import { countWaiting, type Waiting } from "../emails/email-counts.ts";
import { isPaused, type OutboxRow, readOutbox } from "./outbox-row.ts";
import { STREAMS, streamOf } from "./queues.ts";
import { type Limits, lastLeavesAt, limitsOf } from "./sending-rate.ts";
import { ratesAt } from "./warm-up.ts";

/** Promise 81: the emails that wait and that nobody holds. */
export interface Backlog {
	letters: number;
	/** The emails of each kind, and when the oldest of them was asked for, ISO 8601. */
	kinds: { kind: string; letters: number; oldest: string }[];
	oldest: string | null;
	/**
	 * When the last of them goes out at today's rate, ISO 8601; null where none waits, nothing limits
	 * them, or only the operator ends the pause.
	 */
	lastAt: string | null;
	/** Emails in a ms after a burst, by the rate and the ramp's step; null where nothing limits them. */
	pace: number | null;
}

/** Counts what waits, and says until when. */
export async function readBacklog(
	tx: Tx,
	mail: Pick<MailSettings, "rate" | "ramp"> | undefined,
	now: Date,
): Promise<Backlog> {
	const waiting = await countWaiting(tx);
	const outbox = await readOutbox(tx);
	const limits = mail && limitsOf(ratesAt(mail, outbox.step));
	const kinds = new Map<string, Backlog["kinds"][number]>();
	for (const { kind, letters, oldest } of waiting) {
		const known = kinds.get(kind);
		kinds.set(kind, {
			kind,
			letters: letters + (known?.letters ?? 0),
			oldest: known && known.oldest < oldest ? known.oldest : oldest,
		});
	}
	return {
		letters: waiting.reduce((sum, { letters }) => sum + letters, 0),
		kinds: [...kinds.values()],
		oldest: [...kinds.values()].map(({ oldest }) => oldest).sort()[0] ?? null,
		lastAt: limits && waiting.length > 0 ? lastAt(outbox, waiting, limits, now) : null,
		pace: limits ? 1 / limits.spreadMs : null,
	};
}

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
	const countOf = (rows: readonly Waiting[]) => rows.reduce((sum, { letters }) => sum + letters, 0);
	const last = lastLeavesAt(outbox, limits, countOf(waiting), { from, now: now.getTime() });
	// Streams go out side by side: the slowest of them, or all together.
	const slow = STREAMS.filter((stream) => outbox[`${stream}Slowed`] > 1).map((stream) => {
		const own = waiting.filter(({ queue }) => streamOf(queue) === stream);
		return from + countOf(own) * outbox[`${stream}Slowed`] * limits.betweenMs;
	});
	const latest = waiting.map((row) => Date.parse(row.latest));
	return isoOf(Math.min(Math.ceil(Math.max(last, ...slow, ...latest)), LAST_TIME_MS));
}
