import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import {
	type PostgresCluster,
	type PostgresDatabases,
	queryPostgres,
	startPostgres,
} from "../../../bench/harness/postgres-cluster.ts";
import { COMMIT_LIMITS, createGroupCommit } from "../../../src/server/database/group-commit.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import type { Log } from "../../../src/server/log.ts";
import { createJoinWriter } from "../../../src/server/mail/emails/requests.ts";
import { openServerDatabase } from "../../../src/server/open-server-database.ts";
import { readRegistrationsByKey } from "../../../src/server/registrations/registrations.ts";
import type { DatabaseSettings } from "../../../src/server/settings.ts";
import { temporaryFolder } from "../../temporary.ts";
import { registrationOf } from "./waitlist-contract.ts";

/** A worker's test files share one server, because starting PostgreSQL takes 1 s of CPU time. */
let shared: Promise<PostgresCluster> | undefined;

export async function createPostgresDatabase(folder?: string): Promise<string> {
	shared ??= startPostgres();
	const url = await (await shared).createDatabase(folder);
	onTestFinished(async () => {
		const { href } = new URL("/postgres", url);
		await queryPostgres(href, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
	});
	return url;
}

/** Starts a PostgreSQL for one test file, which may stop, kill and configure it. */
export function startPostgresForFile(): () => PostgresCluster {
	let cluster: PostgresCluster;
	beforeAll(async () => {
		cluster = await startPostgres();
	});
	afterAll(() => cluster.remove());
	return () => cluster;
}

export type DatabaseKind = "SQLite" | "PostgreSQL";

export async function openWaitlistDatabase(
	settings: DatabaseSettings,
	log: Log = () => {},
	{ asks = false, now }: { asks?: boolean; now?: () => number } = {},
) {
	const database = await openServerDatabase(settings);
	const adding = createJoinWriter(database, { asks, ...(now && { now }) });
	return {
		...database,
		add: adding.add,
		waitlist: createGroupCommit(adding, { ...COMMIT_LIMITS[settings.kind], log }),
	};
}

/** Opens a database like a server that sends confirmation emails. Tests set its clock. */
export async function openDatabaseWithClock(kind: DatabaseKind) {
	const { settings } = await createTestDatabase(kind);
	const clock = { ms: Date.parse("2026-11-22T10:00:00.000Z") };
	const now = () => clock.ms;
	const server = await openWaitlistDatabase(settings, () => {}, { asks: true, now });
	const join = (emails: readonly string[]) => {
		const joinedAt = new Date(clock.ms).toISOString();
		return server.add(emails.map((email) => ({ ...registrationOf(email), joinedAt })));
	};
	return { clock, now, server, join };
}

export interface TestDatabase {
	folder: string;
	env: Record<string, string>;
	settings: DatabaseSettings;
	emails(): Promise<Set<string>>;
}

export async function createTestDatabase(
	kind: DatabaseKind,
	cluster: PostgresDatabases = { createDatabase: createPostgresDatabase },
	databaseFolder?: string,
): Promise<TestDatabase> {
	const folder = (kind === "SQLite" ? databaseFolder : undefined) ?? (await temporaryFolder());
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
			for await (const page of readRegistrationsByKey(database)) {
				for (const { email } of page) emails.add(email);
			}
			await database.close();
			return emails;
		},
	};
}
