import { raw, sql, type Tx } from "../../database/sql.ts";

/** Values of the metric `waitlist_emails_paused`. */
export const PAUSE_CAUSES = ["unreachable", "refused", "quota", "founder"] as const;

export type PauseCause = (typeof PAUSE_CAUSES)[number];

/** The only row of the table `outbox`: the sending rate of all servers. */
export interface OutboxRow {
	/** Time at which all emails so far would have left one by one, in ms since 1970 (sending-rate.ts). */
	freeAt: number;
	/** '' if not paused. */
	pausedUntil: string;
	reason: string;
	cause: PauseCause;
	/** Pauses since an email was last accepted. If any, one probe email at a time is sent. */
	pauses: number;
	/** When the founder last resumed; earlier outcomes are ignored. */
	releasedAt: string;
	/** Warm-up step, from 0, and the time its first email was accepted. */
	step: number;
	steppedAt: string;
	/** Requested emails claimed since a wave last got its share, at most 9. */
	passed: number;
	/** Throttle factor of each stream, and the time its next email may leave, in ms since 1970. */
	confirmedSlowed: number;
	confirmedFreeAt: number;
	unconfirmedSlowed: number;
	unconfirmedFreeAt: number;
}

/** Stored as integer µs, because the databases format other numbers differently in JSON. */
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
	cause: "founder",
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

/** Locks the row, creating it if missing. */
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

/** Wave emails to confirmed people, wave emails to others, and requested emails. */
export const QUEUES = ["confirmed", "unconfirmed", "requested"] as const;

export type Queue = (typeof QUEUES)[number];

/** Repeats the condition of the index `email_to_send`. */
export const toSend = (queue: Queue) =>
	sql`queue = ${raw(`'${queue}'`)} AND held = 0 AND state IN ('waiting', 'deferred')`;

/** Throttled separately: strangers can join with dead addresses, but cannot confirm them. */
export const STREAMS = ["confirmed", "unconfirmed"] as const;

export type Stream = (typeof STREAMS)[number];

export const streamOf = (queue: Queue): Stream =>
	queue === "confirmed" ? "confirmed" : "unconfirmed";
