import { createHash } from "node:crypto";
import { createMeter } from "../http/limits.ts";
import type { Rate } from "../settings/values.ts";

/** Wrong codes for one address: a person mistypes a few times. */
const FOR_ONE: Rate = { count: 10, periodMs: 600_000 };

/** Wrong codes for all addresses: a launch of thousands stays below it. */
const FOR_ALL: Rate = { count: 1000, periodMs: 600_000 };

/**
 * Counts wrong codes in memory, by hashed address and for all together. Right ones never count, so nobody can
 * lock a person out.
 *
 * @param now monotonic milliseconds
 */
export function createGuesses(now = () => performance.now()) {
	const one = createMeter(FOR_ONE);
	const all = createMeter(FOR_ALL);
	return {
		/** @returns seconds until the next one counts; 0 if this one did */
		count(key: string): number {
			const nowMs = now();
			const whose = createHash("sha256").update(key).digest("base64");
			const waitMs = Math.max(one.waitMs(whose, nowMs), all.waitMs("", nowMs));
			if (waitMs > 0) return Math.ceil(waitMs / 1000);
			one.count(whose, nowMs);
			all.count("", nowMs);
			return 0;
		},
	};
}
