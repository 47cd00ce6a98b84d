import { prepare, statement } from "../../database/database.ts";
import { ASKED_MAILBOX } from "../../database/schema.ts";
import { HAS_LEFT } from "../../waitlist/recipients.ts";
import { BY_ID } from "../letter.ts";
import type { Pause } from "./pause.ts";
import { STREAM_OF, type Stream } from "./stream.ts";

/*
 * Every statement about the tables `outbox` (one row at most, which senders lock), `brake` (a row for each
 * stream that was slowed) and `asked_mailbox`. Times are ISO 8601 in UTC, `free_at` and `spread` in µs.
 */

/** Locks the outbox until the transaction ends, and makes its row the first time. */
export const LOCK = "INSERT INTO outbox (one) VALUES (1) ON CONFLICT (one) DO UPDATE SET one = 1";

/** SQL for when a letter last passed, and when the operator last said `release`. */
export const PASSED_AT = "(SELECT passed_at FROM outbox)";
export const RELEASED_AT = "(SELECT released_at FROM outbox)";

/** SQL for whether a pause of ours lasts at a time in SQL. */
export const isResting = (now: string) =>
	`EXISTS (SELECT 1 FROM outbox WHERE pauses > 0 AND paused_until > ${now})`;

/** SQL for whether there is something to do, and the pause at the time `$1`. @param isDue in SQL */
export const lookWhether = (isDue: string) => `SELECT CASE WHEN ${isDue} THEN 1 ELSE 0 END AS due,
	(SELECT paused_until FROM outbox WHERE paused_until > $1) AS until,
	(SELECT reason FROM outbox) AS reason, (SELECT cause FROM outbox) AS cause`;

/** The pause that there is at a time. */
export const readPauseAt = prepare<[now: string], Pause>(
	"SELECT paused_until AS until, reason, cause FROM outbox WHERE paused_until > $1",
);

/** Pauses all letters. A longer pause stays. */
export const beginPause = prepare<[until: string, reason: string, cause: string]>(
	"UPDATE outbox SET paused_until = $1, reason = $2, cause = $3 WHERE paused_until < $1",
);

/** Ends the pause of all letters. */
export const clearPause = prepare<[now: string]>(
	"UPDATE outbox SET paused_until = '', reason = '', pauses = 0, released_at = $1",
);

/**
 * SQL that pauses for a cause, `$1`, and a reason, `$2`, unless there is a pause at `$3`. Gives a row if the
 * pause began.
 *
 * @param until its end by the number of pauses before, in SQL
 */
export const restUntil = (until: string, condition: string) => `UPDATE outbox
	SET pauses = pauses + 1, cause = $1, reason = $2, paused_until = ${until}
	WHERE paused_until <= $3 AND ${condition} RETURNING one`;

/** SQL that forgets the pauses of before, once they are over at `$2`, on a condition in SQL. */
export const forgetPauses = (condition: string) =>
	`UPDATE outbox SET pauses = 0 WHERE pauses > 0 AND paused_until <= $2 AND ${condition}`;

/** Notes that a letter passed. */
export const notePassed = prepare<[now: string]>("UPDATE outbox SET passed_at = $1");

/** Notes that a letter passed while there is a ramp: the first letter of a step begins its day. */
export const notePassedOnRamp = prepare<[now: string]>(`UPDATE outbox SET passed_at = $1,
	stepped_at = CASE stepped_at WHEN '' THEN $1 ELSE stepped_at END`);

/** The outbox as a turn leaves it. */
export interface OutboxRow {
	/** Pauses since a letter last passed. */
	pauses: number;
	step: number;
	steppedAt: string;
}

export const readOutbox = prepare<[], OutboxRow>(
	'SELECT pauses, step, stepped_at AS "steppedAt" FROM outbox',
);

/** Takes the next step of a ramp. Of concurrent calls one updates the row. */
export const climbFrom = prepare<[step: number, steppedAt: string]>(
	`UPDATE outbox SET step = step + 1, stepped_at = ''
	WHERE step = CAST($1 AS INT) AND stepped_at = $2`,
);

/** The clock of the rate, as text: a number in JavaScript does not hold 64 bits. */
export const readClock = prepare<[], { free: string; spread: string }>(
	"SELECT CAST(free_at AS TEXT) AS free, CAST(spread AS TEXT) AS spread FROM outbox",
);

/** SQL that sets the clock to another rate. @param furthest the latest time that may be kept, in SQL */
export const adoptRate = (spread: number, freeAt: string, furthest: string) =>
	`UPDATE outbox SET spread = ${spread}, free_at = ${freeAt}
	WHERE spread <> ${spread} OR free_at > ${furthest}`;

/** SQL that advances the clock from now by some letters. @param letters their number, in SQL */
export const advanceClock = (spread: number, now: string, letters: string) =>
	`UPDATE outbox SET free_at = CASE WHEN free_at > ${now} THEN free_at ELSE ${now} END
		+ ${spread} * ${letters}`;

/** SQL that sets the clock back by some letters. */
export const setClockBack = (letters: string) =>
	`UPDATE outbox SET free_at = free_at - spread * ${letters}`;

/**
 * SQL for the tables `may` and `allowed` of WITH: how many letters a turn may take at `$1`, how many of
 * these are reserved, and whether a single one tries whether the mail server takes it (`probes`).
 *
 * @param letters how many the rate allows, in SQL
 * @param reserved how many of `letters`, in SQL
 * @param isBusy whether a letter is under way, in SQL
 */
