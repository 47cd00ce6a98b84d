import { type Query, type Statement, statement } from "../database/database.ts";
import { type Dialect, keysAsJson, ofPeople } from "../database/dialect.ts";
import { BY_ID, COMPLAINED, UNSENT } from "./letter.ts";
import { TO_APPLE_RELAY } from "./smtp/status.ts";
import { LEFT_ELSEWHERE, LEFT_SINCE_ASKED, personOf } from "./who-may.ts";

/*
 * What becomes of the letters of a person who confirms, leaves, complains, or has no mailbox.
 */

/** An earlier letter has arrived: what was to ask them once more need not. */
const ARRIVED = `UPDATE letter SET state = 'accepted', code = 'confirmed', ended_at = $2
	WHERE kind = 'confirm' AND ${UNSENT}
		AND email_key IN (SELECT email_key FROM recipient WHERE id = $1)`;

/** Their letters of waves go with those of the confirmed, which no stranger slows. */
const TRUST = `UPDATE letter SET unconfirmed = 0 WHERE unconfirmed = 1 AND ${UNSENT}
	AND email_key IN (SELECT email_key FROM recipient WHERE id = $1)`;

/**
 * For the transaction in which a person confirms.
 *
 * @param id of the recipient
 * @param time ISO 8601
 */
export function confirmStatements(id: string, time: string): Statement[] {
	return [statement(ARRIVED, id, time), statement(TRUST, id)];
}

/** @param which of the letters that are still to be sent, in SQL; `$2` is the time */
const refuseLeft = (which: string) => `UPDATE letter
	SET state = 'refused', code = 'left', held = 0, ended_at = $2 WHERE ${UNSENT} AND ${which}`;

const LEFT_MEANWHILE = refuseLeft(
	`${BY_ID} AND EXISTS (${personOf("letter")} AND ${LEFT_SINCE_ASKED})`,
);

/** A person may leave while a letter to them is on its way: it is not tried again. */
export function refuseLeftMeanwhile(id: string, time: string): Statement {
	return statement(LEFT_MEANWHILE, id, time);
}

/** Ends the letters of a person who leaves now. */
export async function refuseAllOf(query: Query, key: string, now: Date): Promise<void> {
	await query(refuseLeft("email_key = $1"), [key, now.toISOString()]);
}

/** Ends letters to people who have left, as a copy brings both in. */
export async function refuseOfLeft(
	query: Query,
	dialect: Dialect,
	keys: readonly string[],
	now: Date,
): Promise<void> {
	await query(
		refuseLeft(`${ofPeople(dialect)}
			AND EXISTS (${personOf("letter")} AND ${LEFT_ELSEWHERE})`),
		[keysAsJson(keys), now.toISOString()],
	);
}

/**
 * Notes that the person of a letter has no mailbox: they get no letter that still waits. Of Apple's relay
 * nothing is noted, which says so of people to senders that it does not know.
 *
 * @param id of the letter
 */
export function bounceStatements(id: string, code: string, now: string): Statement[] {
	const letter = `${BY_ID} AND NOT (${TO_APPLE_RELAY})`;
	const person = `email_key IN (SELECT email_key FROM letter WHERE ${letter})`;
	return [
		statement(`UPDATE letter SET state = 'refused', code = $2 WHERE ${letter}`, id, code),
		statement(`UPDATE recipient SET bounced_at = $2, bounce = $3 WHERE ${person}`, id, now, code),
		statement(
			`UPDATE letter SET state = 'refused', code = $2 WHERE ${person} AND ${UNSENT}`,
			...[id, code],
		),
	];
}

const COMPLAIN = `UPDATE letter SET state = 'accepted', code = '${COMPLAINED}'
	WHERE ${BY_ID} AND state IN ('accepted', 'unknown')`;

/**
 * Notes that the person of a letter called it spam, so that it has arrived.
 *
 * @param id of the letter
 */
export function complaintStatement(id: string): Statement {
	return statement(COMPLAIN, id);
}
