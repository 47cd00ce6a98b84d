export interface Frames {
	request(callback: (timeMs: number) => void): number;
	cancel(id: number): void;
}

export const display: Frames = {
	request: (callback) => requestAnimationFrame(callback),
	cancel: (id) => cancelAnimationFrame(id),
};

/** Keeps at most one frame requested. @returns a function that requests a frame, or cancels */
export function createFrameToggle(
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
