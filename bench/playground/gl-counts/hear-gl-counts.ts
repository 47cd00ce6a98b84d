import { countGl, type GlCounts, type GlCountsMessage } from "./gl-counts.ts";

/**
 * Counts WebGL calls wherever the engine draws. Workers started later send their counts to `tell`,
 * and the engine does not receive those messages.
 * @returns the counts of this thread
 */
export function hearGlCounts(tell: (counts: GlCounts) => void): GlCounts {
	window.Worker = class extends Worker {
		constructor(url: string | URL, options?: WorkerOptions) {
			super(url, options);
			this.addEventListener("message", (event: MessageEvent<unknown>) => {
				if (!isGlCounts(event.data)) return;
				event.stopImmediatePropagation();
				tell(event.data.counts);
			});
		}
	};
	return countGl();
}

function isGlCounts(message: unknown): message is GlCountsMessage {
	return (message as GlCountsMessage | null)?.kind === "gl-counts";
}
