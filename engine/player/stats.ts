import type { Stats } from "../messages.ts";

/** Stats are sent at most four times a second. */
const STATS_EVERY_MS = 250;

/** What has gathered since stats were last sent. */
export interface StatsCollector {
	/** A frame was passed over, because the GPU was busy. */
	noteSkipped(): void;
	/** A frame was drawn at a time in ms. */
	noteDrawn(timeMs: number): void;
	/** Whether stats may be sent again. */
	isDue(timeMs: number): boolean;
	/** Hands out what has gathered, and starts again from nothing. */
	take(timeMs: number): Pick<Stats, "skipped" | "frameTimes">;
}

export function createStatsCollector(): StatsCollector {
	const frameTimes = new Float32Array(64);
	let count = 0;
	let skipped = 0;
	let drawnMs = -1;
	let sentMs = 0;
	return {
		noteSkipped() {
			skipped++;
		},
		noteDrawn(timeMs) {
			if (drawnMs >= 0 && count < frameTimes.length) frameTimes[count++] = timeMs - drawnMs;
			drawnMs = timeMs;
		},
		isDue: (timeMs) => timeMs - sentMs >= STATS_EVERY_MS,
		take(timeMs) {
			const taken = { skipped, frameTimes: frameTimes.slice(0, count) };
			sentMs = timeMs;
			count = 0;
			skipped = 0;
			return taken;
		},
	};
}
