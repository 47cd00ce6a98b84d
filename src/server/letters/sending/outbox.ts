import { randomUUID } from "node:crypto";
import { type SharedDatabase, type Statement, statement } from "../../database/database.ts";
import { waitMender } from "../../database/waits.ts";
import type { MailSettings } from "../../settings.ts";
import { DAY_MS } from "../../time.ts";
import { meetTaken } from "../../waitlist/recipients.ts";
import { noteBounce } from "../bounces/note-bounce.ts";
import { isoOf, type TakenLetter, type TriedLetter } from "../letter.ts";
import {
	type Brake,
	heedBrake,
	judgeStreams,
	type SpeedChange,
	streamsToJudge,
} from "../pace/brake.ts";
import { keepRates } from "../pace/mail-rate.ts";
import {
	beginPause,
	clearPause,
	LOCK,
	lookWhether,
	readOutbox,
	readPauseAt,
} from "../pace/pace-tables.ts";
import type { Pause } from "../pace/pause.ts";
import { climb, isOver, type RampStep, ratesAt, readStep } from "../pace/ramp.ts";
import { putBackSlow, type SlowRoom } from "../pace/slow-domains.ts";
import { learn, rest, type Trouble } from "../pace/trouble.ts";
import { shareWithWaves } from "../pace/wave-share.ts";
import {
	loseLetters,
	makeDue,
	putBackTaken,
	refuseLeftMeanwhile,
	turnAway,
	writeTry,
} from "../table/letter-changes.ts";
import { isAnyDue, oldestDue } from "../table/letter-counts.ts";
import { takeStatement } from "../table/take.ts";
import { readTaken, tellBounced, tellInvited } from "../table/tried-letters.ts";
import { WAITS } from "./waits.ts";

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
	/** Whether a turn has something to do, and the pause if there is one. */
	look(): Promise<{ due: boolean; pause: Pause | undefined }>;
	/**
	 * Writes down what became of letters and takes the next ones, as rate and pause allow, in one
	 * transaction. After an error a repeat with the same values is safe.
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

const LOOK = lookWhether(isAnyDue("$1"));

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
	const mendWaits = waitMender(database, WAITS, [statement(LOCK)]);
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

	const meet = meetTaken(dialect);
	const copy = randomUUID();
	let turns = 0;

	return {
		async look() {
			await mendWaits(now());
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
				const oldest = await oldestDue(query);
				// Interest is fresh, and links live for seven days; the others have waited anyway.
				newestFirst = oldest !== undefined && oldest < isoOf(ms - DAY_MS);
				lookedAt = ms;
			}
			const { lost, turnedAway, putBack, streams, letters, outbox } = await run({
				lock: statement(LOCK),
				interrupted: putBackTaken(claim),
				adopted: mailRate ? [mailRate.adopt(ms)] : [],
				written: tried.flatMap((letter) => writeStatements(letter, iso)),
				told: [
					...tellInvited(
						dialect,
						idsOf(tried, ({ state }) => state === "accepted"),
						iso,
					),
					...tellBounced(
						dialect,
						idsOf(tried, ({ bounced }) => bounced === true),
						iso,
					),
				],
				learned: learn(tried, ms, { ramped: ramp !== undefined }),
				lost: loseLetters(iso),
				taken: take({ claim, ms, most, passed, newestFirst }),
				turnedAway: turnAway(claim),
				putBack: slow ? [putBackSlow(dialect, claim, ms, slow)] : [],
				met: meet(claim),
				advanced: mailRate ? [mailRate.advance(claim, ms)] : [],
				slowed: brake.advance(claim, ms),
				streams: streamsToJudge(dialect, tried),
				letters: readTaken(claim),
				outbox: readOutbox(),
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
	await run({ lock: statement(LOCK), paused: beginPause(until, reason, cause) });
}

/**
 * Ends the pause of all letters. What slows streams is judged again: bounces and doubts of before
 * count no more.
 *
 * @param also what else is done in the same transaction
 * @returns whether there was a pause
 */
export async function endPause(
	database: Pick<SharedDatabase, "run">,
	now: Date,
	also: readonly Statement[] = [],
): Promise<boolean> {
	const iso = now.toISOString();
	const { paused } = await database.run({
		lock: statement(LOCK),
		paused: readPauseAt(iso),
		ended: clearPause(iso),
		due: makeDue(iso),
		also,
	});
	await judgeStreams(database, now.getTime());
	return paused.length > 0;
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
		writeTry(id, state, next, ended, code, version),
		...(nextAt === undefined ? [] : [refuseLeftMeanwhile(id, now)]),
		...(bounced ? noteBounce(id, code, now) : []),
	];
}

const idsOf = (tried: readonly TriedLetter[], test: (letter: TriedLetter) => boolean) =>
	tried.filter(test).map(({ id }) => id);
