import type { Backend, FrameStats } from "../messages.ts";
import { fingerprint } from "../simulation/fingerprint.ts";
import type { Director } from "./director.ts";
import type { Quality } from "./quality/quality.ts";

const STATS_EVERY_MS = 250;

export interface StatsSender {
	noteSkipped(): void;
	/** @param last whether no frame follows: stats are then sent at once */
	noteDrawn(timeMs: number, pixelRatio: number, drawCalls: number, last: boolean): void;
}

export function createStatsSender(
	backend: Backend,
	director: Director,
	quality: Quality,
	tell: (stats: FrameStats) => void,
): StatsSender {
	const { simulation } = director;
	const frameTimes = new Float32Array(64);
	let count = 0;
	let skipped = 0;
	let drawnMs = -1;
	let sentMs = 0;
	return {
		noteSkipped() {
			skipped++;
		},
		noteDrawn(timeMs, pixelRatio, drawCalls, last) {
			if (drawnMs >= 0 && count < frameTimes.length) frameTimes[count++] = timeMs - drawnMs;
			drawnMs = timeMs;
			if (!last && timeMs - sentMs < STATS_EVERY_MS) return;
			tell({
				backend,
				level: quality.level,
				pixelRatio,
				tick: simulation.tick,
				dropped: director.dropped,
				skipped,
				drawCalls,
				fingerprint: fingerprint(simulation),
				frameTimes: frameTimes.slice(0, count),
			});
			sentMs = timeMs;
			count = 0;
			skipped = 0;
		},
	};
}
