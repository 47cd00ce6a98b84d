import { type Dialect, firstsOf, keysAsJson, keysOf, ofPeople } from "../../database/dialect.ts";
import { inPages, isAnyRow } from "../../database/rows.ts";
import { prepare, type Query } from "../../database/statement.ts";
import type { Wave, WaveState } from "../wave/wave.ts";
import { readGap } from "./gaps.ts";
import {
	columns,
	isInvitation,
	type LetterRow,
	ONE_INVITATION,
	type Reason,
	SENT_AT,
	SHOWN_CODE,
} from "./letter.ts";

/** An invitation as an export has it. Times are ISO 8601; '' is never. */
export interface KnownInvitation {
	key: string;
	wave: string;
	/** When its letter went out; '' where it was still to be sent. */
	invitedAt: string;
	/** When it may have gone out: nobody knows whether it arrived. */
	unknownAt: string;
	expiresAt: string;
	redeemedAt: string;
}

/* Reads of the table `letter` for copies, invitations and the operator. Others: tried-letters.ts, letter-counts.ts. */

/** Whether there is any letter. */
export const hasLetters = (query: Query) => isAnyRow(query, "letter");

/** The person of each letter in a condition in SQL. @param rows of people, as keysAsJson gives them */
export async function peopleOfLetters(
	query: Query,
	dialect: Dialect,
	rows: string,
	condition: string,
): Promise<string[]> {
	return keysOf(
		await query<{ key: string }>(
			`SELECT email_key AS "key" FROM letter WHERE ${condition} AND ${ofPeople(dialect)}`,
			[rows],
		),
	);
}

/** SQL for the keys of those with a letter in a condition in SQL. */
export const withLetter = (which: string) => `(SELECT letter.email_key FROM letter WHERE ${which})`;

