import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type PostgresCluster, startPostgres } from "../../../bench/harness/postgres-cluster.ts";
import { openDatabase } from "../../../src/server/operator/database/open-database.ts";
import { inOrderOfKey } from "../../../src/server/operator/database/registrations.ts";
import type { DatabaseSettings } from "../../../src/server/settings.ts";
import { temporaryFolder } from "../../temporary.ts";

/** Starts a PostgreSQL before the tests of a file and removes it after them. */
export function usePostgres(): () => PostgresCluster {
	let cluster: PostgresCluster | undefined;
	beforeAll(async () => {
		cluster = await startPostgres();
	});
	afterAll(() => cluster?.remove());
	return () => cluster!;
}

export type DatabaseKind = "SQLite" | "PostgreSQL";

/** Where a test's servers keep their addresses. */
export interface Place {
	folder: string;
	env: Record<string, string>;
	settings: DatabaseSettings;
	/** Every address as typed, read over a connection of its own. */
	emails(): Promise<Set<string>>;
}

/**
 * Gives a test a database of its own.
 *
 * @param databaseFolder where a PostgreSQL keeps its files, if not with the others
 */
export async function placeOf(
	kind: DatabaseKind,
	cluster: PostgresCluster,
	databaseFolder?: string,
): Promise<Place> {
	const folder = await temporaryFolder();
	const url = kind === "PostgreSQL" ? await cluster.createDatabase(databaseFolder) : undefined;
	const settings: DatabaseSettings = url
		? { kind: "postgres", url }
		: { kind: "sqlite", file: join(folder, "data/waitlist.db") };
	return {
		folder,
		env: url ? { DATABASE_URL: url } : {},
		settings,
		async emails() {
			const database = await openDatabase(settings, { create: false });
			const emails = new Set<string>();
			for await (const page of inOrderOfKey(database.query)) {
				for (const { email } of page) emails.add(email);
			}
			await database.close();
			return emails;
		},
	};
}
