import { sql } from "../../database/sql.ts";
import { ask, type Query } from "../../database/statement.ts";
import { because } from "../emails/letter.ts";
import { IN_QUEUE, QUEUES, type Stream, streamOf } from "./queues.ts";

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

/** SQL for the recipient of a refused letter whose address that letter's own bounce found missing. */
export const BOUNCED_BY_LETTER = "(bounced_at <> '' AND reason = '' AND bounce = code)";

/** SQL for a letter whose person called it spam. */
const HAS_COMPLAINED = `(state = 'accepted' AND ${because("complaint")})`;

/**
 * The last emails of a stream that a mail server answered for good since the founder last ended a pause,
 * the earliest first. An email that a report brought back counts at the time it was sent.
 */
export async function outcomesOf(query: Query, stream: Stream, since: string): Promise<Outcome[]> {
	const found: Outcome[] = [];
	for (const queue of QUEUES.filter((queue) => streamOf(queue) === stream)) {
		const inQueue = { sql: IN_QUEUE[queue] };
		found.push(
			...(await ask(
				query,
				sql<Outcome>`SELECT ended.email_key AS "key", ended_at AS "endedAt",
					CASE WHEN state = 'refused' THEN bounced_at ELSE '' END AS "bouncedAt",
					CASE WHEN ${{ sql: HAS_COMPLAINED }} THEN COALESCE(NULLIF(left_at, ''), ended_at) ELSE '' END
						AS "complainedAt"
				FROM (
					SELECT email_key, state, code, reason, ended_at FROM letter
					WHERE ${inQueue} AND ended_at <> '' AND id <> '' AND state IN ('accepted', 'refused')
						AND ended_at > ${since}
					ORDER BY ended_at DESC LIMIT ${{ sql: String(MOST) }}
				) AS ended
				LEFT JOIN recipient ON recipient.email_key = ended.email_key
					AND ((state = 'refused' AND ${{ sql: BOUNCED_BY_LETTER }}) OR ${{ sql: HAS_COMPLAINED }})
				WHERE state = 'accepted' OR recipient.email_key IS NOT NULL`,
			)),
		);
	}
	return found.sort((one, other) => (one.endedAt < other.endedAt ? -1 : 1)).slice(-MOST);
}
