export type FrameOutcome =
	| "drawn"
	/** Due, but the GPU had not finished the last one. */
	| "busy"
	| "passed"
	/** Everything is drawn, and nothing moves. */
	| "idle";

/**
 * @param stale whether there is a change that only the GPU may delay
 * @param due whether quality wants a moving picture drawn now
 * @param free whether the GPU has finished the last drawn frame
 */
export function decideFrame(
	moving: boolean,
	stale: boolean,
	due: boolean,
	free: boolean,
): FrameOutcome {
	if (!moving && !stale) return "idle";
	if (!stale && !due) return "passed";
	return free ? "drawn" : "busy";
}
