/** What is to be done with a frame of the display. */
export type FrameDecision =
	/** Nothing: all is drawn, and nothing moves. */
	| "rest"
	/** Nothing yet: something moves, but the frame is not due. */
	| "pass"
	/** Nothing yet: the GPU has not finished the last drawn frame. */
	| "wait"
	| "draw";

/**
 * Decides what is to be done with a frame.
 * @param moving whether something moves
 * @param stale whether something must be seen that no moving picture will bring: it waits for the GPU
 *   alone
 * @param due whether quality wants a moving picture drawn in this frame
 * @param free whether the GPU has finished the last drawn frame
 */
export function decideFrame(
	moving: boolean,
	stale: boolean,
	due: boolean,
	free: boolean,
): FrameDecision {
	if (!moving && !stale) return "rest";
	if (!stale && !due) return "pass";
	return free ? "draw" : "wait";
}
