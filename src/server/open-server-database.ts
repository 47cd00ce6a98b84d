import type { SharedDatabase } from "./database/database.ts";
import { COMMIT_LIMITS } from "./database/group-commit.ts";
import { openPostgres, SERVER_NAME } from "./database/postgres.ts";
import { openSqliteOnThread } from "./database/sqlite/on-thread.ts";
import { threadUrl } from "./database-thread.ts?thread";
import { flushLog, logToStdout } from "./log.ts";
import type { DatabaseSettings } from "./settings.ts";
import { transactions } from "./transactions.ts";

export async function openServerDatabase(
	database: DatabaseSettings,
	parallelCommits: number = COMMIT_LIMITS[database.kind].parallelCommits,
): Promise<SharedDatabase> {
	if (database.kind === "sqlite") {
		return openSqliteOnThread(database.file, { threadUrl, transactions, end });
	}
	// Spare connections keep link pages, admin pages and long reads from waiting for commits.
	const connections = parallelCommits + 4;
	// Shorter than the commit timeout: no statement may run after its visitor got an error.
	return openPostgres(database.url, { connections, queryMs: 3000, name: SERVER_NAME });
}

/** Exits, so that a service manager restarts the server. */
function end(message: string): void {
	logToStdout("error", "database lost", { message });
	void flushLog().then(() => process.exit(1));
}
