import { ask, type Query } from "../../database/database.ts";
import { readPauseAt } from "./pace-tables.ts";

/** Why nothing is sent, in a word: what the metric `waitlist_letters_paused` says. */
export const PAUSE_CAUSES = ["unreachable", "refused", "quota", "operator"] as const;

export type PauseCause = (typeof PAUSE_CAUSES)[number];

/** Why nothing is sent, and until when. Copies of the server share it. */
export interface Pause {
	/** ISO 8601; UNTIL_RELEASED of outbox.ts where only the operator ends it. */
	until: string;
	/** A sentence for the operator. */
	reason: string;
	cause: PauseCause;
}

/** @returns null where nothing stops letters now */
export async function readPause(query: Query, now: Date): Promise<Pause | null> {
	const [pause] = await ask(query, readPauseAt(now.toISOString()));
	return pause ?? null;
}
