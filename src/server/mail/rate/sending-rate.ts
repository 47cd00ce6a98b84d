import { sql, type Tx } from "../../database/sql.ts";
import type { Rate } from "../../settings/values.ts";
import type { MailSettings } from "../../settings.ts";
import { DAY_MS, isoOf } from "../../time.ts";
import {
	isPaused,
	type OutboxRow,
	type Queue,
	readOutbox,
	STREAMS,
	type Stream,
	streamOf,
} from "./outbox-row.ts";

/*
 * How many emails may leave now: pure arithmetic on the row of the outbox.
 *
 * The rate is kept by the generic cell rate algorithm (ITU-T I.371). `freeAt` is the time at which all
 * emails so far would have left one by one, `spreadMs` apart. A tenth may leave at once, and the others are
 * spread so that no period has more than the rate allows: mail servers count from a different moment.
 */

/**
 * An email reaches the mail server a little after it was claimed, and not always equally late. By so much,
 * at most, the periods of a mail server may differ from ours.
 */
const LATE_MS = 10_000;

/** A throttled stream may catch up with what it did not send while nobody looked. */
const CATCH_UP_MS = 60_000;

/** The time between two emails of a throttled stream where nothing limits the rate. */
const UNLIMITED_MS = 1000;

/** While both are due, one of so many emails belongs to a wave, and the others were requested. */
const WAVE_SHARE = 10;

/** The tightest limits of several rates. */
export interface Limits {
	burst: number;
	spreadMs: number;
	/** Between two emails of an even stream. */
	betweenMs: number;
}

/** @returns undefined where nothing limits emails */
export function limitsOf(rates: readonly Rate[]): Limits | undefined {
	if (rates.length === 0) return undefined;
	const burstOf = ({ count }: Rate) => Math.ceil(count / 10);
	const spreadOf = (rate: Rate) => {
		const slowedMs = rate.periodMs + Math.min(LATE_MS, rate.periodMs / 20);
		return slowedMs / (rate.count - burstOf(rate) + 1);
	};
	return {
		burst: Math.min(...rates.map(burstOf)),
		spreadMs: Math.max(...rates.map(spreadOf)),
		betweenMs: Math.max(...rates.map(({ count, periodMs }) => periodMs / count)),
	};
}

/** How many emails may be claimed now. */
export interface Room extends Record<Stream, number> {
	total: number;
	/** How many of these are reserved for waves, while any are due. */
	waves: number;
	/** Whether a single email finds out if the mail server takes it. */
	probing: boolean;
}

/**
 * @param isSending whether an email is under way
 * @param most as many connections as are free
 */
export function roomFor(
	outbox: OutboxRow,
	limits: Limits | undefined,
	now: number,
	{ isSending, most }: { isSending: boolean; most: number },
): Room {
	const probing = outbox.pauses > 0;
	const allowed = Math.min(most, rateRoom(outbox.freeAt, limits, now));
	const total =
		isPaused(outbox, isoOf(now)) || (probing && isSending)
			? 0
			: probing
				? Math.min(1, allowed)
				: allowed;
	return {
		total,
		waves: probing ? total : Math.floor((total + outbox.passed) / WAVE_SHARE),
		probing,
		confirmed: streamRoom(outbox.confirmedSlowed, outbox.confirmedFreeAt, limits, now),
		unconfirmed: streamRoom(outbox.unconfirmedSlowed, outbox.unconfirmedFreeAt, limits, now),
	};
}

/** The outbox after emails were claimed, of which so many belong to waves. */
export function spend(
	outbox: OutboxRow,
	limits: Limits | undefined,
	now: number,
	claimed: Record<Stream | "waves", number>,
): OutboxRow {
	const all = claimed.confirmed + claimed.unconfirmed;
	const passed = outbox.passed + all - WAVE_SHARE * claimed.waves;
	const streamFreeAt = (slowed: number, freeAt: number, count: number) => {
		const interval = intervalOf(slowed, limits);
		return closeTo(freeAt, now, interval) + count * interval;
	};
	const { confirmedSlowed, unconfirmedSlowed } = outbox;
	return {
		...outbox,
		freeAt: limits
			? Math.max(now, notTooFar(outbox.freeAt, limits, now)) + all * limits.spreadMs
			: outbox.freeAt,
		// While no wave is due, nothing adds up.
		passed: Math.max(0, Math.min(WAVE_SHARE - 1, passed)),
		confirmedFreeAt: streamFreeAt(confirmedSlowed, outbox.confirmedFreeAt, claimed.confirmed),
		unconfirmedFreeAt: streamFreeAt(
			unconfirmedSlowed,
			outbox.unconfirmedFreeAt,
			claimed.unconfirmed,
		),
	};
}

/**
 * When the last of some emails leaves, in ms since 1970.
 *
 * @param from before which none leaves
 */
function lastLeavesAt(
	outbox: OutboxRow,
	limits: Limits,
	emails: number,
	{ from, now }: { from: number; now: number },
): number {
	const freeAt = Math.max(notTooFar(outbox.freeAt, limits, now), from, now);
	return Math.max(from, Math.ceil(freeAt + (emails - limits.burst) * limits.spreadMs));
}

function rateRoom(freeAt: number, limits: Limits | undefined, now: number): number {
	if (!limits) return Number.POSITIVE_INFINITY;
	const { burst, spreadMs } = limits;
	const aheadMs = Math.max(0, notTooFar(freeAt, limits, now) - now);
	return whole(burst - aheadMs / spreadMs);
}

