export interface FrameScheduler {
	request(callback: (timeMs: number) => void): number;
	cancel(id: number): void;
}

export const displayScheduler: FrameScheduler = {
	request: (callback) => requestAnimationFrame(callback),
	cancel: (id) => cancelAnimationFrame(id),
};

/** Requests at most one frame at a time. @returns a function that requests or cancels a frame */
export function createFrameRequester(
	frames: FrameScheduler,
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
