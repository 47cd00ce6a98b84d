import { afterAll } from "vitest";
import { type PgBouncer, type PoolMode, startPgBouncer } from "../../../bench/harness/pgbouncer.ts";
import type { PostgresDatabases } from "../../../bench/harness/postgres-cluster.ts";
import { useOwnPostgres } from "../waitlist/databases.ts";

/** A PostgreSQL for the tests of a file, and the same behind a PgBouncer in either mode. */
export function usePoolers() {
	const cluster = useOwnPostgres();
	const poolers = new Map<PoolMode, Promise<PgBouncer>>();
	afterAll(async () => {
		for (const pooler of poolers.values()) await (await pooler).stop();
	});
	/** The address of a database through a pooler. */
	async function through(mode: PoolMode, url: string): Promise<string> {
		if (!poolers.has(mode)) poolers.set(mode, startPgBouncer(url, mode));
		return (await poolers.get(mode)!).before(url);
	}
	return {
		cluster,
		through,
		/** Its databases are reached through a pooler. */
		behind: (mode: PoolMode): PostgresDatabases => ({
			createDatabase: async () => through(mode, await cluster().createDatabase()),
		}),
	};
}