/** A time further ahead is from a lower rate, or from a clock that was wrong. */
const notTooFar = (freeAt: number, { burst, spreadMs }: Limits, now: number) =>
	Math.min(freeAt, now + burst * spreadMs);

function streamRoom(slowed: number, freeAt: number, limits: Limits | undefined, now: number) {
	if (slowed === 1) return Number.POSITIVE_INFINITY;
	const interval = intervalOf(slowed, limits);
	const sinceMs = now - closeTo(freeAt, now, interval);
	return sinceMs < 0 ? 0 : 1 + whole(sinceMs / interval);
}

const intervalOf = (slowed: number, limits: Limits | undefined) =>
	(limits?.betweenMs ?? UNLIMITED_MS) * slowed;

const closeTo = (freeAt: number, now: number, interval: number) =>
	Math.min(Math.max(freeAt, now - CATCH_UP_MS), now + interval);

/** Sums of fractions come out a little too small now and then. */
const whole = (count: number) => Math.floor(count + 1e-6);

/** The state of the warm-up, for the founder. */
export interface Ramp {
	/** From 1. */
	step: number;
	steps: number;
	/** Emails a day. */
	emails: number;
	/** When the next step begins, ISO 8601; null before the first email of this one, and at the last one. */
	nextAt: string | null;
	/** Whether a throttle keeps it at this step. */
	isThrottled: boolean;
}

/** The limits at a step: the overall rate, and the step's own. */
export function ratesAt({ rate, ramp }: Pick<MailSettings, "rate" | "ramp">, step: number): Rate[] {
	const count = ramp?.[Math.min(step, ramp.length - 1)];
	return [...(rate ? [rate] : []), ...(count ? [{ count, periodMs: DAY_MS }] : [])];
}

export const isThrottled = ({ confirmedSlowed, unconfirmedSlowed }: OutboxRow) =>
	confirmedSlowed > 1 || unconfirmedSlowed > 1;

/** Takes the next step a day after the first email of this one, unless a stream is throttled. */
export function climb(outbox: OutboxRow, ramp: readonly number[], ms: number): OutboxRow {
	const { step, steppedAt } = outbox;
	const isOver = steppedAt !== "" && step < ramp.length - 1 && steppedAt <= isoOf(ms - DAY_MS);
	return isOver && !isThrottled(outbox) ? { ...outbox, step: step + 1, steppedAt: "" } : outbox;
}

/** @returns null without WAITLIST_MAIL_WARM_UP */
export async function readRamp(
	tx: Tx,
	mail: Pick<MailSettings, "ramp"> | undefined,
): Promise<Ramp | null> {
	const { ramp } = mail ?? {};
	if (!ramp) return null;
	const outbox = await readOutbox(tx);
	const place = Math.min(outbox.step, ramp.length - 1);
	const isLast = place === ramp.length - 1;
	const { steppedAt } = outbox;
	return {
		step: place + 1,
		steps: ramp.length,
		emails: ramp[place]!,
		nextAt: steppedAt === "" || isLast ? null : isoOf(Date.parse(steppedAt) + DAY_MS),
		isThrottled: isThrottled(outbox),
	};
}

export function rampAsText({ step, steps, emails, nextAt, isThrottled }: Ramp): string {
	const next =
		step === steps
			? "which is the last"
			: isThrottled
				? "and stays there while emails are throttled"
				: nextAt === null
					? "and the next one begins a day after its first email"
					: `and the next one begins on ${nextAt}`;
	return `Step ${step} of ${steps} of WAITLIST_MAIL_WARM_UP, ${emails} emails a day, ${next}.`;
}

/** The emails that wait and are not held. Times are ISO 8601. */
export interface Backlog {
	emails: number;
	kinds: { kind: string; emails: number; oldest: string }[];
	oldest: string | null;
	/** When the last one leaves at today's rate; null if none waits, nothing limits them, or only `resume` ends the pause. */
	lastAt: string | null;
	/** Emails in a ms, after a burst; null if nothing limits them. */
	pace: number | null;
}

interface Waiting {
	kind: string;
	queue: Queue;
	emails: number;
	oldest: string;
	/** When the last of them may be sent. */
	latest: string;
}

export async function readBacklog(
	tx: Tx,
	mail: Pick<MailSettings, "rate" | "ramp"> | undefined,
	now: Date,
): Promise<Backlog> {
	const waiting = await tx.all(sql<Waiting>`SELECT kind, queue, CAST(count(*) AS INTEGER) AS emails,
			min(asked_at) AS oldest, max(next_at) AS latest
		FROM email WHERE held = 0 AND state IN ('waiting', 'deferred')
		GROUP BY kind, queue ORDER BY kind, queue`);
	const outbox = await readOutbox(tx);
	const limits = mail && limitsOf(ratesAt(mail, outbox.step));
	const kinds = [...new Set(waiting.map(({ kind }) => kind))].map((kind) => {
		const rows = waiting.filter((row) => row.kind === kind);
		return { kind, emails: count(rows), oldest: rows.map(({ oldest }) => oldest).sort()[0]! };
	});
	return {
		emails: count(waiting),
		kinds,
		oldest: kinds.map(({ oldest }) => oldest).sort()[0] ?? null,
		lastAt: limits && waiting.length > 0 ? lastAt(outbox, waiting, limits, now) : null,
		pace: limits ? 1 / limits.spreadMs : null,
	};
}

const count = (rows: readonly Waiting[]) => rows.reduce((sum, { emails }) => sum + emails, 0);

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
