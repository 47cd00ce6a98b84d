import type { ServerDatabase } from "../database/database.ts";
import {
	type Commits,
	type GroupCommit,
	type GroupCommitSettings,
	groupCommit,
} from "../database/group-commit.ts";
import { probe, type Registration } from "./registrations.ts";
import type { Keep } from "./wordings.ts";

/** The waitlist, as the rest of the server sees it: what became of a join, and whether it could be kept. */
export type Waitlist = GroupCommit<Registration>;

/** Adds a batch in one transaction, and gives the keys that were new. */
export type AddBatch = (registrations: readonly Registration[]) => Promise<string[]>;

/** Keeps memory bounded, whatever the database. */
const QUEUE_ROWS = 20_000;

/**
 * SQLite has one writer, for which one commit may wait. PostgreSQL takes the next commit while the
 * last one reaches its disk. When either is frozen, locked or unreachable, a visitor is answered
 * within 5 s (promise 57), of which at least 1 s is left to spare. A lock on SQLite outlasts two
 * commits of 2 s each.
 */
export const COMMITS = {
	sqlite: { batchRows: 1000, parallelCommits: 1, timeoutMs: 4000 },
	postgres: { batchRows: 500, parallelCommits: 2, timeoutMs: 3500 },
} as const;

/**
 * Opens the waitlist in a database, which closes with it.
 *
 * @param settings of {@link COMMITS}, by the kind of the database
 */
export const openWaitlist = (
	adding: Commits<Registration>,
	settings: Omit<GroupCommitSettings, "queueRows">,
): Waitlist => groupCommit(adding, { queueRows: QUEUE_ROWS, ...settings });

/**
 * Adds batches of registrations to a database.
 *
 * @param keep keeps the words that registrations name
 */
export function addTo(
	{ probe: tryOut, close }: ServerDatabase,
	add: AddBatch,
	keep?: Keep,
): Commits<Registration> {
	return {
		async add(registrations) {
			if (keep) await keep();
			return add(registrations);
		},
		probe: () => tryOut(probe),
		close,
	};
}
