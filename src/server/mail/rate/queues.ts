/**
 * The emails that wait, in three queues with an index each: waves to people who have confirmed, waves to
 * people who have not, and emails that visitors request by joining or by a form.
 */
export const QUEUES = ["confirmed", "unconfirmed", "requested"] as const;

export type Queue = (typeof QUEUES)[number];

/** SQL for the emails of each queue, in the words of the indexes. */
export const IN_QUEUE: Record<Queue, string> = {
	confirmed: "wave <> '' AND unconfirmed = 0",
	unconfirmed: "wave <> '' AND unconfirmed = 1",
	requested: "wave = ''",
};

/** SQL for what can be claimed from a queue, in the words of its index. */
export const toSend = (queue: Queue) =>
	`${IN_QUEUE[queue]} AND held = 0 AND letter.state IN ('waiting', 'deferred')`;

/**
 * The two streams of emails, each with a throttle of its own. Strangers can type any address into the form,
 * but nobody confirms those, so emails to confirmed people are unaffected.
 */
export const STREAMS = ["confirmed", "unconfirmed"] as const;

export type Stream = (typeof STREAMS)[number];

export const streamOf = (queue: Queue): Stream =>
	queue === "confirmed" ? "confirmed" : "unconfirmed";

/** SQL for the stream of a letter. */
export const STREAM_OF =
	"CASE WHEN wave <> '' AND unconfirmed = 0 THEN 'confirmed' ELSE 'unconfirmed' END";

/** The streams as the founder reads of them. */
export const STREAM_NAMES: Record<Stream, string> = {
	confirmed: "Emails to people who have confirmed",
	unconfirmed: "Emails to people who have not confirmed",
};
