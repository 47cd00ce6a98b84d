import type { Pace } from "./pace.ts";

/** Whether a finished frame is on the canvas. Keeps the pace, which knows when one is. */
export interface Showing {
	/** Whether a frame was drawn of which it is not known that it is finished. */
	isPending(): boolean;
	/** Whether the GPU has finished the last drawn frame. The first finished one is told. */
	pollFree(): boolean;
	/** A frame has been drawn. */
	mark(): void;
	/** What was on the canvas is gone, and with it the context. */
	forget(): void;
}

/** @param tell called when the first frame is finished, and when what was shown is gone */
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
