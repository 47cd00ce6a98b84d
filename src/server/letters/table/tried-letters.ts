import { prepare, type Query, type Statement, statement } from "../../database/database.ts";
import { type Dialect, keysAsJson } from "../../database/dialect.ts";
import { tell } from "../../events/event.ts";
import { type TakenLetter, takenAs } from "../letter.ts";
import { HAS_COMPLAINED } from "../pace/complaints.ts";
import { BOUNCED_BY_LETTER } from "../pace/dead-addresses.ts";
import { RELEASED_AT, SLOWED_STREAMS } from "../pace/pace-tables.ts";
import { IN_STREAM, STREAM_OF, type Stream } from "../pace/stream.ts";
import { TO_APPLE_RELAY } from "../smtp/status.ts";

/* What sender, brake, reports and events read of the table `letter`. Times are ISO 8601 in UTC. */

/** SQL for the letters whose ids come first in the rows of `$1`. */
const ofLetters = ({ jsonRows }: Dialect) =>
	`${jsonRows} JOIN letter ON letter.id = value->>0 AND letter.id <> ''`;

/** A letter that a mail server answered for good. */
export interface LatestLetter {
	key: string;
	endedAt: string;
	/** When it came back, ISO 8601; '' where it was taken. */
	bouncedAt: string;
	/** When its person complained; '' where they did not. */
	complainedAt: string;
}

/**
 * The last `most` letters of a stream that a mail server answered for good since the operator last said
 * `release`, the earliest first. A letter that a report brought back counts at the time it was sent.
 */
export const latestOf = (stream: Stream, most: number) =>
	statement<LatestLetter>(`SELECT ended.email_key AS "key", ended_at AS "endedAt",
			CASE WHEN state = 'refused' THEN bounced_at ELSE '' END AS "bouncedAt",
			CASE WHEN ${HAS_COMPLAINED} THEN COALESCE(NULLIF(left_at, ''), ended_at) ELSE '' END AS "complainedAt"
		FROM (
			SELECT email_key, state, code, reason, ended_at FROM letter
			WHERE ${IN_STREAM[stream]} AND ended_at <> '' AND id <> '' AND state IN ('accepted', 'refused')
				AND ended_at > COALESCE(${RELEASED_AT}, '')
			ORDER BY ended_at DESC LIMIT ${most}
		) AS ended
		LEFT JOIN recipient ON recipient.email_key = ended.email_key
			AND ((state = 'refused' AND ${BOUNCED_BY_LETTER}) OR ${HAS_COMPLAINED})
		WHERE state = 'accepted' OR recipient.email_key IS NOT NULL
		ORDER BY ended_at, ended.email_key`);

/** The streams of letters that were tried: those with a dead address, and slowed ones. @param rows JSON: id, "dead" or "" */
export const streamsOfTried = (dialect: Dialect, rows: string) =>
	statement<{ stream: Stream }>(
		`SELECT DISTINCT ${STREAM_OF} AS stream FROM ${ofLetters(dialect)}
		WHERE value->>1 = 'dead' OR ${STREAM_OF} IN ${SLOWED_STREAMS}`,
		rows,
	);

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
	recipient: string;
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
		`SELECT CAST(value->>0 AS INTEGER) AS n, letter.id AS letter, recipient.id AS recipient,
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

/** The letters that a turn has taken, with what writing them needs. */
export const readTaken = prepare<[claim: string], TakenLetter>(
	`SELECT letter.id, letter.kind, wave, letter.email_key AS "key", attempts, email,
		recipient.id AS recipient, expires_at AS "expiresAt",
		COALESCE(subject, '') AS subject, COALESCE(message, '') AS message
	FROM letter
	JOIN registration ON registration.email_key = letter.email_key
	JOIN recipient ON recipient.email_key = letter.email_key
	LEFT JOIN wave ON wave.name = letter.wave
	WHERE letter.${takenAs("$1")}`,
);

/** SQL for the ids of letters. */
export const idsWhere = (which: string) => `SELECT id FROM letter WHERE ${which}`;

/** When a letter last ended, ISO 8601; '' where none has. */
export async function lastEnd(query: Query): Promise<string> {
	const [row] = await query<{ time: string | null }>(
		"SELECT max(ended_at) AS time FROM letter WHERE ended_at <> ''",
	);
	return row?.time ?? "";
}

/** SQL for a letter to one of the domains in `$1`, or below it. */
export const toDomains = ({ jsonRows }: Dialect) => `EXISTS (
	SELECT 1 FROM ${jsonRows}
	WHERE email_key LIKE '%@' || (value->>0) OR email_key LIKE '%.' || (value->>0)
)`;

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
