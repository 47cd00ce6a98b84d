import { HOUR_MS, isoOf, MINUTE_MS } from "../time.ts";
import type { EventKind } from "./event.ts";
import { isAccepted, type Posted } from "./post.ts";

/** An event that the sender has claimed. */
export interface ClaimedEvent {
	/** Its place among all events. PostgreSQL returns text. */
	seq: number | string;
	/** The same at each attempt. */
	id: string;
	kind: EventKind;
	/** A canonical address, or `person` after a deletion. */
	who: string;
	/** The person's id in events. */
	person: string;
	/** As typed; "" if it is not known any more. */
	email: string;
	/** When it happened, ISO 8601. */
	at: string;
	/** The number of this attempt, from 1. */
	attempts: number;
}

type Event = Pick<ClaimedEvent, "seq" | "id" | "attempts">;

/** The outcome of attempts that were made at the same time. */
export interface Outcome {
	delivered: Event[];
	/** Each with the time of the retry, ISO 8601, unless it is given up, and a status or the network's code. */
	undelivered: (Event & { nextAt: string | undefined; code: string })[];
	/** What was learned of the receiver. */
	receiver?: { failures: number; restUntil: string; code: string };
	/** Whether it answered 410. */
	isEnded: boolean;
}

/** Before each attempt: the schedule of Standard Webhooks 1.0, ten attempts in 75.6 hours. */
export const BEFORE_ATTEMPT_MS = [
	...[0, 5000, 5 * MINUTE_MS, 30 * MINUTE_MS],
	...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];

/**
 * Judges attempts, and the receiver.
 *
 * @param failures of the receiver in a row so far
 * @param isStopping whether the server closes: an attempt that it cut off does not count
 */
export function judge(
	attempts: readonly { event: Event; posted: Posted }[],
	{ failures, now, isStopping }: { failures: number; now: number; isStopping: boolean },
): Outcome {
	const delivered = attempts.filter(({ posted }) => isAccepted(posted)).map(({ event }) => event);
	const missed = attempts.filter(({ posted }) => !isAccepted(posted));
	const undelivered = missed.map(({ event, posted: { status, code, waitMs } }) => {
		const { attempts } = event;
		const isCutOff = isStopping && status === 0;
		if (isCutOff) return { ...event, attempts: attempts - 1, nextAt: isoOf(now), code };
		const beforeMs = status === 410 ? undefined : BEFORE_ATTEMPT_MS[attempts];
		const nextAt = beforeMs === undefined ? undefined : isoOf(now + Math.max(beforeMs, waitMs));
		return { ...event, nextAt, code };
	});
	const isEnded = missed.some(({ posted }) => posted.status === 410);
	const outcome = { delivered, undelivered, isEnded };
	const down = missed.find(({ posted }) => isDown(posted));
	if (isStopping || (delivered.length === 0 && !down)) return outcome;
	const waitMs = Math.max(...attempts.map(({ posted }) => posted.waitMs));
	if (!down || (delivered.length > 0 && waitMs === 0)) {
		return { ...outcome, receiver: { failures: 0, restUntil: "", code: "" } };
	}
	// A receiver that is down gets one event after each rest.
	const restMs = Math.min(5000 * 2 ** failures, MINUTE_MS);
	const restUntil = isoOf(now + Math.max(restMs, waitMs));
	return { ...outcome, receiver: { failures: failures + 1, restUntil, code: down.posted.code } };
}

/** Whether a failure is about the receiver, and not about the one event. */
const isDown = ({ status }: Posted) => status < 400 || status >= 500 || [408, 429].includes(status);
