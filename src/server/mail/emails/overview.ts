import type { Query } from "../../database/statement.ts";
import type { MailSettings } from "../../settings.ts";
import { type Backlog, readBacklog } from "../rate/backlog.ts";
import { type Pause, readPause } from "../rate/pauses.ts";
import { MOST_ATTEMPTS } from "../rate/retries.ts";
import { readThrottled, type Throttled } from "../rate/throttle.ts";
import { type Ramp, readRamp } from "../rate/warm-up.ts";
import { type CountedEmails, countByState, countHeld } from "./email-counts.ts";
import { type TroubledEmail, troubledEmails } from "./emails.ts";

/** The letters in numbers. */
export interface Overview {
	letters: CountedEmails[];
	/** Emails that wait until `waitlist resume`. */
	held: number;
	/** What waits and is not held, and until when. */
	waiting: Backlog;
	/** When the oldest of these was asked for, ISO 8601. */
	oldestWaiting: string | null;
	/**
	 * Emails that the mail server puts off, or put off until they were given up, the latest first.
	 */
	troubled: TroubledEmail[];
	/** Why nothing is sent now, and until when. */
	pause: Pause | null;
	/** The streams that go out more slowly than the rate. */
	slowed: Throttled[];
	/** Where WAITLIST_MAIL_WARM_UP is; null without one. */
	ramp: Ramp | null;
}

/** So many letters are named. */
const MOST_TROUBLED = 20;

/** Counts the letters, and says what stops them. One question after the other: visitors ask as well. */
export async function readOverview(
	query: Query,
	mail: MailSettings | undefined,
	now: Date,
): Promise<Overview> {
	const waiting = await readBacklog(query, mail, now);
	return {
		letters: await countByState(query),
		held: (await countHeld(query)).byOperator,
		waiting,
		oldestWaiting: waiting.oldest,
		troubled: await troubledEmails(query, { mostTries: MOST_ATTEMPTS, most: MOST_TROUBLED }),
		pause: await readPause(query, now),
		slowed: await readThrottled(query, now),
		ramp: await readRamp(query, mail, now),
	};
}
