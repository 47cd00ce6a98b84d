/** Records and verifies in a worker, because the frames of the page's thread are being measured. */
import type { Input } from "../../../engine/simulation/index.ts";
import {
	type Replay,
	record,
	type Verification,
	verify,
} from "../../../engine/simulation/replay.ts";

export type Order =
	| { kind: "record"; seed: number; inputs: readonly Input[]; ticks: number }
	| { kind: "verify"; replay: Replay };

/** The result, or a sentence that explains why there is none. */
export type Answer =
	| { kind: "recorded"; replay: Replay }
	| { kind: "verified"; verdict: Verification }
	| { kind: "refused"; reason: string };

function carryOut(order: Order): Answer {
	try {
		if (order.kind === "verify") return { kind: "verified", verdict: verify(order.replay) };
		return { kind: "recorded", replay: record(order.seed, order.inputs, order.ticks) };
	} catch (error) {
		return { kind: "refused", reason: error instanceof Error ? error.message : String(error) };
	}
}

addEventListener("message", ({ data }: MessageEvent<Order>) => postMessage(carryOut(data)));
