import type { Rate } from "../settings.ts";

/** Keys that one generation holds: two of them make at most 15 MB (tests/server/join/limiter.test.ts). */
const GENERATION_KEYS = 32_000;

/** Counts tries by key against one rate. */
export interface Meter {
	/** How long this key has to wait, in ms; 0 when it may go on. Asking costs nothing. */
	waitMs(key: string, nowMs: number): number;
	/** Counts one try. */
	count(key: string, nowMs: number): void;
	/** Keys in memory. */
	readonly size: number;
}

/**
 * The generic cell rate algorithm (ITU-T I.371): of each key one number is kept, the time at which
 * its allowance will be whole again. It gives the exact wait, and needs no timers.
 *
 * Two generations bound the memory: a full young one becomes the old one, whose keys live on only
 * if they are seen again. Whoever rotates a million addresses gets limits forgotten, not memory.
 */
export function createMeter({ count, periodMs }: Rate): Meter {
	const costMs = periodMs / count;
	let young = new Map<string, number>();
	let old = new Map<string, number>();
	const wholeAt = (key: string) => young.get(key) ?? old.get(key) ?? 0;

	function remember(key: string, at: number): void {
		if (young.size >= GENERATION_KEYS && !young.has(key)) {
			old = young;
			young = new Map();
		}
		young.set(key, at);
	}

	return {
		waitMs(key, nowMs) {
			const at = wholeAt(key);
			const waitMs = at + costMs - periodMs - nowMs;
			// Costs that are no whole number add up to a little too much: nobody waits for that.
			if (waitMs < 0.5) return 0;
			remember(key, at);
			return waitMs;
		},
		count(key, nowMs) {
			remember(key, Math.max(wholeAt(key), nowMs) + costMs);
		},
		get size() {
			return young.size + old.size;
		},
	};
}
