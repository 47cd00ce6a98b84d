import { UNSENT } from "../letter.ts";

/**
 * The streams of letters, each with a brake of its own (brake.ts). What strangers type can reach two
 * of them; the people of the third have confirmed, so nobody slows their letters by typing.
 */
export const STREAMS = ["confirmations", "waves", "unconfirmed"] as const;

export type Stream = (typeof STREAMS)[number];

/** SQL for the letters of each stream, in the words of the indexes. */
export const IN_STREAM: Record<Stream, string> = {
	confirmations: "wave = ''",
	waves: "wave <> '' AND unconfirmed = 0",
	unconfirmed: "wave <> '' AND unconfirmed = 1",
};

/** SQL for what can be taken of a stream, in the words of its index. */
export const toSend = (stream: Stream) => `${IN_STREAM[stream]} AND held = 0 AND ${UNSENT}`;

/** SQL for the stream of a letter. */
export const STREAM_OF = `CASE WHEN wave = '' THEN 'confirmations'
	WHEN unconfirmed = 0 THEN 'waves' ELSE 'unconfirmed' END`;

/** The streams as the operator reads of them. */
export const STREAM_NAMES: Record<Stream, string> = {
	confirmations: "Letters that ask to confirm",
	waves: "Letters of waves to people who have confirmed",
	unconfirmed: "Letters of waves to people who have not confirmed",
};
