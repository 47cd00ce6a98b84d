import type { SharedDatabase } from "../../database/database.ts";
import { proofPlacesOf } from "../../secret.ts";
import type { Settings } from "../../settings.ts";
import { withoutAddresses } from "../../waitlist/audit.ts";
import { Refusal } from "../../waitlist/operation.ts";
import { actOnPerson, type PersonAct, type PersonOutcome } from "./person-acts.ts";
import { actOnWave, type WaveAct, type WaveOutcome } from "./wave-acts.ts";

/** What takes long, by which session and when (ISO 8601). */
export type Act = { session: string; now: string } & (PersonAct | WaveAct);

/** What came of it. */
export type Outcome =
	| PersonOutcome
	| WaveOutcome
	/** Why nothing was done, for the founder. */
	| { refused: string };

/** Does what takes long, such as adding the letters of a wave. */
export interface Acts {
	/** @throws Error for the log where a fault stopped it: then nobody knows what was done */
	act(act: Act): Promise<Outcome>;
	/** Resolves when what is under way is done. */
	close(): Promise<void>;
}

/** Does them beside the visitors, in short transactions. */
export function createActs(settings: Settings, database: SharedDatabase): Acts {
	const places = proofPlacesOf(settings, settings.database);
	const progress = { show: () => {}, end: () => {} };
	const underWay = new Set<Promise<Outcome>>();
	async function perform(act: Act): Promise<Outcome> {
		const operation = { database, settings, places, now: new Date(act.now), progress };
		try {
			return await ("key" in act ? actOnPerson(operation, act) : actOnWave(operation, act));
		} catch (error) {
			if (error instanceof Refusal) return { refused: error.message };
			// A database may name the value that it could not take.
			throw new Error(withoutAddresses(error instanceof Error ? error.message : String(error)));
		}
	}
	return {
		act(asked) {
			const done = perform(asked);
			underWay.add(done);
			return done.finally(() => underWay.delete(done));
		},
		async close() {
			await Promise.allSettled(underWay);
		},
	};
}
