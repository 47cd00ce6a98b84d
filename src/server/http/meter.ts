import type { Rate } from "../settings/rates.ts";

/** Keys in one generation. Two generations take at most 15 MB (tests/server/http/limits.test.ts). */
const GENERATION_KEYS = 32_000;

export interface Meter {
	waitMs(key: string, nowMs: number): number;
	count(key: string, nowMs: number): void;
	readonly size: number;
}

/**
 * The generic cell rate algorithm (ITU-T I.371): one number for each key, the time at which its
 * allowance will be complete again.
 *
 * Two generations bound the memory. When the young one is full, or a period old, it becomes the old
 * one, and an old key lives on only if it is seen again: it is gone two periods after its last request.
 * An attacker with a million addresses makes the meter forget limits; memory does not grow.
 */
export function createMeter({ count, periodMs }: Rate): Meter {
	const costMs = periodMs / count;
	let young = new Map<string, number>();
	let old = new Map<string, number>();
	let turning: NodeJS.Timeout | undefined;
	const completeAt = (key: string) => young.get(key) ?? old.get(key) ?? 0;

	function turn(): void {
		clearTimeout(turning);
		turning = undefined;
		old = young;
		young = new Map();
		if (old.size > 0) turnLater();
	}

	/** A timer, because an address must be forgotten even if nobody comes any more. */
	function turnLater(): void {
		turning ??= setTimeout(turn, periodMs).unref();
	}

	function remember(key: string, at: number): void {
		if (young.size >= GENERATION_KEYS && !young.has(key)) turn();
		young.set(key, at);
		turnLater();
	}

	return {
		waitMs(key, nowMs) {
			const at = completeAt(key);
			const waitMs = at + costMs - periodMs - nowMs;
			// Fractional costs add up to slightly too much: ignore a wait below half a millisecond.
			if (waitMs < 0.5) return 0;
			remember(key, at);
			return waitMs;
		},
		count(key, nowMs) {
			remember(key, Math.max(completeAt(key), nowMs) + costMs);
		},
		get size() {
			return young.size + old.size;
		},
	};
}
