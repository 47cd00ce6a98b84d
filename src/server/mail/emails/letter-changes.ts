import { type Dialect, keysAsJson, ofPeople } from "../../database/dialect.ts";
import { collect, prepare, type Statement, statement } from "../../database/statement.ts";
import { HAS_CONFIRMED, personOf } from "../../registrations/recipients.ts";
import { TO_APPLE_RELAY } from "../smtp/status.ts";
import type { Wave } from "../wave/wave.ts";
import { codeExpiry, lettersIn, notBegunAt, OF_LIVE_WAVE, wavesIn } from "../wave/waves.ts";
import { type Audience, mayGet } from "./eligibility.ts";
import * as letter from "./letter.ts";
import { BY_ID, because, HELD, takenAs, UNSENT, UNTRIED } from "./letter.ts";
import * as whoMay from "./reachable.ts";

/* Every statement that writes the table `letter`: new rows, then a letter's way. Times are ISO 8601 in UTC. */

/** The person of a written letter. */
type Written = { key: string };

const PERSON = 'RETURNING email_key AS "key"';
const ONCE = "ON CONFLICT (email_key, kind, wave) DO NOTHING";

/** SQL that asks people to confirm, at a time in SQL. @param people rows with their keys: what follows FROM */
export const askFirst = (time: string, people: string) =>
	`INSERT INTO letter (kind, wave, email_key, state, asked_at, next_at)
		SELECT 'confirm', '', email_key, 'waiting', ${time}, ${time} FROM ${people} ${ONCE}`;

/** SQL that asks those who were `added` and have no mark, beside the statement that adds them. */
export const ASK_ADDED = `asked AS (${askFirst("created_at", "added WHERE flags = ''")})`;

/** SQL for a JSON row whose person is not `added`. */
export const NOT_ADDED = "value->>0 NOT IN (SELECT email_key FROM added)";

/**
 * SQL that makes the email of a kind due at `$2`, for the first time or once more, for people whose keys come
 * first in JSON rows.
 *
 * @param may which of the people, in SQL
 * @param mayAgain whose earlier email allows another one, in SQL
 */
export const askFor = (
	{ jsonRows, insertOrder }: Dialect,
	kind: whoMay.RequestedKind,
	{ may, mayAgain }: { may: string; mayAgain: string },
) => `INSERT INTO letter (kind, wave, email_key, state, asked_at, next_at)
	SELECT DISTINCT '${kind}', '', email_key, 'waiting', $2, $2
	FROM ${jsonRows} JOIN registration ON email_key = value->>0
	WHERE ${may} AND NOT EXISTS (${personOf("registration")} AND ${whoMay.notToAsk[kind]})
	${insertOrder && "ORDER BY email_key"}
	ON CONFLICT (email_key, kind, wave) DO UPDATE
	SET state = 'waiting', asks = letter.asks + 1, asked_at = $2, next_at = $2,
		attempts = 0, id = '', ended_at = '', code = '', reason = ''
	WHERE ${mayAgain} AND letter.held = 0 AND letter.state IN ('accepted', 'refused', 'unknown')`;

/** Adds letters of a wave to those of these people who may get one, and leaves out who is being erased. */
export function addLettersOf(
	dialect: Dialect,
	wave: Wave,
	{ keys, audience, now }: { keys: readonly string[]; audience: Audience; now: Date },
): Statement<Written> {
	const { name, kind, state, startsAt } = wave;
	const time = now.toISOString();
	const nextAt = [startsAt, time].sort().at(-1)!;
	const held = state === "paused" ? HELD.byWave : 0;
	const { parameters, put } = collect(keysAsJson(keys), kind, name, held, time, nextAt);
	// The column `unconfirmed` is the stream of a letter: see mail/rate/queues.ts.
	const sql = `INSERT INTO letter (email_key, kind, wave, state, held, asked_at, next_at, unconfirmed)
		SELECT email_key, $2, $3, 'waiting', CAST($4 AS INT), $5, $6,
			CASE WHEN EXISTS (${personOf("registration")} AND ${HAS_CONFIRMED}) THEN 0 ELSE 1 END
		FROM registration WHERE ${ofPeople(dialect)} AND ${mayGet(wave, audience, put)}
		${dialect.takeRows} ${ONCE} ${PERSON}`;
	return { sql, parameters };
}

