import type { FrameOutcome } from "./quality/quality.ts";

/**
 * Decides what to do with a display frame; "idle" if everything is drawn and nothing moves.
 * @param moving whether something moves
 * @param stale whether there is a change to show that need not wait for motion: only the GPU can
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
