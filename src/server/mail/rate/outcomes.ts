import { raw, sql } from "../../database/sql.ts";
import type { Tx } from "../../database/transaction.ts";
import { QUEUES, type Stream, streamOf } from "./queues.ts";

/** An email that a mail server answered for good. */
export interface Outcome {
	/** The person's canonical address. */
	key: string;
	endedAt: string;
	/** When it came back, ISO 8601; '' where it was accepted. */
	bouncedAt: string;
	/** When its person complained; '' where they did not. */
	complainedAt: string;
}

/** Enough to judge a stream, plus emails too recent to have been reported yet. */
const MOST = 3000;

/**
 * The last emails of a stream that a mail server answered for good since the founder last ended a pause,
 * the earliest first. An email that a report brought back counts at the time it was sent. A refused email
 * counts where its own reply found the address missing.
 */
export async function outcomesOf(
	tx: Tx,
	stream: Stream,
	since: string,
	most = MOST,
): Promise<Outcome[]> {
	const found: Outcome[] = [];
	for (const queue of QUEUES.filter((queue) => streamOf(queue) === stream)) {
		found.push(
			...(await tx.all(sql<Outcome>`SELECT ended.email_key AS "key", ended_at AS "endedAt",
					CASE state WHEN 'refused' THEN bounced_at ELSE '' END AS "bouncedAt",
					CASE reason WHEN 'complaint' THEN COALESCE(NULLIF(unsubscribed_at, ''), ended_at) ELSE '' END
						AS "complainedAt"
				FROM (
					SELECT email_key, state, code, reason, ended_at FROM email
					WHERE queue = ${raw(`'${queue}'`)} AND ended_at <> '' AND id <> ''
						AND state IN ('accepted', 'refused') AND ended_at > ${since}
					ORDER BY ended_at DESC LIMIT ${most}
				) AS ended
				JOIN registration ON registration.email_key = ended.email_key
				WHERE state = 'accepted' OR (bounced_at <> '' AND reason = '' AND bounce = code)`)),
		);
	}
	return found.sort((one, other) => (one.endedAt < other.endedAt ? -1 : 1)).slice(-most);
}
