/**
 * Notices when a worker no longer plays: one that is killed says nothing, nor does one that hangs.
 *
 * While frames are due it is asked once a second. Only seconds in which the page itself gets a frame
 * count, so that a sleeping computer, a covered window or a page at a breakpoint is not held against
 * the worker.
 */
const BEAT_MS = 1000;

/** Questions in a row without a sign of life: 2 s, or longer while it compiles, as it does after a loss. */
const PATIENCE = { playing: 2, starting: 10 };

export interface Watch {
	/** Whether frames are due: nothing is asked otherwise. */
	setDue(due: boolean): void;
	/** It has shown a picture; or has none any more, and starts anew. */
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

	/** Two frames of the page, whose distance is the display's period. */
	function beat(): void {
		cancelAnimationFrame(request);
		request = requestAnimationFrame((beforeMs) => {
			request = requestAnimationFrame((timeMs) => askOrGiveUp(timeMs - beforeMs));
		});
	}

	function askOrGiveUp(period: number): void {
		if (unanswered >= (started ? PATIENCE.playing : PATIENCE.starting)) {
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
