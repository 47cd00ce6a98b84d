import type { SharedDatabase } from "../../database/database.ts";
import type { Statement } from "../../database/statement.ts";
import { Refusal } from "../../refusal.ts";
import { noteInAudit, withoutAddresses } from "../../registrations/audit.ts";
import type { Operation } from "../../registrations/operation.ts";
import { proofPlacesOf } from "../../secret.ts";
import type { Settings } from "../../settings.ts";
import type { Asked } from "../page.ts";

/** What an act works with. */
export interface Acting extends Operation<SharedDatabase> {
	/** Notes an act in the audit trail, in the transaction that does it. */
	note(action: string, details?: string): Statement[];
}

/** Does what takes long, such as adding the letters of a wave. */
export interface Acts {
	/**
	 * Returns what was done, or why nothing was, for the founder.
	 *
	 * @throws Error for the log where a fault stopped it: then nobody knows what was done
	 */
	act<Done>(
		by: Pick<Asked, "session" | "now">,
		work: (acting: Acting) => Promise<Done>,
	): Promise<{ done: Done } | { refused: string }>;
	/** Resolves when what is under way is done. */
	close(): Promise<void>;
}

/** Does them beside the visitors, in short transactions. */
export function createActs(settings: Settings, database: SharedDatabase): Acts {
	const places = proofPlacesOf(settings, settings.database);
	const progress = { show: () => {}, end: () => {} };
	const underWay = new Set<Promise<unknown>>();
	return {
		async act({ session: { id: session }, now }, work) {
			const note: Acting["note"] = (action, details = "") => [
				noteInAudit({ session, action, details }, now),
			];
			const working = work({ database, settings, places, progress, now, note });
			underWay.add(working);
			try {
				return { done: await working };
			} catch (error) {
				if (error instanceof Refusal) return { refused: error.message };
				// A database may name the value that it could not take.
				throw new Error(withoutAddresses(error instanceof Error ? error.message : String(error)));
			} finally {
				underWay.delete(working);
			}
		},
		async close() {
			await Promise.allSettled(underWay);
		},
	};
}
