import type { Query } from "../../database/database.ts";
import type { MailSettings, Rate } from "../../settings.ts";
import { isoOf } from "../letter.ts";
import { countWaiting, type Waiting } from "../table/letter-counts.ts";
import { readSlowed } from "./brake.ts";
import { lastLeavesAt, paceOf } from "./mail-rate.ts";
import { readPause } from "./pause.ts";
import { ratesAt, readStep } from "./ramp.ts";

/** Promise 81: the letters that wait and that nobody holds. */
export interface Backlog {
	letters: number;
	/** The letters of each kind, and when the oldest of them was asked for, ISO 8601. */
	kinds: { kind: string; letters: number; oldest: string }[];
	oldest: string | null;
	/**
	 * When the last of them goes out at today's rate, ISO 8601; null where none waits, nothing limits
	 * them, or only the operator ends the pause.
	 */
	lastAt: string | null;
	/** Letters in a ms after a burst, by the rate and the ramp's step; null where nothing limits them. */
	pace: number | null;
}

/** Counts what waits, and says until when. */
export async function readBacklog(
	query: Query,
	mail: Pick<MailSettings, "rate" | "ramp"> | undefined,
	now: Date,
): Promise<Backlog> {
	const waiting = await countWaiting(query);
	const rates = mail ? ratesAt(mail, (await readStep(query)).step) : [];
	const pace = rates.length > 0 ? paceOf(rates) : null;
	const kinds = new Map<string, Backlog["kinds"][number]>();
	for (const { kind, letters, oldest } of waiting) {
		const known = kinds.get(kind);
		kinds.set(kind, {
			kind,
			letters: letters + (known?.letters ?? 0),
			oldest: known && known.oldest < oldest ? known.oldest : oldest,
		});
	}
	return {
		letters: waiting.reduce((sum, { letters }) => sum + letters, 0),
		kinds: [...kinds.values()],
		oldest: [...kinds.values()].map(({ oldest }) => oldest).sort()[0] ?? null,
		lastAt: pace === null || waiting.length === 0 ? null : await lastAt(query, waiting, rates, now),
		pace,
	};
}

/** Of four digits in its year. At a rate of one letter in 9999 days ten thousand take longer. */
const LAST_TIME_MS = Date.parse("9999-12-31T23:59:59.999Z");

async function lastAt(
	query: Query,
	waiting: readonly Waiting[],
	rates: readonly Rate[],
	now: Date,
) {
	const pause = await readPause(query, now);
	if (pause?.cause === "operator") return null;
	const from = pause ? Date.parse(pause.until) : now.getTime();
	const all = waiting.reduce((sum, { letters }) => sum + letters, 0);
	const last = await lastLeavesAt(query, rates, all, { from, now: now.getTime() });
	// Streams go out side by side: the slowest of them, or all together.
	const between = Math.max(...rates.map(({ count, periodMs }) => periodMs / count));
	const slow = (await readSlowed(query)).map(({ stream, slowed }) => {
		const own = waiting.filter((row) => row.stream === stream);
		return from + own.reduce((sum, { letters }) => sum + letters, 0) * slowed * between;
	});
	const latest = waiting.map((row) => Date.parse(row.latest));
	return isoOf(Math.min(Math.ceil(Math.max(last, ...slow, ...latest)), LAST_TIME_MS));
}