export const allowance = (
	letters: string,
	reserved: string,
	isBusy: string,
) => `may(letters, probes) AS (
		SELECT CASE WHEN paused_until > $1 OR (pauses > 0 AND ${isBusy}) THEN 0
				WHEN pauses > 0 AND ${letters} > 0 THEN 1 ELSE ${letters} END,
			CASE WHEN pauses > 0 THEN 1 ELSE 0 END
		FROM outbox
	), allowed AS (
		SELECT letters, probes, CASE probes WHEN 0 THEN ${reserved} ELSE letters END AS reserved FROM may
	)`;

/** What a copy brings of an outbox. */
export interface CopiedOutbox {
	free: string;
	spread: string;
	until: string;
	reason: string;
	cause: string;
	released: string;
	passed: string;
	step: number;
	stepped: string;
}

export const readForCopy = prepare<[], CopiedOutbox>(
	`SELECT CAST(free_at AS TEXT) AS free, CAST(spread AS TEXT) AS spread, paused_until AS until, reason, cause,
		released_at AS released, passed_at AS passed, step, stepped_at AS stepped FROM outbox`,
);

/** Merges an outbox of a copy: see copyOutbox. */
export const mergeOutbox = (row: CopiedOutbox) => [
	statement(
		`INSERT INTO outbox (one, free_at, spread, paused_until, reason, cause, released_at)
		VALUES (1, CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, $4, $5, $6)
		ON CONFLICT (one) DO UPDATE SET free_at = excluded.free_at, spread = excluded.spread,
			paused_until = excluded.paused_until, reason = excluded.reason, cause = excluded.cause,
			released_at = excluded.released_at
		WHERE excluded.released_at > outbox.released_at
			OR (excluded.released_at = outbox.released_at AND excluded.paused_until > outbox.paused_until)`,
		...[row.free, row.spread, row.until, row.reason, row.cause, row.released],
	),
	statement("UPDATE outbox SET passed_at = $1 WHERE passed_at < $1", row.passed),
	statement(
		"UPDATE outbox SET step = CAST($1 AS INT), stepped_at = $2 WHERE step < CAST($1 AS INT)",
		...[row.step, row.stepped],
	),
];

/** A stream as its brake has it. */
export interface BrakeRow {
	stream: Stream;
	slowed: number;
	letters: number;
	dead: number;
	complaints: number;
}

/** SQL for the names of the streams that are slowed. */
export const SLOWED_STREAMS = "(SELECT stream FROM brake WHERE slowed > 1)";

/** The streams that are slowed. */
export const slowedStreams = prepare<[], BrakeRow>(
	`SELECT stream, slowed, letters, dead, complaints FROM brake WHERE slowed > 1 ORDER BY stream`,
);

/** SQL for the room of a slowed stream, one row: how many `letters` may leave, in SQL. No row where it is not slowed. */
export const roomIn = (stream: Stream, letters: string) =>
	`SELECT ${letters} AS letters FROM brake WHERE stream = '${stream}' AND slowed > 1`;

/** SQL that moves the time at which the next letter of slowed streams may leave. @param freeAt in SQL */
export const moveBrakes = (freeAt: string) =>
	`UPDATE brake SET free_at = ${freeAt} WHERE slowed > 1`;

/** SQL for a letter of the stream of a brake. */
export const OF_BRAKE = `${STREAM_OF} = brake.stream`;

/** Keeps a verdict. A stream that was as fast as the rate has nothing to catch up with. */
export const keepBrake = (
	{ stream, slowed, letters, dead, complaints }: BrakeRow,
	freeAt: number,
) =>
	statement(
		`INSERT INTO brake (stream, slowed, letters, dead, free_at, complaints)
		VALUES ($1, CAST($2 AS INT), CAST($3 AS INT), CAST($4 AS INT), CAST($5 AS BIGINT), CAST($6 AS INT))
		ON CONFLICT (stream) DO UPDATE
		SET slowed = excluded.slowed, letters = excluded.letters, dead = excluded.dead,
			complaints = excluded.complaints,
			free_at = CASE brake.slowed WHEN 1 THEN excluded.free_at ELSE brake.free_at END`,
		...[stream, slowed, letters, dead, freeAt, complaints],
	);

/** SQL for the letters that were counted for their mailbox. */
export const COUNTED_LETTERS = `(SELECT letter FROM ${ASKED_MAILBOX})`;

/** Counts an email `since` a time, unless its mailbox had `most`, or it asks a person to confirm who has left. */
export const countAsked = (most: number) =>
	prepare<[id: string, mailbox: string, now: string, since: string]>(
		`INSERT INTO ${ASKED_MAILBOX} (letter, mailbox, asked_at)
		SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT) WHERE ${most} > (
			SELECT count(*) FROM ${ASKED_MAILBOX} WHERE mailbox = $2 AND asked_at > $4
		) AND NOT EXISTS (
			SELECT 1 FROM recipient WHERE mailbox = $2 AND ${HAS_LEFT}
			AND 'confirm' = (SELECT kind FROM letter WHERE ${BY_ID})
		)
		ON CONFLICT (letter) DO NOTHING`,
	);

/** Deletes what no longer counts. */
export const sweepAsked = prepare<[until: string]>(
	`DELETE FROM ${ASKED_MAILBOX} WHERE asked_at <= $1`,
);
