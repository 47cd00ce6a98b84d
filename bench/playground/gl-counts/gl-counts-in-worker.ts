/** Prepended to the engine's worker in the playground. Counts there and reports to the page. */
import { countGl, type GlCountsMessage } from "./gl-counts.ts";

const TELL_EVERY_MS = 200;
const counts = countGl();
let told = 0;

setInterval(() => {
	if (counts.calls === told) return;
	told = counts.calls;
	const message: GlCountsMessage = { kind: "gl-counts", counts };
	postMessage(message);
}, TELL_EVERY_MS);
