import type { Settings } from "../../settings.ts";
import { openThread } from "../../thread.ts";
import { threadUrl } from "./acts-thread.ts?thread";
import type { PersonAct, PersonOutcome } from "./person-acts.ts";
import type { WaveAct, WaveOutcome } from "./wave-acts.ts";

/** What takes long, by which session and when (ISO 8601). */
export type Act = { session: string; now: string } & (PersonAct | WaveAct);

/** What came of it. */
export type Outcome =
	| PersonOutcome
	| WaveOutcome
	/** Why nothing was done, for the founder. */
	| { refused: string };

/** An act, or the end of the thread. */
export type ToThread = Act | { close: true };

/** Does what takes long: an erasure searches the whole SQLite file, a wave adds its letters. */
export interface Acts {
	/** @throws Error for the log where a fault stopped it: then nobody knows what was done */
	act(act: Act): Promise<Outcome>;
	/** Resolves when what is under way is done. */
	close(): Promise<void>;
}

/**
 * Each act has a thread, because an erasure must not wait for a wave of a million. The threads end by
 * themselves, so that a database that is replaced is not held open in between.
 */
export function createActs(settings: Settings): Acts {
	const underWay = new Set<Promise<Outcome>>();
	async function onThread(act: Act): Promise<Outcome> {
		const thread = await openThread<ToThread, Outcome>({
			url: threadUrl,
			name: "office's act",
			data: () => settings,
		});
		return thread.ask(act).finally(() => thread.end({ close: true }));
	}
	return {
		act(asked) {
			const done = onThread(asked);
			underWay.add(done);
			return done.finally(() => underWay.delete(done));
		},
		async close() {
			await Promise.allSettled(underWay);
		},
	};
}
