import { randomUUID } from "node:crypto";
import type { Rate } from "../settings.ts";
import type { Dialect } from "../waitlist/schema.ts";
import type { Run, Statement } from "../waitlist/waitlist.ts";
import type { TakenLetter, TriedLetter } from "./letter.ts";
import { REASON_NOT_TO_SEND, wavesIn } from "./wave.ts";

/** Why nothing is sent, and until when. */
export interface Pause {
	/** ISO 8601; {@link UNTIL_RELEASED} where only the operator ends it. */
	until: string;
	/** A sentence for the operator. */
	reason: string;
}

/** What a turn gives the sender. */
export interface Turn {
	/** Taken by this sender, and on disk as being sent. */
	letters: TakenLetter[];
	/** How many were taken whose person gets none any more. */
	turnedAway: number;
	/** How many letters nobody knows about: whoever was sending them is gone. */
	lost: number;
	/** Whether too many letters came back, so that the outbox is paused from now on. */
	stopped: boolean;
}

/** The letters with their state, in the waitlist's database. Copies of the server share it. */
export interface Outbox {
	/** Whether a turn has something to do, and the pause if there is one. It only reads. */
	look(): Promise<{ due: boolean; pause: Pause | undefined }>;
	/**
	 * In one transaction: writes down what became of letters, and takes the next ones, as rate and
	 * pause allow. After an error the same may be said again.
	 *
	 * @param most how many to take
	 */
	turn(tried: readonly TriedLetter[], most: number): Promise<Turn>;
	/** Sends nothing for a while. A longer pause stays. */
	pause(pause: Pause): Promise<void>;
}

/** Later than every time. */
export const UNTIL_RELEASED = "9999-12-31T23:59:59.999Z";

/**
 * How long a letter may be in the hands of a sender. After that nobody knows what became of it. A
 * try ends within two minutes, and the clocks of copies may differ.
 */
const LEASE_MS = 5 * 60_000;

/** A letter that is still to be sent. */
export const UNSENT = "letter.state IN ('waiting', 'deferred')";

/** What can be taken, in the words of its two indexes: letters that ask to confirm, and those of waves. */
const TO_SEND = [`wave = '' AND held = 0 AND ${UNSENT}`, `wave <> '' AND held = 0 AND ${UNSENT}`];

/**
 * SQL for how many letters are to be sent that nobody holds.
 *
 * @param also a condition, in SQL
 */
export const countToSend = (also = "true") =>
	`CAST(${TO_SEND.map((some) => `(SELECT count(*) FROM letter WHERE ${some} AND ${also})`).join(" + ")} AS INTEGER)`;

/** One letter, in the words of the index `letter_by_id`. */
export const BY_ID = "id = $1 AND id <> ''";

/** Whether a turn has taken letters before, and was interrupted when they were on disk. */
const TAKEN = "EXISTS (SELECT 1 FROM letter WHERE state = 'sending' AND claim = $2)";

/** Locks the outbox until the transaction ends, and makes its row the first time. */
export const LOCK = "INSERT INTO outbox (one) VALUES (1) ON CONFLICT (one) DO UPDATE SET one = 1";

const LOOK = `SELECT
	CASE WHEN ${TO_SEND.map((some) => `EXISTS (SELECT 1 FROM letter WHERE ${some} AND next_at <= $1)`).join(" OR ")}
		OR EXISTS (SELECT 1 FROM letter WHERE state = 'sending' AND lease_until < $1)
		THEN 1 ELSE 0 END AS due,
	(SELECT paused_until FROM outbox WHERE paused_until > $1) AS until,
	(SELECT reason FROM outbox) AS reason`;

/**
 * The result of a try may come after the lease has ended. A try that ends in waiting was none: the
 * mail server did not hear of the letter.
 */
const WRITE = `UPDATE letter
	SET state = $2, next_at = $3, ended_at = $4, code = $5, version = $6, lease_until = '', claim = '',
		attempts = attempts - CASE WHEN $2 = 'waiting' THEN 1 ELSE 0 END
	WHERE ${BY_ID} AND state IN ('sending', 'unknown')`;

const LOSE = `UPDATE letter SET state = 'unknown', lease_until = '', claim = '', ended_at = $1
	WHERE state = 'sending' AND lease_until < $1 RETURNING id`;

/**
 * Says why, of what was just taken. It has no time at which it ended, and no try: nobody heard of it.
 * So it does not count where bounces are counted. The kind tells waves here: with `wave <> ''` SQLite
 * would read all letters of waves in each turn.
 */
const TURN_AWAY = `UPDATE letter
	SET state = 'refused', code = ${REASON_NOT_TO_SEND}, claim = '', lease_until = '',
		attempts = attempts - 1, expires_at = CASE attempts WHEN 1 THEN '' ELSE expires_at END
	WHERE state = 'sending' AND claim = $1 AND kind <> 'confirm' AND ${REASON_NOT_TO_SEND} <> ''
	RETURNING id`;

