import {
	ask,
	type Query,
	type SharedDatabase,
	type Statement,
	statement,
} from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { Log } from "../../log.ts";
import type { Rate } from "../../settings.ts";
import { isoOf, type TriedLetter, takenAs } from "../letter.ts";
import { lettersWhere } from "../table/letter-counts.ts";
import { type LatestLetter, latestOf, streamsOfTried } from "../table/tried-letters.ts";
import { judgeComplaints, slowdownOf } from "./complaints.ts";
import { type EndedLetter, judgeLetters, LATEST, type Verdict } from "./dead-addresses.ts";
import { keepBrake, moveBrakes, OF_BRAKE, roomIn, slowedStreams } from "./pace-tables.ts";
import { STREAM_NAMES, STREAMS, type Stream } from "./stream.ts";

/** A stream whose letters go out more slowly than the rate, because of dead addresses or complaints. */
export interface Slowed extends Verdict {
	stream: Stream;
	/** Owners of addresses who called one of its last letters spam. */
	complaints: number;
}

/** What slows a stream, in a word: what the metric `waitlist_letters_slowed` says. */
export const SLOWED_BY = ["dead addresses", "complaints"] as const;

/** A change of speed. `slowed` is 1 where the stream has its whole rate again. */
export interface SpeedChange extends Slowed {
	/** How many times slower it was before. */
	before: number;
}

/** How far a slowed stream may catch up with what it did not send while nobody looked. */
const CATCH_UP_US = 60_000_000;

/** The longest time after which a letter counts as taken, however late reports come. */
const LATEST_REPORT_MS = 60 * 60_000;

/** Letters read beyond the judged ones: those sent since, of which no report can have come yet. */
const UNREPORTED = 2000;

/** The time between two letters where nothing limits the rate: a slowed stream needs one. */
const UNLIMITED_US = 1_000_000;

/** What a turn of the outbox heeds. */
export interface Brake {
	/**
	 * SELECT of one row where a stream is slowed: how many of its letters may leave now.
	 *
	 * @param us the time in µs since 1970, in SQL
	 */
	room(stream: Stream, us: string): string;
	/** Statement after letters were taken under the name `claim`. */
	advance(claim: string, ms: number): Statement;
	/**
	 * SQL that counts letters no more that were taken and are not sent.
	 *
	 * @param letters a condition, in SQL
	 */
	giveBack(letters: string): string;
}

/**
 * Spreads the letters of slowed streams evenly, without a burst: `free_at` is the time in µs at which
 * the next one may leave. It is kept in the database, so that copies and restarts share it.
 *
 * @param rates of all letters; without one there is no limit
 */
export function heedBrake(rates: readonly Rate[]): Brake {
	const betweenUs = rates.map(({ count, periodMs }) => Math.ceil((periodMs * 1000) / count));
	const oneUs = rates.length > 0 ? Math.max(...betweenUs) : UNLIMITED_US;
	const spread = `(${oneUs} * slowed)`;
	// A time further away is from before the stream was faster, or the operator raised the rate.
	const freeAt = (
		us: string,
	) => `(CASE WHEN free_at BETWEEN ${us} - ${CATCH_UP_US} AND ${us} + ${spread}
		THEN free_at ELSE ${us} - ${CATCH_UP_US} END)`;
	const now = "CAST($2 AS BIGINT)";
	const times = (letters: string) => `${spread} * ${lettersWhere(`${letters} AND ${OF_BRAKE}`)}`;
	const advanced = moveBrakes(`${freeAt(now)} + ${times(takenAs("$1"))}`);
	return {
		room: (stream, us) =>
			roomIn(
				stream,
				`CASE WHEN ${freeAt(us)} > ${us} THEN 0
				ELSE 1 + (${us} - ${freeAt(us)}) / ${spread} END`,
			),
		advance: (claim, ms) => statement(advanced, claim, ms * 1000),
		giveBack: (letters) => moveBrakes(`free_at - ${times(letters)}`),
	};
}

/**
 * The streams that are to be judged after some tries: those with a dead address, and slowed ones.
 * Healthy streams cost nothing else.
 */
