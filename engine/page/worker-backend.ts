/**
 * Transfers the canvas only after the worker has proved that it gets WebGL, because
 * `transferControlToOffscreen` cannot be undone.
 */
import {
	isMotionAllowed,
	isVisible,
	type PageMessage,
	type PageState,
	type WorkerMessage,
} from "../messages.ts";
import type { StartBackend } from "./backend.ts";
import { createTrustedWorker } from "./trusted-worker.ts";
import { createWorkerWatch } from "./watch.ts";

/** Time for the worker to load and to report WebGL. */
const PROOF_MS = 15_000;
/** Time for the worker to free its WebGL context before it is terminated. */
const FAREWELL_MS = 1000;

export const workerBackend =
	(createWorker: () => Worker = createTrustedWorker): StartBackend =>
	(canvas, settings, pageState, tell, signal) =>
		new Promise((resolve, reject) => {
			signal.throwIfAborted();
			if (!("transferControlToOffscreen" in canvas))
				throw new Error("There is no OffscreenCanvas.");
			const worker = createWorker();
			const ask = (message: PageMessage) => worker.postMessage(message);
			const watch = createWorkerWatch(
				() => ask({ kind: "ping" }),
				() => fail("The worker is silent."),
			);
			const timeout = setTimeout(() => fail("The worker did not start."), PROOF_MS);
			let playing = false;
			let tick = 0;

			function end(): void {
				clearTimeout(timeout);
				watch.destroy();
				signal.removeEventListener("abort", abort);
				worker.onmessage = null;
				worker.onerror = null;
				worker.onmessageerror = null;
			}

			function fail(reason: string, final = false): void {
				end();
				worker.terminate();
				if (playing) tell.failed(reason, final);
				else reject(new Error(reason));
			}

			function abort(): void {
				fail("The engine was destroyed.");
			}

			function start(): void {
				clearTimeout(timeout);
				signal.removeEventListener("abort", abort);
				const offscreen = canvas.transferControlToOffscreen();
				worker.postMessage({ kind: "start", canvas: offscreen, settings, pageState }, [offscreen]);
				watch.setDue(isDue(pageState));
				playing = true;
				resolve({
					set(changed) {
						ask({ kind: "set", pageState: changed });
						watch.setDue(isDue(pageState));
					},
					seek(sought) {
						tick = sought;
						ask({ kind: "seek", tick });
					},
					tick: () => tick,
					destroy() {
						end();
						ask({ kind: "destroy" });
						setTimeout(() => worker.terminate(), FAREWELL_MS);
					},
				});
			}

			function listen(message: WorkerMessage): void {
				switch (message.kind) {
					case "proof":
						if (message.webgl) start();
						else fail("There is no WebGL in workers.");
						break;
					case "alive":
						tick = message.tick;
						watch.noteReply(message.frames, message.due);
						break;
					case "shown":
						watch.setStarted(message.shown);
						tell.shown(message.shown);
						break;
					case "stats":
						tell.stats(message.stats);
						break;
					case "failed":
						fail(message.reason, message.final);
				}
			}

			signal.addEventListener("abort", abort);
			worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
				try {
					listen(data);
				} catch (error) {
					fail(String(error));
				}
			};
			worker.onmessageerror = () => fail("The worker said something that cannot be read.");
			worker.onerror = (event) => {
				event.preventDefault();
				fail(event.message || "The worker could not be loaded.");
			};
		});

function isDue(pageState: Readonly<PageState>): boolean {
	return isVisible(pageState) && isMotionAllowed(pageState);
}
