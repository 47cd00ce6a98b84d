import { randomUUID } from "node:crypto";
import {
	type Database,
	type SharedDatabase,
	type Statement,
	statement,
} from "../../database/database.ts";
import type { MailSettings } from "../../settings.ts";
import { DAY_MS } from "../../time.ts";
import { REASON_NOT_TO_SEND } from "../eligibility.ts";
import { BY_ID, isoOf, type TakenLetter, type TriedLetter, UNTRIED } from "../letter.ts";
import {
	type Brake,
	heedBrake,
	judgeStreams,
	type SpeedChange,
	streamsToJudge,
} from "../pace/brake.ts";
import { keepRates } from "../pace/mail-rate.ts";
import type { Pause } from "../pace/pause.ts";
import { climb, isOver, type RampStep, ratesAt, readStep } from "../pace/ramp.ts";
import { putBackSlow, type SlowRoom } from "../pace/slow-domains.ts";
import { STREAMS, toSend } from "../pace/stream.ts";
import { learn, rest, type Trouble } from "../pace/trouble.ts";
import { shareWithWaves } from "../pace/wave-share.ts";
import { bounceStatements, refuseLeftMeanwhile } from "../person.ts";
import { takeStatement } from "./take.ts";

/** What a turn gives the sender. */
export interface Turn {
	/** Taken by this sender, and on disk as being sent. */
	letters: TakenLetter[];
	/** How many were taken whose person gets none any more. */
	turnedAway: number;
	/** How many were taken and wait again, because others are not to wait for them. */
	putBack: number;
	/** How many letters nobody knows about: whoever was sending them is gone. */
	lost: number;
	/** The streams that are slower or faster from now on. */
	speeds: SpeedChange[];
	/** Whether the mail server takes nothing from us, as far as we know: a letter tries whether it does. */
	probing: boolean;
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
	 * @param slow how many of these to slow domains, where there are any
	 */
	turn(tried: readonly TriedLetter[], most: number, slow?: SlowRoom): Promise<Turn>;
	/** Sends nothing for a while, longer each time until a letter passes. Gives whether that is new. */
	rest(trouble: Trouble): Promise<boolean>;
	/** What slows streams, at the rate of the last turn. */
	readonly brake: Brake;
}

/** Later than every time. */
export const UNTIL_RELEASED = "9999-12-31T23:59:59.999Z";

/** Locks the outbox until the transaction ends, and makes its row the first time. */
export const LOCK = "INSERT INTO outbox (one) VALUES (1) ON CONFLICT (one) DO UPDATE SET one = 1";

const LOOK = `SELECT
	CASE WHEN ${STREAMS.map((stream) => `EXISTS (SELECT 1 FROM letter WHERE ${toSend(stream)} AND next_at <= $1)`).join(" OR ")}
		OR EXISTS (SELECT 1 FROM letter WHERE state = 'sending' AND lease_until < $1)
		THEN 1 ELSE 0 END AS due,
	(SELECT paused_until FROM outbox WHERE paused_until > $1) AS until,
	(SELECT reason FROM outbox) AS reason, (SELECT cause FROM outbox) AS cause`;

/**
 * The result of a try may come after the lease has ended. A try that ends in waiting was none: the
 * mail server did not hear of the letter, or as is known later puts off all of them.
 */
const WRITE = `UPDATE letter
	SET state = $2, next_at = $3, ended_at = $4, code = $5, version = $6, lease_until = '', claim = '',
		attempts = attempts - CASE WHEN $2 = 'waiting' THEN 1 ELSE 0 END,
		doubted_at = CASE WHEN $2 = 'accepted' THEN '' ELSE doubted_at END
	WHERE ${BY_ID} AND (state IN ('sending', 'unknown') OR (state = 'deferred' AND $2 = 'waiting'))`;

const LOSE = `UPDATE letter SET state = 'unknown', lease_until = '', claim = '', ended_at = $1
	WHERE state = 'sending' AND lease_until < $1 RETURNING id`;

/**
 * Says why, of what was just taken. It has no time at which it ended, and no try: nobody heard of it.
 * So it does not count where bounces are counted. The kind tells waves here: with `wave <> ''` SQLite
 * would read all letters of waves in each turn.
 */
const TURN_AWAY = `UPDATE letter
	SET state = 'refused', code = ${REASON_NOT_TO_SEND}, ${UNTRIED}
	WHERE state = 'sending' AND claim = $1 AND kind <> 'confirm' AND ${REASON_NOT_TO_SEND} <> ''
	RETURNING id`;

/** Puts back what an interrupted turn took: no sender has heard of it. */
const PUT_BACK = `UPDATE letter SET state = 'waiting', ${UNTRIED}
	WHERE state = 'sending' AND claim = $1`;

/** Of the outbox, after a turn. */
interface AfterTurn extends RampStep {
	pauses: number;
}

const AFTER = 'SELECT pauses, step, stepped_at AS "steppedAt" FROM outbox';

/** When the first confirmation that waits was due. */
const OLDEST = `SELECT min(next_at) AS oldest FROM letter WHERE ${toSend("confirmations")}`;

/**
 * How often to ask for the oldest letter, and whether a ramp that is kept at its step may climb. In each
 * turn, the oldest letter made one half slower on PostgreSQL, which passes what was taken before.
 */
const SELDOM_MS = 60_000;

/**
 * Opens the outbox of a waitlist.
 *
 * @param rate letters in each period; undefined is no limit
 * @param ramp letters of each day; undefined is no ramp
 */
