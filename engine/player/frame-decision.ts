import type { FrameOutcome } from "./quality/quality.ts";

/**
 * Decides what is to become of a frame of the display; "idle" when all is drawn and nothing moves.
 * @param moving whether something moves
 * @param stale whether there is something new to see that need not wait for motion: only the GPU can
 *   delay it
 * @param due whether quality wants a moving picture drawn in this frame
 * @param free whether the GPU has finished the last drawn frame
 */
export function decideFrame(
	moving: boolean,
	stale: boolean,
	due: boolean,
	free: boolean,
): FrameOutcome | "idle" {
	if (!moving && !stale) return "idle";
	if (!stale && !due) return "passed";
	return free ? "drawn" : "busy";
}