export function streamsToJudge(dialect: Dialect, tried: readonly TriedLetter[]) {
	const ended = tried
		.filter(({ state }) => state === "accepted" || state === "refused")
		.map(({ id, bounced = false }) => [id, bounced ? "dead" : ""]);
	return streamsOfTried(dialect, JSON.stringify(ended));
}

/**
 * Judges streams by their last letters, and slows them or lets them go on. Gives what changed.
 *
 * @param ms the time in ms since 1970
 */
export async function judgeStreams(
	{ run }: Pick<SharedDatabase, "run">,
	ms: number,
	streams: readonly Stream[] = STREAMS,
): Promise<SpeedChange[]> {
	if (streams.length === 0) return [];
	const { latest, slowed } = await run({
		latest: streams.map((stream) => latestOf(stream, LATEST + UNREPORTED)),
		slowed: slowedStreams(),
	});
	const before = new Map(slowed.map((row) => [row.stream, row.slowed]));
	const judged = streams.map((stream, n) => {
		return { stream, before: before.get(stream) ?? 1, ...judge(latest[n]!, ms) };
	});
	const changed = judged.filter((verdict) => verdict.slowed > 1 || verdict.before > 1);
	if (changed.length === 0) return [];
	await run({
		kept: changed.map((verdict) => keepBrake(verdict, ms * 1000)),
	});
	return changed.filter((verdict) => verdict.slowed !== verdict.before);
}

/** Judges the last letters of a stream for both. */
function judge(latest: readonly LatestLetter[], ms: number) {
	const complained = known(latest, ms, ({ complainedAt }) => complainedAt)
		.slice(-LATEST)
		.filter(({ complainedAt }) => complainedAt !== "")
		.map(({ key }) => key);
	const { slowed, complaints } = judgeComplaints(complained);
	const ended = known(latest, ms, ({ bouncedAt }) => bouncedAt).map(
		({ key, bouncedAt }): EndedLetter => ({ key, dead: bouncedAt !== "" }),
	);
	const verdict = judgeLetters(ended);
	return { ...verdict, slowed: Math.max(slowed, verdict.slowed), complaints };
}

/**
 * The letters of which reports are known. Of what was sent within the time that most reports take
 * nobody knows yet what comes of it. What a mail server refuses is known at once.
 *
 * @param reportedAt when a letter was reported, ISO 8601; '' where it was not
 */
function known(
	latest: readonly LatestLetter[],
	ms: number,
	reportedAt: (letter: LatestLetter) => string,
): LatestLetter[] {
	const lateMs = latest
		.filter((letter) => reportedAt(letter) !== "")
		.map((letter) => Date.parse(reportedAt(letter)) - Date.parse(letter.endedAt))
		.sort((one, other) => one - other);
	const usualMs = lateMs[Math.floor(lateMs.length / 2)] ?? 0;
	const until = isoOf(ms - Math.min(LATEST_REPORT_MS, Math.max(0, usualMs)));
	return latest.filter(({ endedAt }) => endedAt <= until);
}

/** The streams that are slowed now. */
export function readSlowed(query: Query): Promise<Slowed[]> {
	return ask(query, slowedStreams());
}

/** Says to the operator how slow a stream is, and why. */
export function slowedAsText(row: Slowed): string {
	const { stream, slowed, letters, dead, complaints } = row;
	if (slowed === 1) return `${STREAM_NAMES[stream]} go out at the whole rate again.`;
	const why =
		slowedBy(row) === "complaints"
			? `${complaints} people called one of the last ${LATEST} letters spam`
			: `of the last ${letters} addresses ${dead} do not exist`;
	return `${STREAM_NAMES[stream]} go out at 1/${slowed} of the rate: ${why}.`;
}

/** What slows a stream the most. */
export function slowedBy({ slowed, complaints }: Slowed): (typeof SLOWED_BY)[number] {
	return slowdownOf(complaints) === slowed ? "complaints" : "dead addresses";
}

/** Logs that a stream has become slower, which needs somebody to look, or faster. */
export function logSpeed(log: Log, { before, ...slowed }: SpeedChange): void {
	const details = { stream: slowed.stream, reason: slowedAsText(slowed) };
	if (slowed.slowed > before) log("error", "letters slowed", details);
	else log("info", "letters faster", details);
}