/** Adds invitations to people who have none. @param rows JSON: key, wave, time, expiry, redemption, state, reason */
export const insertInvitations = ({ jsonRows, insertOrder }: Dialect, rows: string) =>
	statement<{ state: letter.LetterState }>(
		`INSERT INTO letter (email_key, kind, wave, state, reason, asked_at, next_at, ended_at, expires_at,
			redeemed_at)
		SELECT value->>0, 'invitation', value->>1, value->>5, value->>6, value->>2, value->>2, value->>2,
			value->>3, value->>4
		FROM ${jsonRows} WHERE NOT EXISTS (
			SELECT 1 FROM letter WHERE letter.email_key = value->>0 AND ${letter.isInvitation("letter")}
		) ${insertOrder} ${ONCE} RETURNING state`,
		rows,
	);

/** Adds letters of a wave that went out for people who have none. @param given keys as rows, now, wave, kind, expiry */
export const addSent = (dialect: Dialect, ...given: [string, string, string, string, string]) =>
	statement<Written>(
		`INSERT INTO letter (email_key, kind, wave, state, reason, asked_at, next_at, ended_at, expires_at)
		SELECT email_key, $4, $3, 'accepted', 'told', $2, $2, $2, $5
		FROM registration WHERE ${ofPeople(dialect)} ${dialect.takeRows} ${ONCE} ${PERSON}`,
		...given,
	);

/**
 * Adds an invitation that went out in a gap, or says when its code expires: the code proves that the
 * letter went out, by `latest` at the latest. Needs a registration: an erased person joins again first.
 */
export const proveInvitation = prepare<
	[key: string, wave: string, latest: string, expiresAt: string]
>(`INSERT INTO letter (email_key, kind, wave, state, reason, asked_at, next_at, ended_at, expires_at)
	SELECT email_key, 'invitation', $2, 'unknown', 'assumed', $3, $3, $3, $4
	FROM registration WHERE email_key = $1
	ON CONFLICT (email_key, kind, wave) DO UPDATE SET expires_at = excluded.expires_at
	WHERE letter.expires_at = ''`);

/**
 * Notes that a restored database cannot know which unsent emails went out since its backup: none is sent by
 * itself. A person is asked to confirm once more at most, as nobody knows how often they were asked.
 */
export const assumeSent = (dialect: Dialect, now: string, leastAsks: number) =>
	statement(
		`UPDATE letter SET state = 'unknown', ${because("assumed")}, held = 0, claim = '', lease_until = '',
			ended_at = $1, expires_at = ${codeExpiry(dialect, "$1")},
			asks = CASE WHEN wave = '' AND asks < CAST($2 AS INT) THEN CAST($2 AS INT) ELSE asks END
		WHERE ${UNSENT} OR letter.state = 'sending'`,
		now,
		leastAsks,
	);

/** Puts back what an interrupted turn took: no sender has heard of these letters. */
export const putBackTaken = prepare<[claim: string]>(
	`UPDATE letter SET state = 'waiting', ${UNTRIED} WHERE ${takenAs("$1")}`,
);

/** Marks letters as unknown whose lease has ended: their sender is gone. */
export const loseLetters = prepare<[now: string]>(
	`UPDATE letter SET state = 'unknown', lease_until = '', claim = '', ended_at = $1
	WHERE state = 'sending' AND lease_until < $1 RETURNING id`,
);

/**
 * Writes the result of a try, which may come after the lease has ended. A try that ends in waiting is not
 * counted: the mail server did not hear of the letter, or turned out to put off all letters.
 */
export const writeTry = prepare<
	[id: string, state: string, nextAt: string, endedAt: string, code: string, version: string],
	Written & { kind: string }
