import type { Tx } from "../../database/transaction.ts";
import type { Log } from "../../log.ts";
import { HOUR_MS, isoOf } from "../../time.ts";
import { ownerOf } from "./address-owner.ts";
import { lockOutbox, type OutboxRow, readOutbox, saveOutbox } from "./outbox-row.ts";
import { type Outcome, outcomesOf } from "./outcomes.ts";
import { STREAM_NAMES, STREAMS, type Stream } from "./queues.ts";

/** How many times slower a throttled stream is. */
const SLOWED = 4;

/** The last emails that count, and how many of their addresses may not exist: providers warn at 5 %. */
const LATEST = 400;
const MOST_DEAD = 0.05 * LATEST;

/** A throttle ends below this: a stream does not flap. */
const FEW_DEAD = 0.03 * LATEST;

/** How many dead addresses of one owner count. */
const MOST_OF_OWNER = 2;

/**
 * How many owners of addresses have to complain about the last {@link LATEST_COMPLAINTS} emails: Gmail
 * refuses a sender at 0.3 %.
 */
const COMPLAINTS = 3;
const LATEST_COMPLAINTS = 1000;

/** The longest time after which an email counts as accepted, however late bounces are reported. */
const LATEST_REPORT_MS = HOUR_MS;

/** The result of judging a stream by its last emails. */
export interface Verdict {
	/** How many times slower than the rate the stream is; 1 is the whole rate. */
	slowed: number;
	/** How many emails were judged, and how many bounced, counting a few per owner. */
	letters: number;
	dead: number;
	/** Owners of addresses who called an email spam. */
	complaints: number;
}

/** A stream that goes out more slowly than the rate. */
export interface Throttled extends Verdict {
	stream: Stream;
}

/** A change of speed. */
export interface SpeedChange extends Throttled {
	/** How many times slower it was before. */
	before: number;
}

/** Why a stream is throttled. */
const THROTTLED_BY = ["dead addresses", "complaints"] as const;

/**
 * Judges a stream by its last emails, the earliest first.
 *
 * @param before how many times slower it was until now
 */
function judge(outcomes: readonly Outcome[], before: number, now: number): Verdict {
	const deadOf = new Map<string, number>();
	const latest = reported(outcomes, now, "bouncedAt").slice(-LATEST);
	for (const { key, bouncedAt } of latest) {
		if (bouncedAt === "") continue;
		const owner = ownerOf(key);
		deadOf.set(owner, Math.min(MOST_OF_OWNER, (deadOf.get(owner) ?? 0) + 1));
	}
	const dead = [...deadOf.values()].reduce((sum, count) => sum + count, 0);
	const complained = reported(outcomes, now, "complainedAt")
		.slice(-LATEST_COMPLAINTS)
		.filter(({ complainedAt }) => complainedAt !== "");
	const complaints = new Set(complained.map(({ key }) => ownerOf(key))).size;
	const stays = before > 1 && dead >= FEW_DEAD;
	const slowed = complaints >= COMPLAINTS || dead > MOST_DEAD || stays ? SLOWED : 1;
	return { slowed, letters: latest.length, dead, complaints };
}

/** Leaves out the most recent emails, whose bounces and complaints have not been reported yet. */
function reported(
	outcomes: readonly Outcome[],
	now: number,
	by: "bouncedAt" | "complainedAt",
): Outcome[] {
	const lateMs = outcomes
		.filter((outcome) => outcome[by] !== "")
		.map((outcome) => Date.parse(outcome[by]) - Date.parse(outcome.endedAt))
		.sort((one, other) => one - other);
	const usualMs = lateMs[Math.floor(lateMs.length / 2)] ?? 0;
	const until = isoOf(now - Math.min(LATEST_REPORT_MS, Math.max(0, usualMs)));
	return outcomes.filter(({ endedAt }) => endedAt <= until);
}

/** Judges streams in a transaction that has locked the outbox. */
export async function judgeStreams(
	tx: Tx,
	outbox: OutboxRow,
	streams: readonly Stream[],
	now: number,
): Promise<{ outbox: OutboxRow; speeds: SpeedChange[] }> {
	const speeds: SpeedChange[] = [];
	let judged = outbox;
	for (const stream of streams) {
		const before = outbox[`${stream}Slowed`];
		const outcomes = await outcomesOf(tx, stream, outbox.releasedAt);
		const verdict = judge(outcomes, before, now);
		if (verdict.slowed === before) continue;
		// A stream that had its whole rate has nothing to catch up with.
		judged = { ...judged, [`${stream}Slowed`]: verdict.slowed, [`${stream}FreeAt`]: now };
		speeds.push({ stream, before, ...verdict });
	}
	return { outbox: judged, speeds };
}

/** Judges both streams: what was known of their emails has changed. */
export async function rejudgeStreams(tx: Tx, now: number): Promise<SpeedChange[]> {
	const { outbox, speeds } = await judgeStreams(tx, await lockOutbox(tx), STREAMS, now);
	if (speeds.length > 0) await saveOutbox(tx, outbox);
	return speeds;
}

/** The streams that are throttled now, and why. */
export async function readThrottled(tx: Tx, now: Date): Promise<Throttled[]> {
	const outbox = await readOutbox(tx);
	const throttled = STREAMS.filter((stream) => outbox[`${stream}Slowed`] > 1);
	return Promise.all(
		throttled.map(async (stream) => {
			const slowed = outbox[`${stream}Slowed`];
			const outcomes = await outcomesOf(tx, stream, outbox.releasedAt);
			return { ...judge(outcomes, slowed, now.getTime()), stream, slowed };
		}),
	);
}

/** Says to the founder how slow a stream is, and why. */
export function throttledAsText(row: Throttled): string {
	const { stream, slowed, letters, dead, complaints } = row;
	if (slowed === 1) return `${STREAM_NAMES[stream]} go out at the whole rate again.`;
	const why =
		throttledBy(row) === "complaints"
			? `${complaints} people called one of the last ${LATEST_COMPLAINTS} emails spam`
			: `of the last ${letters} addresses ${dead} do not exist`;
	return `${STREAM_NAMES[stream]} go out at 1/${slowed} of the rate: ${why}.`;
}

function throttledBy({ complaints }: Throttled): (typeof THROTTLED_BY)[number] {
	return complaints >= COMPLAINTS ? "complaints" : "dead addresses";
}

/** Logs that a stream has become slower, which needs somebody to look, or faster. */
export function logSpeed(log: Log, { before, ...throttled }: SpeedChange): void {
	const details = { stream: throttled.stream, reason: throttledAsText(throttled) };
	if (throttled.slowed > before) log("error", "letters slowed", details);
	else log("info", "letters faster", details);
}