export function openOutbox(
	database: SharedDatabase,
	{
		now = Date.now,
		...mail
	}: Pick<MailSettings, "rate"> & Partial<Pick<MailSettings, "ramp">> & { now?: () => number },
): Outbox {
	const { dialect, query, run } = database;
	const { rate, ramp } = mail;
	const share = shareWithWaves(query);
	let ramped: RampStep | undefined;
	let askedAt = Number.NEGATIVE_INFINITY;
	let lookedAt = Number.NEGATIVE_INFINITY;
	let newestFirst = false;
	let pace = paceAt(0);

	/** What a step of the ramp allows. */
	function paceAt(step: number) {
		const rates = ratesAt({ rate, ramp }, step);
		const mailRate = rates.length > 0 ? keepRates(rates) : undefined;
		const brake = heedBrake(rates);
		return {
			step,
			mailRate,
			brake,
			take: takeStatement(dialect, { rate: mailRate, brake, share }),
		};
	}

	/** Brings the pace to the ramp's step, and asks for the next one when its day is over. */
	async function followRamp(steps: readonly number[], ms: number): Promise<void> {
		ramped ??= await readStep(query);
		if (isOver(ramped, steps, ms) && ms - askedAt >= SELDOM_MS) {
			await climb(database, ramped, ms);
			askedAt = ms;
			ramped = await readStep(query);
		}
		if (pace.step !== ramped.step) pace = paceAt(ramped.step);
	}

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
			const [found] = await query<Found>(LOOK, [isoOf(now())]);
			const { due, until, reason, cause } = found!;
			return { due: due === 1, pause: until === null ? undefined : { until, reason, cause } };
		},
		async turn(tried, most, slow) {
			const ms = now();
			const iso = isoOf(ms);
			// The next turn has the name of an interrupted one, and so finds what that one took.
			const claim = `${copy} ${turns}`;
			const passed = await share.passed();
			if (ramp) await followRamp(ramp, ms);
			const { mailRate, brake, take } = pace;
			if (ms - lookedAt >= SELDOM_MS) {
				const [{ oldest } = { oldest: null }] = await query<{ oldest: string | null }>(OLDEST);
				// Interest is fresh, and links live for seven days; the others have waited anyway.
				newestFirst = oldest !== null && oldest < isoOf(ms - DAY_MS);
				lookedAt = ms;
			}
			const { lost, turnedAway, putBack, streams, letters, outbox } = await run({
				lock: statement(LOCK),
				interrupted: statement(PUT_BACK, claim),
				adopted: mailRate ? [mailRate.adopt(ms)] : [],
				written: tried.flatMap((letter) => writeStatements(letter, iso)),
				learned: learn(tried, ms, { ramped: ramp !== undefined }),
				lost: statement(LOSE, iso),
				taken: take({ claim, ms, most, passed, newestFirst }),
				turnedAway: statement(TURN_AWAY, claim),
				putBack: slow ? [putBackSlow(dialect, claim, ms, slow)] : [],
				met: statement(meet, claim),
				advanced: mailRate ? [mailRate.advance(claim, ms)] : [],
				slowed: brake.advance(claim, ms),
				streams: streamsToJudge(dialect, tried),
				letters: statement<TakenLetter>(read, claim),
				outbox: statement<AfterTurn>(AFTER),
			});
			const judged = streams.map(({ stream }) => stream);
			const speeds = await judgeStreams(database, ms, judged);
			turns += 1;
			const [after] = outbox;
			if (after) ramped = { step: after.step, steppedAt: after.steppedAt };
			share.count(letters);
			return {
				letters,
				turnedAway: turnedAway.length,
				putBack: putBack.flat().length,
				lost: lost.length,
				speeds,
				probing: (after?.pauses ?? 0) > 0,
			};
		},
		async rest(trouble) {
			const { begun } = await run({ lock: statement(LOCK), begun: rest(trouble, now()) });
			return begun.length > 0;
		},
		get brake() {
			return pace.brake;
		},
	};
}

/** Sends nothing for a while. A longer pause stays. */
export async function pauseLetters(
	{ run }: Pick<SharedDatabase, "run">,
	{ until, reason, cause }: Pause,
): Promise<void> {
	const pause =
		"UPDATE outbox SET paused_until = $1, reason = $2, cause = $3 WHERE paused_until < $1";
	await run({ lock: statement(LOCK), paused: statement(pause, until, reason, cause) });
}

/**
 * Ends the pause of all letters. What slows streams is judged again: bounces and doubts of before
 * count no more.
 *
 * @returns whether there was a pause
 */
export async function endPause(database: Database, now: Date): Promise<boolean> {
	const time = [now.toISOString()];
	const ended = await database.transaction(async (query) => {
		await query(LOCK);
		const paused = await query("SELECT 1 AS one FROM outbox WHERE paused_until > $1", time);
		await query(
			"UPDATE outbox SET paused_until = '', reason = '', pauses = 0, released_at = $1",
			time,
		);
		// A clock that was ahead may have put off what only waits.
		await query(
			`UPDATE letter SET next_at = $1 WHERE held = 0 AND state = 'waiting' AND next_at > $1
				AND wave NOT IN (SELECT name FROM wave WHERE starts_at > $1)`,
			time,
		);
		return paused.length > 0;
	});
	await judgeStreams(database, now.getTime());
	return ended;
}

type Found = Omit<Pause, "until"> & { due: number; until: string | null };

/** Writes down one try. Whoever has no mailbox gets no letter that still waits. */
function writeStatements(
	{ id, state, nextAt, code, version, bounced = false }: TriedLetter,
	now: string,
): Statement[] {
	const ended = nextAt === undefined ? now : "";
	const next = nextAt === undefined ? now : isoOf(nextAt);
	return [
		statement(WRITE, id, state, next, ended, code, version),
		...(nextAt === undefined ? [] : [refuseLeftMeanwhile(id, now)]),
		...(bounced ? bounceStatements(id, code, now) : []),
	];
}
