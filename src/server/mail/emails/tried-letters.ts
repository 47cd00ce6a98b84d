import type { Dialect } from "../../database/dialect.ts";
import { type Query, statement } from "../../database/statement.ts";
import { STREAM_OF, type Stream } from "../rate/queues.ts";
import { TO_APPLE_RELAY } from "../smtp/status.ts";

/* What sender and reports read of the table `letter`. Times are ISO 8601 in UTC. */

/** SQL for the letters whose ids come first in the rows of `$1`. */
const ofLetters = ({ jsonRows }: Dialect) =>
	`${jsonRows} JOIN letter ON letter.id = value->>0 AND letter.id <> ''`;

/** The stream of each letter of reports, unless Apple's relay bounced it. @param rows JSON: id, kind of report */
export const streamsOfReported = (dialect: Dialect, rows: string) =>
	statement<{ stream: Stream }>(
		`SELECT ${STREAM_OF} AS stream FROM ${ofLetters(dialect)}
		WHERE value->>1 = 'complaint' OR NOT (${TO_APPLE_RELAY})`,
		rows,
	);

/** A letter that a report is about. */
export interface Reported {
	/** The place of the report in the list. */
	n: number;
	letter: string;
	/** The person. */
	key: string;
	confirmedAt: string;
}

/**
 * The letters of reports: by the id that the provider gave back, otherwise the last one that went out
 * to the address.
 *
 * @param rows JSON: place, id, key
 */
export const findReported = (query: Query, { jsonRows }: Dialect, rows: string) =>
	query<Reported>(
		`SELECT CAST(value->>0 AS INTEGER) AS n, letter.id AS letter, recipient.email_key AS "key",
			confirmed_at AS "confirmedAt"
		FROM ${jsonRows}
		JOIN letter ON letter.id <> '' AND letter.id = COALESCE(
			(SELECT id FROM letter WHERE id = value->>1 AND id <> ''),
			(SELECT id FROM letter WHERE email_key = value->>2 AND id <> '' AND (
					state IN ('sending', 'accepted', 'unknown') OR (state = 'refused' AND reason = '' AND code LIKE 'later %'))
				ORDER BY CASE state WHEN 'sending' THEN 1 ELSE 0 END DESC, ended_at DESC LIMIT 1))
		JOIN recipient ON recipient.email_key = letter.email_key`,
		[rows],
	);

/** When a letter last ended, ISO 8601; '' where none has. */
export async function lastEnd(query: Query): Promise<string> {
	const [row] = await query<{ time: string | null }>(
		"SELECT max(ended_at) AS time FROM letter WHERE ended_at <> ''",
	);
	return row?.time ?? "";
}
