import type { CallId } from "./feedback.ts";

/** Calls that came, in memory. */
export interface ReplayGuard {
	/** `new` begins a call. Then it is `accepted`, or `under way` until `end` says what became of it. */
	begin(call: CallId, now: number): "new" | "under way" | "accepted";
	/** @param accepted whether the call need not be sent again */
	end(call: CallId, accepted: boolean): void;
}

/** So many are remembered of one provider: 2 MB. */
const MOST = 20_000;

/** Remembers calls for as long as their signatures count. Another copy of the server does not know them. */
export function createReplayGuard(): ReplayGuard {
	/** In the order in which they came, which is roughly that in which they end. */
	const calls = new Map<string, { until: number; accepted: boolean }>();
	return {
		begin({ id, until }, now) {
			const known = calls.get(id);
			if (known) return known.accepted ? "accepted" : "under way";
			for (const [old, call] of calls) {
				if (calls.size < MOST && call.until > now) break;
				calls.delete(old);
			}
			calls.set(id, { until, accepted: false });
			return "new";
		},
		end({ id, until }, accepted) {
			if (accepted) calls.set(id, { until, accepted });
			else calls.delete(id);
		},
	};
}
