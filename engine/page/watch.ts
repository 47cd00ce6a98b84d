/**
 * Detects a killed or hanging worker by a ping a second while frames are due. Only seconds in which
 * the page itself gets a frame count: a sleeping computer, a covered window or a breakpoint is not
 * the worker's fault.
 */
const BEAT_MS = 1000;

/**
 * Missed replies until the worker is given up: 2 s of playing. Starting or restoring a context
 * takes longer, because it compiles shaders.
 */
const MOST_UNANSWERED = { playing: 2, starting: 10 };

export interface Watch {
	setDue(due: boolean): void;
	/** Whether the worker has shown a frame; reset after a lost context. */
	setStarted(started: boolean): void;
	heard(frames: number, due: boolean): void;
	destroy(): void;
}

/** @param ask gets the display's frame interval in ms */
export function createWatch(ask: (period: number) => void, handleSilence: () => void): Watch {
	let timer: ReturnType<typeof setInterval> | undefined;
	let request = 0;
	let unanswered = 0;
	let latestFrames = 0;
	let started = false;

	function beat(): void {
		cancelAnimationFrame(request);
		request = requestAnimationFrame((beforeMs) => {
			request = requestAnimationFrame((timeMs) => askOrGiveUp(timeMs - beforeMs));
		});
	}

	function askOrGiveUp(period: number): void {
		if (unanswered >= (started ? MOST_UNANSWERED.playing : MOST_UNANSWERED.starting)) {
			setDue(false);
			handleSilence();
			return;
		}
		unanswered++;
		ask(period);
	}

	function setDue(due: boolean): void {
		if (due === (timer !== undefined)) return;
		clearInterval(timer);
		cancelAnimationFrame(request);
		timer = due ? setInterval(beat, BEAT_MS) : undefined;
		unanswered = 0;
	}

	return {
		setDue,
		setStarted(now) {
			started = now;
		},
		heard(frames, due) {
			if (frames > latestFrames || !due) unanswered = 0;
			latestFrames = frames;
		},
		destroy: () => setDue(false),
	};
}
