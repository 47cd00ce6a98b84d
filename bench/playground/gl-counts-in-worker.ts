/** Prepended to the engine's worker in build.ts: adds WebGL counts to the stats that it sends. */
import type { WorkerMessage } from "../../engine/messages.ts";
import { countGl } from "./gl-counts.ts";

const gl = countGl();
const send = postMessage;

globalThis.postMessage = (message: WorkerMessage) =>
	send(message.kind === "stats" ? { ...message, stats: { ...message.stats, gl } } : message);
