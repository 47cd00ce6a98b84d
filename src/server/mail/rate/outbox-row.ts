import { raw, sql, type Tx } from "../../database/sql.ts";

/** The values of the metric `waitlist_emails_paused`. */
export const PAUSE_CAUSES = ["unreachable", "refused", "quota", "operator"] as const;

export type PauseCause = (typeof PAUSE_CAUSES)[number];

/** The sending rate as all copies of the server share it: the only row of the table `outbox`. */
export interface OutboxRow {
	/** When all emails so far would have left one by one, in ms since 1970 (sending-rate.ts). */
	freeAt: number;
	/** '' is no pause. */
	pausedUntil: string;
	reason: string;
	cause: PauseCause;
	/** Since an email was last accepted. While there are any, one email at a time probes the mail server. */
	pauses: number;
	/** When the founder last ended a pause: earlier outcomes say nothing about today. */
	releasedAt: string;
	/** The step of the warm-up, from 0, and when its first email was accepted. */
	step: number;
	steppedAt: string;
	/** Requested emails that were claimed since a wave last had its share, 9 at most. */
	passed: number;
	/** How many times slower than the rate each stream is, and when its next email may leave, in ms since 1970. */
	confirmedSlowed: number;
	confirmedFreeAt: number;
	unconfirmedSlowed: number;
	unconfirmedFreeAt: number;
}

/** Times to send at are kept in µs as integers: the databases write other numbers differently in JSON. */
const inMs = (column: string) => sql`CAST(${raw(column)} AS DOUBLE PRECISION) / 1000`;
const inMicroseconds = (ms: number) => Math.round(1000 * ms);

const FIELDS = sql`${inMs("free_at")} AS "freeAt", paused_until AS "pausedUntil", reason, cause, pauses,
	released_at AS "releasedAt", step, stepped_at AS "steppedAt", passed,
	confirmed_slowed AS "confirmedSlowed", ${inMs("confirmed_free_at")} AS "confirmedFreeAt",
	unconfirmed_slowed AS "unconfirmedSlowed", ${inMs("unconfirmed_free_at")} AS "unconfirmedFreeAt"`;

const EMPTY: OutboxRow = {
	freeAt: 0,
	pausedUntil: "",
	reason: "",
	cause: "operator",
	pauses: 0,
	releasedAt: "",
	step: 0,
	steppedAt: "",
	passed: 0,
	confirmedSlowed: 1,
	confirmedFreeAt: 0,
	unconfirmedSlowed: 1,
	unconfirmedFreeAt: 0,
};

export const isPaused = ({ pausedUntil }: OutboxRow, now: string) => pausedUntil > now;

export async function readOutbox(tx: Tx): Promise<OutboxRow> {
	return (await tx.first(sql<OutboxRow>`SELECT ${FIELDS} FROM outbox`)) ?? EMPTY;
}

/** Makes the row the first time. */
export async function lockOutbox(tx: Tx): Promise<OutboxRow> {
	const row = await tx.first(sql<OutboxRow>`INSERT INTO outbox (one) VALUES (1)
		ON CONFLICT (one) DO UPDATE SET one = 1 RETURNING ${FIELDS}`);
	return row!;
}

export async function saveOutbox(tx: Tx, row: OutboxRow): Promise<void> {
	await tx.all(sql`UPDATE outbox
		SET free_at = ${inMicroseconds(row.freeAt)}, paused_until = ${row.pausedUntil}, reason = ${row.reason},
			cause = ${row.cause}, pauses = ${row.pauses}, released_at = ${row.releasedAt},
			step = ${row.step}, stepped_at = ${row.steppedAt}, passed = ${row.passed},
			confirmed_slowed = ${row.confirmedSlowed}, confirmed_free_at = ${inMicroseconds(row.confirmedFreeAt)},
			unconfirmed_slowed = ${row.unconfirmedSlowed}, unconfirmed_free_at = ${inMicroseconds(row.unconfirmedFreeAt)}`);
}

/** Waves to confirmed people, waves to others, and emails that visitors request. */
export const QUEUES = ["confirmed", "unconfirmed", "requested"] as const;

export type Queue = (typeof QUEUES)[number];

/** In the words of the index `email_to_send`. */
export const toSend = (queue: Queue) =>
	sql`queue = ${raw(`'${queue}'`)} AND held = 0 AND state IN ('waiting', 'deferred')`;

/** Strangers can type any address, but nobody confirms those: emails to confirmed people are unaffected. */
export const STREAMS = ["confirmed", "unconfirmed"] as const;

export type Stream = (typeof STREAMS)[number];

export const streamOf = (queue: Queue): Stream =>
	queue === "confirmed" ? "confirmed" : "unconfirmed";
