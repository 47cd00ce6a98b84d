import type { FrameOutcome } from "./quality/quality.ts";

/**
 * "idle" if everything is drawn and nothing moves.
 * @param stale whether there is a change that only the GPU may delay
 * @param due whether quality wants a moving picture drawn now
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
