/**
 * Detects a killed or hung worker by one ping per second. A ping is sent only when the page itself
 * gets frames, because a worker cannot reply while the computer sleeps.
 */
const BEAT_MS = 1000;

/** Unanswered pings after which a worker has failed. More at the start, while shaders compile. */
const MOST_UNANSWERED = { playing: 2, starting: 10 };

export interface WorkerWatch {
	setDue(due: boolean): void;
	setStarted(started: boolean): void;
	noteReply(frames: number, due: boolean): void;
	destroy(): void;
}

export function createWorkerWatch(ping: () => void, handleSilence: () => void): WorkerWatch {
	let timer: ReturnType<typeof setInterval> | undefined;
	let request = 0;
	let unanswered = 0;
	let latestFrames = 0;
	let started = false;

	function beat(): void {
		cancelAnimationFrame(request);
		// Waits two frames, not a fixed time: a busy machine delays the worker's reply as much as frames.
		request = requestAnimationFrame(() => {
			request = requestAnimationFrame(askOrGiveUp);
		});
	}

	function askOrGiveUp(): void {
		if (unanswered >= (started ? MOST_UNANSWERED.playing : MOST_UNANSWERED.starting)) {
			setDue(false);
			handleSilence();
			return;
		}
		unanswered++;
		ping();
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
		noteReply(frames, due) {
			if (frames > latestFrames || !due) unanswered = 0;
			latestFrames = frames;
		},
		destroy: () => setDue(false),
	};
}