const PAUSE = `UPDATE outbox SET paused_until = $1, reason = $2 WHERE paused_until < $1`;

/**
 * Opens the outbox of a waitlist.
 *
 * @param rate letters in each period; undefined is no limit
 */
export function openOutbox(
	run: Run,
	{
		dialect,
		rate,
		now = Date.now,
	}: { dialect: Dialect; rate: Rate | undefined; now?: () => number },
): Outbox {
	const { take, advance } = takeStatements(dialect, rate);
	const meet = `INSERT INTO recipient (email_key, id)
		SELECT email_key, ${dialect.randomId} FROM letter WHERE state = 'sending' AND claim = $1
		ON CONFLICT (email_key) DO NOTHING`;
	const read = `SELECT letter.id, letter.kind, wave, letter.email_key AS "key", attempts, email,
			recipient.id AS recipient, expires_at AS "expiresAt",
			COALESCE(subject, '') AS subject, COALESCE(message, '') AS message
		FROM letter
		JOIN registration ON registration.email_key = letter.email_key
		JOIN recipient ON recipient.email_key = letter.email_key
		LEFT JOIN wave ON wave.name = letter.wave
		WHERE letter.state = 'sending' AND claim = $1`;
	const copy = randomUUID();
	let turns = 0;

	return {
		async look() {
			const [[found]] = (await run([{ sql: LOOK, parameters: [isoOf(now())] }])) as [
				[{ due: number; until: string | null; reason: string }],
			];
			const { due, until, reason } = found;
			return { due: due === 1, pause: until === null ? undefined : { until, reason } };
		},
		async turn(tried, most) {
			const ms = now();
			const iso = isoOf(ms);
			// An interrupted turn may have taken letters: with its name the next one finds them.
			const claim = `${copy} ${turns}`;
			const moment = { claim, ms, most };
			const written = tried.flatMap((letter) => writeStatements(letter, iso));
			const stop = tried.some(({ bounced }) => bounced) ? [stopStatement()] : [];
			const results = await run([
				{ sql: LOCK },
				...written,
				...stop,
				{ sql: LOSE, parameters: [iso] },
				take(moment),
				{ sql: TURN_AWAY, parameters: [claim] },
				{ sql: meet, parameters: [claim] },
				...advance(moment),
				{ sql: read, parameters: [claim] },
			]);
			turns += 1;
			const afterWritten = 1 + written.length;
			return {
				letters: results.at(-1) as TakenLetter[],
				turnedAway: results[afterWritten + stop.length + 2]!.length,
				lost: results[afterWritten + stop.length]!.length,
				stopped: stop.length > 0 && results[afterWritten]!.length > 0,
			};
		},
		async pause({ until, reason }) {
			await run([{ sql: LOCK }, { sql: PAUSE, parameters: [until, reason] }]);
		},
	};
}

/** A turn's place in time. */
interface Moment {
	/** Names what the turn takes. */
	claim: string;
	/** In ms since 1970. */
	ms: number;
	most: number;
}

/**
 * The statements that take letters. The rate is the generic cell rate algorithm (ITU-T I.371), kept
 * in the database, so that copies and restarts share it: `free_at` is the time in µs at which all
 * letters so far would have left one by one. A tenth may leave at once, and the others are spread so
 * that no period has more than the rate allows: mail servers count in periods of their own.
 */
