import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import { raw, sql, type Tx } from "../../database/sql.ts";

/** Values of the metric `waitlist_emails_paused`. */
export const PAUSE_CAUSES = ["unreachable", "refused", "quota", "founder"] as const;

export type PauseCause = (typeof PAUSE_CAUSES)[number];

const START = {
	/** Time at which all emails so far would have left at the sending rate, in ms since 1970. */
	freeAt: 0,
	pausedUntil: "",
	cause: "founder" as PauseCause,
	/** Codes of the reply that caused the pause, or ''. */
	code: "",
	/** Pauses since the server last accepted an email. Above 0, one probe email is sent at a time. */
	pauses: 0,
	/** When the founder last resumed email. Throttling ignores earlier outcomes. */
	releasedAt: "",
	/** Warm-up step, from 0, and the time when its first email was accepted. */
	step: 0,
	steppedAt: "",
	/** Emails claimed since the last wave email; 9 at most. */
	passed: 0,
	/** Throttle factor, and the time of the next email in ms since 1970, for each stream. */
	confirmedSlowed: 1,
	confirmedFreeAt: 0,
	unconfirmedSlowed: 1,
	unconfirmedFreeAt: 0,
};

export type OutboxState = typeof START;

const OUTBOX: Note<OutboxState> = { name: "outbox" };

export const readOutbox = async (tx: Tx): Promise<OutboxState> => ({
	...START,
	...(await readNote(tx, OUTBOX)),
});

/** Reads and locks the state, so that only one server at a time claims emails. */
export const lockOutbox = async (tx: Tx): Promise<OutboxState> => ({
	...START,
	...(await lockNote(tx, OUTBOX)),
});

export const saveOutbox = (tx: Tx, state: OutboxState) => writeNote(tx, OUTBOX, state);

export const isPaused = ({ pausedUntil }: OutboxState, now: string) => pausedUntil > now;

/** Wave emails to confirmed people, wave emails to unconfirmed people, and requested emails. */
export const EMAIL_QUEUES = ["confirmed", "unconfirmed", "requested"] as const;

export type EmailQueue = (typeof EMAIL_QUEUES)[number];

/** Must equal the condition of the partial index `email_to_send`. */
export const sendableEmailsSql = (queue: EmailQueue) =>
	sql`queue = ${raw(`'${queue}'`)} AND held = 0 AND state IN ('waiting', 'deferred')`;

/** Streams are throttled separately: strangers can join with dead addresses, but cannot confirm them. */
export const EMAIL_STREAMS = ["confirmed", "unconfirmed"] as const;

export type EmailStream = (typeof EMAIL_STREAMS)[number];

export const emailStreamOf = (queue: EmailQueue): EmailStream =>
	queue === "confirmed" ? "confirmed" : "unconfirmed";
