/**
 * Detects a killed or hung worker by one ping per second while frames are due. A second counts only
 * if the page itself gets a frame: a sleeping computer, a covered window or a breakpoint must not
 * count against the worker.
 */
const BEAT_MS = 1000;

/**
 * Missed replies after which the worker has failed: 2 s while it plays, more while it starts or
 * restores a context, because that compiles shaders.
 */
const MOST_UNANSWERED = { playing: 2, starting: 10 };

export interface Watch {
	setDue(due: boolean): void;
	/** Whether the worker has shown a frame; reset after a lost context. */
	setStarted(started: boolean): void;
	heard(frames: number, due: boolean): void;
	destroy(): void;
}

/** @param ask sends a ping with the display's frame interval in ms */
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
