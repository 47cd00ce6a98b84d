import type { Pace } from "./pace.ts";

/** Tracks whether a finished frame is on the canvas, using the pace. */
export interface Showing {
	/** Whether a drawn frame may be unfinished. */
	isPending(): boolean;
	/** Whether the GPU has finished the last drawn frame. Reports the first finished one. */
	pollFree(): boolean;
	/** Call after drawing a frame. */
	mark(): void;
	/** Call after a lost context: the canvas content is gone. */
	forget(): void;
}

/** @param tell called when the first frame is finished, and when the canvas content is gone */
export function createShowing(pace: Pace, tell: (shown: boolean) => void): Showing {
	let drawn = false;
	let shown = false;
	return {
		isPending: () => drawn && !shown,
		pollFree() {
			const free = pace.pollFree();
			if (free && drawn && !shown) {
				shown = true;
				tell(true);
			}
			return free;
		},
		mark() {
			pace.mark();
			drawn = true;
		},
		forget() {
			pace.forget();
			drawn = false;
			if (shown) tell(false);
			shown = false;
		},
	};
}
