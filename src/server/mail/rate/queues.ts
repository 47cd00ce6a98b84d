import { raw, sql } from "../../database/sql.ts";
/**
 * The emails that wait, in three queues: waves to people who have confirmed, waves to
 * people who have not, and emails that visitors request by joining or by a form.
 */
export const QUEUES = ["confirmed", "unconfirmed", "requested"] as const;

export type Queue = (typeof QUEUES)[number];

/** SQL for what can be claimed from a queue, in the words of its index. */
export const toSend = (queue: Queue) =>
	sql`queue = ${raw(`'${queue}'`)} AND held = 0 AND state IN ('waiting', 'deferred')`;

/**
 * The two streams of emails, each with a throttle of its own. Strangers can type any address into the form,
 * but nobody confirms those, so emails to confirmed people are unaffected.
 */
export const STREAMS = ["confirmed", "unconfirmed"] as const;

export type Stream = (typeof STREAMS)[number];

export const streamOf = (queue: Queue): Stream =>
	queue === "confirmed" ? "confirmed" : "unconfirmed";

export const STREAM_NAMES: Record<Stream, string> = {
	confirmed: "Emails to people who have confirmed",
	unconfirmed: "Emails to people who have not confirmed",
};
