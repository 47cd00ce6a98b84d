import type { Query } from "../../database/database.ts";
import type { MailSettings, Rate } from "../../settings.ts";
import { isoOf, UNSENT } from "../letter.ts";
import { readSlowed } from "./brake.ts";
import { readPause } from "./pause.ts";
import { ratesAt, readStep } from "./ramp.ts";
import { STREAM_OF, type Stream } from "./stream.ts";

/** Promise 81: the letters that wait and that nobody holds. */
export interface Backlog {
	letters: number;
	/** By kind, which each letter has, and when the oldest one was asked for, ISO 8601. */
	kinds: { kind: string; letters: number; oldest: string }[];
	oldest: string | null;
	/**
	 * When the last of them goes out at today's rate, ISO 8601; null where none waits, nothing limits
	 * them, or only the operator ends the pause.
	 */
	lastAt: string | null;
	/** Letters in a ms, by the rate and the ramp's step; null where nothing limits them. */
	pace: number | null;
}

interface Waiting {
	kind: string;
	stream: Stream;
	letters: number;
	oldest: string;
	latest: string;
}

const WAITING = `SELECT kind, ${STREAM_OF} AS stream, CAST(count(*) AS INTEGER) AS letters,
		min(asked_at) AS oldest, max(next_at) AS latest
	FROM letter WHERE held = 0 AND ${UNSENT} GROUP BY 1, 2 ORDER BY 1, 2`;

/** Counts what waits, and says until when. */
export async function readBacklog(
	query: Query,
	mail: Pick<MailSettings, "rate" | "ramp"> | undefined,
	now: Date,
): Promise<Backlog> {
	const waiting = await query<Waiting>(WAITING);
	const rates = mail ? ratesAt(mail, (await readStep(query)).step) : [];
	const pace = rates.length > 0 ? Math.min(...rates.map(perMs)) : null;
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
		lastAt: pace === null || waiting.length === 0 ? null : await lastAt(query, waiting, pace, now),
		pace,
	};
}

/** @param pace letters in a ms */
async function lastAt(query: Query, waiting: readonly Waiting[], pace: number, now: Date) {
	const pause = await readPause(query, now);
	if (pause?.cause === "operator") return null;
	const times = new Map((await readSlowed(query)).map(({ stream, slowed }) => [stream, slowed]));
	const streams = new Map<Stream, number>();
	for (const { stream, letters } of waiting) {
		streams.set(stream, letters * (times.get(stream) ?? 1) + (streams.get(stream) ?? 0));
	}
	const all = waiting.reduce((sum, { letters }) => sum + letters, 0);
	// Streams go out side by side: the slowest of them, or all together.
	const letters = Math.max(all, ...streams.values());
	const from = pause ? Date.parse(pause.until) : now.getTime();
	const latest = Math.max(...waiting.map((row) => Date.parse(row.latest)));
	return isoOf(Math.max(from + Math.ceil(letters / pace), latest));
}

const perMs = ({ count, periodMs }: Rate) => count / periodMs;
