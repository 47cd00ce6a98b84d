import type { Rate } from "../../settings/values.ts";
import type { MailSettings } from "../../settings.ts";
import { DAY_MS, isoOf } from "../../time.ts";
import { EMAIL_STREAMS, type EmailStream, isPaused, type OutboxState } from "./outbox-state.ts";

/*
 * Computes how many emails may leave now, by the generic cell rate algorithm (ITU-T I.371). A tenth of a period's
 * emails may leave at once; the rest leave `spreadMs` apart.
 */

/** Safety margin per period: emails take a varying time to reach the mail server. */
const LATE_MS = 10_000;

/** A throttled stream may catch up on at most this much idle time. */
const CATCH_UP_MS = 60_000;

/** Without a sending rate, throttling starts from one email per second. */
const UNLIMITED_MS = 1000;

/** While requested emails are due too, one email in 10 is from a wave. */
const WAVE_SHARE = 10;

export interface SendingLimits {
	burst: number;
	spreadMs: number;
	betweenMs: number;
}

export type RateSettings = Pick<MailSettings, "rate" | "warmUp">;

/** Returns the stricter of sending rate and warm-up; undefined if neither is set. */
export function strictestLimits(
	{ rate, warmUp }: RateSettings,
	{ step }: OutboxState,
): SendingLimits | undefined {
	const count = warmUp?.[Math.min(step, warmUp.length - 1)];
	const rates = [...(rate ? [rate] : []), ...(count ? [{ count, periodMs: DAY_MS }] : [])];
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

export function roomForEmails(
	outbox: OutboxState,
	rates: RateSettings,
	now: number,
	{ isSending, most }: { isSending: boolean; most: number },
) {
	const limits = strictestLimits(rates, outbox);
	const probing = outbox.pauses > 0;
	const isClosed = isPaused(outbox, isoOf(now)) || (probing && isSending);
	const atMost = isClosed ? 0 : probing ? Math.min(1, most) : most;
	const total = Math.min(atMost, rateRoom(outbox.freeAt, limits, now));
	return {
		total,
		/** Reserved for wave emails, if any are due. */
		waves: probing ? total : Math.floor((total + outbox.passed) / WAVE_SHARE),
		probing,
		confirmed: streamRoom(outbox, "confirmed", limits, now),
		unconfirmed: streamRoom(outbox, "unconfirmed", limits, now),
	};
}

export function applyClaim(
	outbox: OutboxState,
	rates: RateSettings,
	now: number,
	claimed: Record<EmailStream | "waves", number>,
): OutboxState {
	const limits = strictestLimits(rates, outbox);
	const all = claimed.confirmed + claimed.unconfirmed;
	const passed = outbox.passed + all - WAVE_SHARE * claimed.waves;
	const streamFreeAt = (stream: EmailStream) => {
		const interval = intervalOf(outbox, stream, limits);
		return closeTo(outbox[`${stream}FreeAt`], now, interval) + claimed[stream] * interval;
	};
	return {
		...outbox,
		freeAt: limits
			? Math.max(now, notTooFar(outbox.freeAt, limits, now)) + all * limits.spreadMs
			: outbox.freeAt,
		// While no wave emails are due, their share does not accumulate.
		passed: Math.max(0, Math.min(WAVE_SHARE - 1, passed)),
		confirmedFreeAt: streamFreeAt("confirmed"),
		unconfirmedFreeAt: streamFreeAt("unconfirmed"),
	};
}

/** Returns a time in ms since 1970. */
export function lastEmailLeavesAt(
	outbox: OutboxState,
	limits: SendingLimits,
	emails: Record<EmailStream, number>,
	from: number,
): number {
	const freeAt = Math.max(notTooFar(outbox.freeAt, limits, from), from);
	const all = emails.confirmed + emails.unconfirmed;
	const last = Math.ceil(freeAt + (all - limits.burst) * limits.spreadMs);
	const slowed = EMAIL_STREAMS.filter((stream) => outbox[`${stream}Slowed`] > 1).map(
		(stream) => from + emails[stream] * intervalOf(outbox, stream, limits),
	);
	return Math.max(from, last, ...slowed);
}

function rateRoom(freeAt: number, limits: SendingLimits | undefined, now: number): number {
	if (!limits) return Number.POSITIVE_INFINITY;
	const { burst, spreadMs } = limits;
	const aheadMs = Math.max(0, notTooFar(freeAt, limits, now) - now);
	return whole(burst - aheadMs / spreadMs);
}

/** Limits a `freeAt` that a lower rate or a wrong clock set too far ahead. */
const notTooFar = (freeAt: number, { burst, spreadMs }: SendingLimits, now: number) =>
	Math.min(freeAt, now + burst * spreadMs);

function streamRoom(
	outbox: OutboxState,
	stream: EmailStream,
	limits: SendingLimits | undefined,
	now: number,
) {
	if (outbox[`${stream}Slowed`] === 1) return Number.POSITIVE_INFINITY;
	const interval = intervalOf(outbox, stream, limits);
	const sinceMs = now - closeTo(outbox[`${stream}FreeAt`], now, interval);
	return sinceMs < 0 ? 0 : 1 + whole(sinceMs / interval);
}

const intervalOf = (outbox: OutboxState, stream: EmailStream, limits: SendingLimits | undefined) =>
	(limits?.betweenMs ?? UNLIMITED_MS) * outbox[`${stream}Slowed`];

const closeTo = (freeAt: number, now: number, interval: number) =>
	Math.min(Math.max(freeAt, now - CATCH_UP_MS), now + interval);

/** Rounds down, but 2.9999999 to 3. */
const whole = (count: number) => Math.floor(count + 1e-6);

export const isThrottled = ({ confirmedSlowed, unconfirmedSlowed }: OutboxState) =>
	confirmedSlowed > 1 || unconfirmedSlowed > 1;

/** Moves to the next warm-up step a day after this step's first email, unless a stream is throttled. */
export function advanceWarmUp(
	outbox: OutboxState,
	warmUp: readonly number[],
	ms: number,
): OutboxState {
	const { step, steppedAt } = outbox;
	const isOver = steppedAt !== "" && step < warmUp.length - 1 && steppedAt <= isoOf(ms - DAY_MS);
	return isOver && !isThrottled(outbox) ? { ...outbox, step: step + 1, steppedAt: "" } : outbox;
}
