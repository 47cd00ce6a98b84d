import type { ServerDatabase } from "../database/database.ts";
import { type Dialect, keysOf, postgres } from "../database/dialect.ts";
import {
	type Commits,
	type GroupCommit,
	type GroupCommitSettings,
	groupCommit,
} from "../database/group-commit.ts";
import { type Statement, statement } from "../database/statement.ts";
import type { Log } from "../log.ts";
import {
	insertJoined,
	insertStatement,
	probe,
	type Registration,
	rowsAsJson,
	unflagRejoined,
	withAdded,
} from "./registrations.ts";
import type { Keep } from "./wordings.ts";

/** The waitlist, as the rest of the server sees it: what became of a join, and whether it could be kept. */
export type Waitlist = GroupCommit<Registration>;

/** The statements that add a batch, in one transaction. */
export type Joining = (registrations: readonly Registration[]) => {
	/** Gives the keys that were added. */
	added: Statement<{ key: string }>;
	[also: string]: Statement;
};

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

/** Measures a waitlist: see metrics.ts. */
interface Measuring {
	commits(commits: Commits<Registration>): Commits<Registration>;
	waitlist(waitlist: Waitlist): Waitlist;
}

/**
 * Opens the waitlist in a database, which closes with it.
 *
 * @param commits of {@link COMMITS}, by the kind of the database
 * @param joining what a join does, if more than to add a registration
 * @param keep keeps the words that registrations name
 */
export function openWaitlist(
	database: ServerDatabase,
	commits: Omit<GroupCommitSettings, "queueRows" | "log">,
	{
		log,
		metrics,
		joining,
		keep,
	}: {
		log: Log;
		metrics?: Measuring | undefined;
		joining?: Joining | undefined;
		keep?: Keep | undefined;
	},
): Waitlist {
	const settings = { queueRows: QUEUE_ROWS, ...commits, log };
	const adding = addTo(database, joining, keep);
	if (!metrics) return groupCommit(adding, settings);
	return metrics.waitlist(groupCommit(metrics.commits(adding), settings));
}

/** Adds batches of registrations to a database. */
export function addTo(
	{ commit, dialect, probe: tryOut, close }: ServerDatabase,
	joining: Joining = join(dialect),
	keep?: Keep,
): Commits<Registration> {
	return {
		async add(registrations) {
			if (keep) await keep();
			return keysOf((await commit(joining(registrations))).added);
		},
		probe: () => tryOut(probe),
		close,
	};
}

/** Joining without emails. */
function join(dialect: Dialect): Joining {
	if (dialect === postgres) {
		const sql = withAdded(dialect);
		return (registrations) => ({ added: statement(sql, rowsAsJson(registrations)) });
	}
	const [insert, insertEvents] = [insertStatement(dialect), insertJoined(dialect)];
	return (registrations) => {
		const rows = rowsAsJson(registrations);
		return {
			added: statement(insert, rows),
			events: statement(insertEvents, rows),
			unflagged: unflagRejoined(dialect, rows),
		};
	};
}
