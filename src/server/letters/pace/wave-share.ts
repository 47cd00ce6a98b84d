import type { Query } from "../../database/database.ts";
import type { TakenLetter } from "../letter.ts";
import { countPassed } from "../table/letter-counts.ts";

/** While both are due, one of so many letters belongs to a wave, and the others ask to confirm. */
const LETTERS = 10;

/** Sends confirmations before waves, and reserves a share of the letters for waves. */
export interface WaveShare {
	/**
	 * SQL for how many of the next letters are reserved for waves.
	 *
	 * @param letters how many letters are taken, in SQL
	 * @param passed the value of {@link WaveShare.passed}, in SQL
	 */
	reserved(letters: string, passed: string): string;
	/** Confirmations taken since a wave last had its share, 9 at most. */
	passed(): Promise<number>;
	/** Counts letters that were taken. */
	count(letters: readonly TakenLetter[]): void;
}

/**
 * Without a share of its own, a wave would wait for as long as people join. The default rate is 100
 * letters an hour, and the limits let strangers behind one address join 120 times an hour.
 *
 * Each copy of the server counts its own letters in memory, and begins with those that ended before:
 * a timer that runs `waitlist send` for a few letters at a time would never come to a wave.
 */
export function shareWithWaves(query: Query): WaveShare {
	let passed: number | undefined;
	return {
		reserved: (letters, passed) => `(${letters} + ${passed}) / ${LETTERS}`,
		async passed() {
			passed ??= await countPassed(query, LETTERS - 1);
			return passed;
		},
		count(letters) {
			const waves = letters.filter(({ wave }) => wave !== "").length;
			const now = (passed ?? 0) + letters.length - LETTERS * waves;
			// At most 9: while no wave is due, nothing adds up.
			passed = Math.max(0, Math.min(LETTERS - 1, now));
		},
	};
}
