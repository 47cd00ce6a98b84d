/** The display's frames: `requestAnimationFrame` of whichever thread this is. */
export interface Frames {
	request(callback: (timeMs: number) => void): number;
	cancel(id: number): void;
}

export const display: Frames = {
	request: (callback) => requestAnimationFrame(callback),
	cancel: (id) => cancelAnimationFrame(id),
};

/**
 * Keeps one frame requested at most.
 * @param handleFrame called with the frame's timestamp in ms
 * @returns the function that requests a frame, or takes the request back when none is wanted
 */
export function createRequest(
	frames: Frames,
	handleFrame: (timeMs: number) => void,
): (wanted: boolean) => void {
	let requested: number | undefined;
	function arrive(timeMs: number): void {
		requested = undefined;
		handleFrame(timeMs);
	}
	return (wanted) => {
		if (wanted) requested ??= frames.request(arrive);
		else if (requested !== undefined) {
			frames.cancel(requested);
			requested = undefined;
		}
	};
}
