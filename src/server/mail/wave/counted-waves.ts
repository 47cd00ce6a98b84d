import type { Query } from "../../database/statement.ts";
import type { Wave } from "./wave.ts";
import { countHeldOfWaves, countWaves, type EmailCounts, noEmails } from "./wave-counts.ts";
import { readWaves } from "./waves.ts";

/** A wave in numbers: each of its letters is counted once. */
export interface CountedWave extends Omit<Wave, "subject" | "message"> {
	letters: EmailCounts;
	/** Waiting letters that only `waitlist resume` lets go. */
	held: number;
}

/** All waves with what became of their letters, the oldest first. */
export async function readCountedWaves(query: Query, now: Date): Promise<CountedWave[]> {
	const counts = await countWaves(query, now);
	const held = await countHeldOfWaves(query);
	return (await readWaves(query)).map(({ subject: _, message: __, ...wave }) => ({
		...wave,
		letters: counts.get(wave.name) ?? noEmails(),
		held: held.get(wave.name) ?? 0,
	}));
}
