import { createHash } from "node:crypto";
import { createMeter } from "../http/meter.ts";
import type { Rate } from "../settings/rates.ts";

/** How many wrong codes may be written for one address: a person mistypes a few times. */
const FOR_ONE: Rate = { count: 10, periodMs: 600_000 };

/** How many for all addresses together: a launch of thousands stays below it. */
const FOR_ALL: Rate = { count: 1000, periodMs: 600_000 };

const EVERYBODY = "";

/** Counts wrong codes. Right ones are never counted, so that nobody can lock a person out. */
export interface Guesses {
	/**
	 * Counts a wrong code, unless it came too soon.
	 *
	 * @param key the canonical address that it was written for, or ""
	 * @returns whole seconds after which the next one is counted; 0 if this one was
	 */
	count(key: string): number;
}

/**
 * Counts in memory, by address and for all together. Of an address it keeps a hash.
 *
 * @param now monotonic milliseconds
 */
export function createGuesses(now = () => performance.now()): Guesses {
	const one = createMeter(FOR_ONE);
	const all = createMeter(FOR_ALL);
	return {
		count(key) {
			const nowMs = now();
			const whose = createHash("sha256").update(key).digest("base64");
			const waitMs = Math.max(one.waitMs(whose, nowMs), all.waitMs(EVERYBODY, nowMs));
			if (waitMs > 0) return Math.ceil(waitMs / 1000);
			one.count(whose, nowMs);
			all.count(EVERYBODY, nowMs);
			return 0;
		},
	};
}