/** The letters of people, in the order of kind and wave. */
export function lettersOf(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<LetterRow[]> {
	return query(
		`SELECT ${columns.map(([field, column]) => `${column} AS "${field}"`).join(", ")} FROM letter
		WHERE ${ofPeople(dialect)} ORDER BY kind, wave`,
		[keysAsJson(keys)],
	);
}

/** A letter that the mail server puts off, or put off until it was given up. */
export interface TroubledLetter {
	email: string;
	kind: string;
	state: string;
	/** The codes of the last answer, as in `550 5.7.1`, the name of an error, or a {@link Reason}. */
	code: string;
	attempts: number;
	/** When it is tried again, or was given up, ISO 8601. */
	time: string;
}

/** The last `most` letters that were put off or given up, the latest first. */
export function troubledLetters(
	query: Query,
	{ mostTries, most }: { mostTries: number; most: number },
): Promise<TroubledLetter[]> {
	const last = (which: string) =>
		`SELECT * FROM (SELECT email_key, kind, state, ${SHOWN_CODE} AS code, attempts, next_at FROM letter
			WHERE ${which} ORDER BY next_at DESC, email_key LIMIT ${most}) AS last`;
	return query(
		`SELECT email, kind, state, code, attempts, next_at AS time FROM (
			${last("state = 'deferred'")}
			UNION ALL ${last(`state = 'refused' AND attempts >= ${mostTries}`)}
		) AS troubled JOIN registration ON registration.email_key = troubled.email_key
		ORDER BY next_at DESC, email LIMIT ${most}`,
	);
}

/** A letter that may have arrived. */
export interface UnknownLetter {
	email: string;
	kind: string;
	/** When its sender was last heard of, ISO 8601. */
	time: string;
}

/** The letters of which nobody knows whether they arrived, the earliest first. */
export function unknownLetters(query: Query): Promise<UnknownLetter[]> {
	return query(
		`SELECT email, kind, ended_at AS time FROM letter
		JOIN registration ON registration.email_key = letter.email_key
		WHERE state = 'unknown' ORDER BY ended_at, letter.email_key`,
	);
}

/** Which of these people have a letter that is known as sent, or one of a wave. */
export async function keysWithSent(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
	wave: Wave | undefined,
): Promise<string[]> {
	return keysOf(
		await query(
			`SELECT DISTINCT email_key AS "key" FROM letter
			WHERE (state = 'accepted' OR redeemed_at <> '') ${wave ? "AND wave = $2" : ""}
				AND ${ofPeople(dialect)}`,
			[keysAsJson(keys), ...(wave ? [wave.name] : [])],
		),
	);
}

/** The people of the letters with these ids, by id. */
export async function peopleByLetter(
	query: Query,
	dialect: Dialect,
	ids: readonly string[],
): Promise<Map<string, string>> {
	const rows = await query<{ id: string; key: string }>(
		`SELECT id, email_key AS "key" FROM letter
		WHERE id <> '' AND id IN ${firstsOf(dialect)}`,
		[keysAsJson(ids)],
	);
	return new Map(rows.map(({ id, key }) => [id, key]));
}

const INVITED_ROWS = 200;

/** The people whose invitation went out before a time, ISO 8601, a page at a time. */
export async function* pagesOfInvited(query: Query, before: string): AsyncGenerator<string[]> {
	const pages = inPages<{ sentAt: string; key: string }>(INVITED_ROWS, (after) =>
		query(
			`SELECT email_key AS "key", ended_at AS "sentAt" FROM letter
			WHERE ended_at <> '' AND (ended_at, email_key) > ($1, $2) AND ended_at < $3
				AND ${isInvitation("letter")} AND ${SENT_AT} <> ''
			ORDER BY ended_at, email_key LIMIT ${INVITED_ROWS}`,
			[after?.sentAt ?? "", after?.key ?? "", before],
		),
	);
	for await (const page of pages) yield keysOf(page);
}

/**
 * When a code stops to work. A cancelled wave ends its codes, because an export has no column for the
 * state of a wave.
 */
const ENDS_AT = `CASE WHEN wave.state = 'cancelled' AND wave.changed_at < expires_at
	THEN wave.changed_at ELSE expires_at END`;

/** SQL for a letter of which nobody knows whether it arrived. */
const MAY_HAVE_ARRIVED = "letter.state = 'unknown' AND letter.redeemed_at = ''";

/** The invitations of people, each person's latest one. */
export function invitationsOf(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
): Promise<KnownInvitation[]> {
	return query(
		`SELECT email_key AS "key", letter.wave, ${ENDS_AT} AS "expiresAt",
			redeemed_at AS "redeemedAt",
			CASE WHEN ${MAY_HAVE_ARRIVED} THEN '' ELSE ${SENT_AT} END AS "invitedAt",
			CASE WHEN ${MAY_HAVE_ARRIVED} THEN ended_at ELSE '' END AS "unknownAt"
		FROM letter JOIN wave ON wave.name = letter.wave
		WHERE ${ofPeople(dialect)} AND ${isInvitation("letter")}
		ORDER BY letter.asked_at`,
		[keysAsJson(keys)],
	);
}

/** A wave that invited a person, or may have. */
export interface Invited {
	wave: string;
	/** Until when the code is good, ISO 8601; '' before its letter is sent. */
	expiresAt: string;
	/** For how many days it is, from then on. */
	days: number;
	/** The latest moment of a gap that the wave was there in, ISO 8601; '' where there is none. */
	gapUntil: string;
}

/**
 * The waves that invited a person, or may have. A restored list does not know all that was sent, so any
 * wave that was asked for before the end of a gap may have invited them.
 *
 * @param key a canonical address; "" is nobody's
 */
export async function wavesThatInvited(query: Query, key: string): Promise<Invited[]> {
	const gap = await readGap(query);
	return query(
		`SELECT wave.name AS wave, COALESCE(expires_at, '') AS "expiresAt", valid_days AS days,
			CASE WHEN wave.asked_at < $2 THEN $2 ELSE '' END AS "gapUntil"
		FROM wave
		LEFT JOIN letter ON letter.email_key = $1 AND letter.kind = 'invitation' AND letter.wave = wave.name
		WHERE wave.kind = 'invitation'
			AND (letter.email_key IS NOT NULL OR wave.asked_at < $2)`,
		[key, gap?.until ?? ""],
	);
}

/** An invitation and its person. Times are ISO 8601. */
export interface RedeemFacts {
	email: string;
	source: string;
	joinedAt: string;
	/** Null or '' where they have not. */
	confirmedAt: string | null;
	invitedAt: string;
	/** When the code was redeemed, now or before; '' where it was not. */
	redeemedAt: string;
	waveState: WaveState;
}

/** SQL for the letters to a row's person, for EXISTS. */
export const letterTo = (row: "registration") =>
	`SELECT 1 FROM letter WHERE letter.email_key = ${row}.email_key`;

/** The invitation of a person in a wave. */
export const readInvitation = prepare<[key: string, wave: string], RedeemFacts>(
	`SELECT email, source, created_at AS "joinedAt", confirmed_at AS "confirmedAt",
		${SENT_AT} AS "invitedAt", redeemed_at AS "redeemedAt", wave.state AS "waveState"
	FROM letter
	JOIN registration ON registration.email_key = letter.email_key
	JOIN wave ON wave.name = letter.wave
	LEFT JOIN recipient ON recipient.email_key = letter.email_key
	WHERE ${ONE_INVITATION}`,
);
