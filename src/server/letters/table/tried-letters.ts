import { type Query, type Statement, statement } from "../../database/database.ts";
import { type Dialect, keysAsJson } from "../../database/dialect.ts";
import { tell } from "../../events/event.ts";
import { STREAM_OF, type Stream } from "../../mail/rate/queues.ts";
import { TO_APPLE_RELAY } from "../smtp/status.ts";

/* What sender, reports and events read of the table `letter`. Times are ISO 8601 in UTC. */

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

/**
 * Tells whose invitations were accepted by the mail server in this transaction.
 *
 * @param ids of letters; those that are no invitations are left out
 * @param now when the transaction ended them, ISO 8601
 */
export function tellInvited(dialect: Dialect, ids: readonly string[], now: string): Statement[] {
	if (ids.length === 0) return [];
	const accepted = `${ofLetters(dialect)}
		WHERE letter.kind = 'invitation' AND state = 'accepted' AND ended_at = $2`;
	return [statement(tell(dialect, "invited", accepted, "ended_at"), keysAsJson(ids), now)];
}

/** Tells whose address turned out in this transaction not to exist: the same parameters. */
export function tellBounced(dialect: Dialect, ids: readonly string[], now: string): Statement[] {
	if (ids.length === 0) return [];
	const bounced = `(SELECT recipient.email_key, bounced_at FROM ${ofLetters(dialect)}
		JOIN recipient ON recipient.email_key = letter.email_key WHERE bounced_at = $2) AS bounced`;
	return [statement(tell(dialect, "bounced", bounced, "bounced_at"), keysAsJson(ids), now)];
}

/**
 * Tells that a person confirmed in this transaction.
 *
 * @param id of the recipient
 */
export function tellConfirmed(dialect: Dialect, id: string, now: string): Statement {
	const confirmed = "recipient WHERE id = $1 AND confirmed_at = $2";
	return statement(tell(dialect, "confirmed", confirmed, "confirmed_at"), id, now);
}

/** Tells that a person's invitation was redeemed in this transaction. */
export function tellRedeemed(
	dialect: Dialect,
	{ key, wave }: { key: string; wave: string },
	now: string,
): Statement {
	const redeemed = `letter
		WHERE email_key = $1 AND kind = 'invitation' AND wave = $2 AND redeemed_at = $3`;
	return statement(tell(dialect, "redeemed", redeemed, "redeemed_at"), key, wave, now);
}