>(`UPDATE letter
	SET state = $2, next_at = $3, ended_at = $4, code = $5, reason = '', version = $6, lease_until = '', claim = '',
		attempts = attempts - CASE WHEN $2 = 'waiting' THEN 1 ELSE 0 END
	WHERE ${BY_ID} AND (state IN ('sending', 'unknown') OR (state = 'deferred' AND $2 = 'waiting'))
	${PERSON}, kind`);

/** Makes due what only waits: a clock that was ahead may have put it off. */
export const makeDue = prepare<[now: string]>(
	`UPDATE letter SET next_at = $1 WHERE held = 0 AND state = 'waiting' AND next_at > $1
		AND wave NOT IN ${notBegunAt("$1")}`,
);

const OF_RECIPIENT = "email_key IN (SELECT email_key FROM recipient WHERE id = $1)";

/** Notes that a letter has arrived, where another one was to ask the person once more. */
export const noteArrival = prepare<[recipient: string, now: string]>(
	`UPDATE letter SET state = 'accepted', ${because("confirmed")}, ended_at = $2
	WHERE kind = 'confirm' AND ${UNSENT} AND ${OF_RECIPIENT}`,
);

/** Moves a person's letters of waves to the stream of the confirmed, which no stranger slows. */
export const trustPerson = prepare<[recipient: string]>(
	`UPDATE letter SET unconfirmed = 0 WHERE unconfirmed = 1 AND ${UNSENT} AND ${OF_RECIPIENT}`,
);

/** @param which of the letters that are still to be sent, in SQL; `$2` is the time */
const refuseLeft = (which: string) => `UPDATE letter
	SET state = 'refused', ${because("left")}, held = 0, ended_at = $2 WHERE ${UNSENT} AND ${which}`;

/** Ends a letter whose person left while it was on its way, so that it is not tried again. */
export const refuseLeftMeanwhile = prepare<[id: string, now: string]>(
	refuseLeft(`${BY_ID} AND EXISTS (${personOf("letter")} AND ${whoMay.LEFT_SINCE_ASKED})`),
);

/** Ends the letters of a person who leaves now. */
export const refuseAllOf = prepare<[key: string, now: string]>(refuseLeft("email_key = $1"));

/** Ends letters to people who have left, as a copy brings both in. */
export const refuseOfLeft = (dialect: Dialect, keys: readonly string[], now: Date) =>
	statement(
		refuseLeft(`${ofPeople(dialect)}
			AND EXISTS (${personOf("letter")} AND ${whoMay.LEFT_ELSEWHERE})`),
		...[keysAsJson(keys), now.toISOString()],
	);

const BOUNCED = `${BY_ID} AND NOT (${TO_APPLE_RELAY})`;

/** SQL for the person of the bounced letter `$1`. Apple's relay answers for nobody: see status.ts. */
export const OF_BOUNCED = `email_key IN (SELECT email_key FROM letter WHERE ${BOUNCED})`;

/** Refuses a letter that bounced, and the letters that wait for its person. */
export const refuseBounced = (id: string, code: string): Statement[] =>
	[BOUNCED, `${OF_BOUNCED} AND ${UNSENT}`].map((which) =>
		statement(
			`UPDATE letter SET state = 'refused', code = $2, reason = '' WHERE ${which}`,
			id,
			code,
		),
	);

/** Notes that the person of a letter called it spam, so that it has arrived. */
export const noteComplaint = prepare<[id: string]>(
	`UPDATE letter SET state = 'accepted', ${because("complaint")}
	WHERE ${BY_ID} AND state IN ('accepted', 'unknown')`,
);

/**
 * Redeems an invitation. Of concurrent calls exactly one updates the row. The letter gets a time where it
 * has none (it is on its way, or waits to be sent again), because its code shows that it arrived.
 */
export const redeem = prepare<
	[key: string, wave: string, now: string, sentAt: string]
>(`UPDATE letter
	SET redeemed_at = $3, ended_at = CASE ended_at WHEN '' THEN $4 ELSE ended_at END
	WHERE ${letter.ONE_INVITATION} AND redeemed_at = '' AND expires_at > $3 AND ${OF_LIVE_WAVE}
	RETURNING wave`);

