/**
 * Notices when a worker no longer plays: one that was killed or hangs says nothing.
 *
 * While frames are due, the worker is asked once a second. Only seconds in which the page itself gets
 * a frame count: a sleeping computer, a covered window or a breakpoint is not the worker's fault.
 */
const BEAT_MS = 1000;

/**
 * Unanswered questions in a row before the worker is given up: 2 s' worth; more while it starts, when
 * it compiles shaders, as it does after a lost context.
 */
const MOST_UNANSWERED = { playing: 2, starting: 10 };

export interface Watch {
	/** Whether frames are due. While none are, nothing is asked. */
	setDue(due: boolean): void;
	/** Whether the worker has shown a frame; after a lost context it starts again. */
	setStarted(started: boolean): void;
	/** An answer: frames so far, and whether there should be more. */
	heard(frames: number, due: boolean): void;
	destroy(): void;
}

/** @param ask is given the ms from one frame of the display to the next, as the page sees it */
export function createWatch(ask: (period: number) => void, handleSilence: () => void): Watch {
	let timer: ReturnType<typeof setInterval> | undefined;
	let request = 0;
	let unanswered = 0;
	let latestFrames = 0;
	let started = false;

	/** Measures the display's period, as the distance of two frames of the page. */
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