function takeStatements({ takeRows, randomId, daysAfter }: Dialect, rate: Rate | undefined) {
	const most = "CAST($4 AS BIGINT)";
	// Whoever joins waits for no wave. The limits within tell PostgreSQL how few they are: it would read
	// all letters in each turn.
	const [confirming, ofWaves] = TO_SEND;
	const due = (place: number, some: string, limit: string) => `SELECT * FROM (
			SELECT ${place} AS place, kind, wave, email_key FROM letter WHERE ${some} AND next_at <= $1
			ORDER BY next_at
			LIMIT (
				SELECT CASE WHEN paused_until > $1 OR ${TAKEN} THEN 0 ELSE ${limit} END FROM outbox
			)
			${takeRows}
		) AS place${place}`;
	const takeUpTo = (limit: string) => `UPDATE letter
		SET state = 'sending', claim = $2, lease_until = $3, attempts = attempts + 1,
			id = CASE id WHEN '' THEN ${randomId} ELSE id END,
			expires_at = COALESCE((
				SELECT ${daysAfter("CAST($1 AS TEXT)", "valid_days")} FROM wave
				WHERE wave.kind = 'invitation' AND wave.name = letter.wave
			), '')
		WHERE (kind, wave, email_key) IN (
			SELECT kind, wave, email_key FROM (
				${due(1, confirming!, limit)}
				UNION ALL ${due(2, `${ofWaves} AND wave NOT IN ${wavesIn("paused")}`, limit)}
				ORDER BY place LIMIT ${most}
			) AS due
		)`;
	const parametersOf = ({ claim, ms, most }: Moment) => [
		isoOf(ms),
		claim,
		isoOf(ms + LEASE_MS),
		most,
	];
	if (!rate) {
		const sql = takeUpTo(most);
		return {
			take: (moment: Moment): Statement => ({ sql, parameters: parametersOf(moment) }),
			advance: (): Statement[] => [],
		};
	}
	const burst = Math.ceil(rate.count / 10);
	const spread = Math.ceil((rate.periodMs * 1000) / (rate.count - burst + 1));
	const later = (us: string) => `(CASE WHEN free_at > ${us} THEN free_at ELSE ${us} END)`;
	const now = "CAST($5 AS BIGINT)";
	const left = `((${now} + ${burst * spread} - ${later(now)}) / ${spread})`;
	const sql = takeUpTo(`CASE WHEN free_at > ${now} + ${(burst - 1) * spread} THEN 0
		WHEN ${left} < ${most} THEN ${left} ELSE ${most} END`);
	// A time that this rate would not have reached is from before the operator changed it.
	const since = "CAST($2 AS BIGINT)";
	const furthest = `${since} + ${burst * spread}`;
	const reached = `(CASE WHEN free_at > ${furthest} THEN ${furthest} ELSE ${later(since)} END)`;
	const advanced = `UPDATE outbox SET free_at = ${reached} + ${spread} * (
		SELECT count(*) FROM letter WHERE state = 'sending' AND claim = $1)`;
	return {
		take: (moment: Moment): Statement => ({
			sql,
			parameters: [...parametersOf(moment), moment.ms * 1000],
		}),
		advance: ({ claim, ms }: Moment): Statement[] => [
			{ sql: advanced, parameters: [claim, ms * 1000] },
		],
	};
}

/** A person may leave while a letter to them is on its way: it is not tried again. */
const REFUSE_LEFT = `UPDATE letter SET state = 'refused', code = 'left', ended_at = $2
	WHERE ${BY_ID} AND ${UNSENT} AND EXISTS (
		SELECT 1 FROM recipient WHERE recipient.email_key = letter.email_key AND left_at >= asked_at
	)`;

/** Writes down one try. Whoever has no mailbox gets no letter that still waits. */
function writeStatements(
	{ id, state, nextAt, code, version, bounced = false }: TriedLetter,
	now: string,
): Statement[] {
	const ended = nextAt === undefined ? now : "";
	const next = nextAt === undefined ? now : isoOf(nextAt);
	return [
		{ sql: WRITE, parameters: [id, state, next, ended, code, version] },
		...(nextAt === undefined ? [] : [{ sql: REFUSE_LEFT, parameters: [id, now] }]),
		...(bounced ? bounceStatements(id, code, now) : []),
	];
}

/** Notes that the person of a letter has no mailbox. */
export function bounceStatements(id: string, code: string, now: string): Statement[] {
	const person = `email_key IN (SELECT email_key FROM letter WHERE ${BY_ID})`;
	return [
		{
			sql: `UPDATE letter SET state = 'refused', code = $2 WHERE ${BY_ID}`,
			parameters: [id, code],
		},
		{
			sql: `UPDATE recipient SET bounced_at = $2, bounce = $3 WHERE ${person}`,
			parameters: [id, now, code],
		},
		{
			sql: `UPDATE letter SET state = 'refused', code = $2 WHERE ${person} AND ${UNSENT}`,
			parameters: [id, code],
		},
	];
}

/** The last letters that are looked at for bounces, and how many of them may come back. */
const LATEST = 100;
const MOST_BOUNCES = 5;

/**
 * Pauses the outbox until the operator says so, where too many letters came back: a provider that
 * sees this closes the account. Gives a row if it did.
 */
export function stopStatement(): Statement {
	const reason =
		`More than ${MOST_BOUNCES} of the last ${LATEST} letters came back because their address does ` +
		"not exist. Look at `waitlist letters` and at where these people came from, then `waitlist release`.";
	return {
		sql: `UPDATE outbox SET paused_until = $1, reason = $2
			WHERE paused_until < $1 AND ${MOST_BOUNCES} < (
				SELECT count(DISTINCT latest.email_key) FROM (
					SELECT email_key FROM letter
					WHERE ended_at <> '' AND ended_at > (SELECT released_at FROM outbox)
					ORDER BY ended_at DESC LIMIT ${LATEST}
				) AS latest
				JOIN recipient ON recipient.email_key = latest.email_key WHERE bounced_at <> ''
			) RETURNING one`,
		parameters: [UNTIL_RELEASED, reason],
	};
}

function isoOf(ms: number): string {
	return new Date(ms).toISOString();
}
