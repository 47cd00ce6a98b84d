import type { Once } from "./report.ts";

/** Calls that were heard, in memory. */
export interface Heeded {
	/** `new` begins to hear a call. Then it is `heard`, or `under way` until `end` says what became of it. */
	begin(once: Once, now: number): "new" | "under way" | "heard";
	/** @param heard whether the call needs not be sent again */
	end(once: Once, heard: boolean): void;
}

/** So many are remembered of one provider: 2 MB. */
const MOST = 20_000;

/** Remembers calls for as long as their signatures count. Another copy of the server does not know them. */
export function heedOnce(): Heeded {
	/** In the order in which they came, which is roughly that in which they end. */
	const calls = new Map<string, { until: number; heard: boolean }>();
	return {
		begin({ id, until }, now) {
			const known = calls.get(id);
			if (known) return known.heard ? "heard" : "under way";
			for (const [old, call] of calls) {
				if (calls.size < MOST && call.until > now) break;
				calls.delete(old);
			}
			calls.set(id, { until, heard: false });
			return "new";
		},
		end({ id, until }, heard) {
			if (heard) calls.set(id, { until, heard });
			else calls.delete(id);
		},
	};
}
