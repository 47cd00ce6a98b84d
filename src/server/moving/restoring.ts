import type { FutureErasures } from "./copy.ts";

/** How a backup is restored. */
export interface Restoring {
	/** Whether to go on where proofs of erasure are lost, or their key. */
	withoutProofs: boolean;
	/** Whether no letter went out after the backup was made. */
	nothingSentSince: boolean;
	futureErasures: FutureErasures | undefined;
	/** Whether the database is an SQLite file made for this restore. */
	isNew: boolean;
	/** Asks the operator a question that only they can answer. */
	agrees: (question: string) => Promise<boolean>;
}