/** Redeems invitations as an export has them. @param rows JSON, as in {@link insertInvitations} */
export const redeemAll = ({ jsonRows }: Dialect, rows: string) =>
	statement(
		`UPDATE letter SET redeemed_at = (
			SELECT max(value->>4) FROM ${jsonRows} WHERE value->>0 = email_key AND value->>1 = wave
		) WHERE redeemed_at = '' AND kind = 'invitation' AND (email_key, wave) IN (
			SELECT value->>0, value->>1 FROM ${jsonRows} WHERE value->>4 <> ''
		)`,
		rows,
	);

/** Holds the letters to people that are still to be sent, or those of them that fit a condition in SQL. */
export const hold = (dialect: Dialect, keys: readonly string[], which = "true") =>
	statement<Written>(
		`UPDATE letter SET held = held | ${HELD.byOperator}
		WHERE NOT (${letter.HELD_BY_OPERATOR}) AND ${UNSENT} AND ${which} AND ${ofPeople(dialect)} ${PERSON}`,
		keysAsJson(keys),
	);

/** Lets the held letters of people go. @param rows their keys, as keysAsJson gives them */
export const letGo = (dialect: Dialect, rows: string) =>
	statement<Written>(
		`UPDATE letter SET held = held & ${HELD.byWave}
		WHERE ${ofPeople(dialect)} AND ${whoMay.RELEASABLE} ${PERSON}`,
		rows,
	);

/** Changes as many letters of a wave as its state wants while it is in that state; fewer when no other is left. */
export function changeLettersOf({ name, state }: Pick<Wave, "name" | "state">, most: number) {
	const { which, set } = lettersIn[state];
	return statement(
		`UPDATE letter SET ${set} WHERE (email_key, kind, wave) IN (
			SELECT email_key, kind, wave FROM letter
			WHERE wave = $1 AND wave <> '' AND wave IN ${wavesIn(state)} AND ${UNSENT} AND ${which}
			LIMIT ${most}
		) ${PERSON}`,
		name,
	);
}

/** Lets letters wait again, at `$2`, under the ids that they have. */
export const retry = (which: string, ...given: string[]) =>
	statement<Written>(
		`UPDATE letter SET state = 'waiting', held = held & ${HELD.byWave}, attempts = 0,
			ended_at = '', code = '', reason = '', next_at = $2
		WHERE ${which} AND NOT ${whoMay.UNWANTED} ${PERSON}`,
		...given,
	);

/**
 * Marks letters as sent, by now in `$2`. A code whose expiry is not known expires the wave's days after now,
 * because that is the latest moment at which its letter may have gone out.
 */
export const markSent = (dialect: Dialect, which: string, ...given: string[]) =>
	statement<Written>(
		`UPDATE letter SET state = 'accepted', ${because("told")}, held = 0,
			ended_at = CASE ended_at WHEN '' THEN $2 ELSE ended_at END,
			expires_at = CASE expires_at WHEN '' THEN ${codeExpiry(dialect, "$2")} ELSE expires_at END
		WHERE ${which} ${PERSON}`,
		...given,
	);

/**
 * Gives back, held, the letters of which a copy could only assume that they went out. Each gets a random
 * moment of the last second, because letters that had been refused together must not come first together.
 */
export const takeBackAssumed = ({ randomMs }: Dialect, now: Date) =>
	statement(
		`UPDATE letter SET state = 'waiting', held = ${HELD.byOperator}, reason = '', ended_at = '',
			expires_at = '', attempts = 0, next_at = $1 || ${randomMs} || 'Z'
		WHERE ${letter.IS_ASSUMED} AND redeemed_at = '' ${PERSON}`,
		new Date(now.getTime() - 1000).toISOString().slice(0, -"000Z".length),
	);

/** Deletes all letters of people. */
export const deleteLetters = (dialect: Dialect, keys: readonly string[]) =>
	statement(`DELETE FROM letter WHERE ${ofPeople(dialect)}`, keysAsJson(keys));
