import type { FramePacer } from "./frame-pacer.ts";

export interface FirstFrameReporter {
	isPending(): boolean;
	/** Whether the GPU has finished its frame. Reports the first frame that it finishes. */
	pollFree(): boolean;
	mark(): void;
	forget(): void;
}

/** @param tell gets true after the first frame, and false when the canvas content is lost */
export function createFirstFrameReporter(
	pacer: FramePacer,
	tell: (shown: boolean) => void,
): FirstFrameReporter {
	let drawn = false;
	let shown = false;
	return {
		isPending: () => drawn && !shown,
		pollFree() {
			const free = pacer.pollFree();
			if (free && drawn && !shown) {
				shown = true;
				tell(true);
			}
			return free;
		},
		mark() {
			pacer.mark();
			drawn = true;
		},
		forget() {
			pacer.forget();
			drawn = false;
			if (shown) tell(false);
			shown = false;
		},
	};
}
