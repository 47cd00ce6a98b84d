import type { TakenLetter } from "../letter.ts";

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
	passed(): number;
	/** Counts letters that were taken. */
	count(letters: readonly TakenLetter[]): void;
}

/**
 * Without a share of its own, a wave would wait for as long as people join. The default rate is 100
 * letters an hour, and the limits let strangers behind one address join 120 times an hour.
 *
 * Each copy of the server counts its own letters in memory. A restart begins at 0 again, so it costs
 * a wave at most one letter of its share.
 */
export function shareWithWaves(): WaveShare {
	let passed = 0;
	return {
		reserved: (letters, passed) => `(${letters} + ${passed}) / ${LETTERS}`,
		passed: () => passed,
		count(letters) {
			const waves = letters.filter(({ wave }) => wave !== "").length;
			const now = passed + letters.length - LETTERS * waves;
			// At most 9: while no wave is due, nothing adds up.
			passed = Math.max(0, Math.min(LETTERS - 1, now));
		},
	};
}
