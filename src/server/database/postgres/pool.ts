import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Client, ClientBase, Pool, PoolClient } from "pg";
import { cannotOpen } from "../database.ts";
import { postgres } from "../dialect.ts";
import { missingSteps, SCHEMA_VERSION } from "../schema-steps.ts";
import { makeDurable } from "./durability.ts";

/** Timeout of a connection to a server that is frozen or gone: pg itself would wait for ever. */
const CONNECT_MS = 3000;

/** How long a step of the schema may take. */
const MIGRATION_MS = 600_000;

/** How long closing may take, so that a frozen database cannot hold up the stop of the server. */
const CLOSE_MS = 2000;

/** A transaction lost against another one and may be tried again: serialization failure, deadlock. */
const CONFLICTS = ["40001", "40P01"];

/** Two copies of the server create the same table: the second one finds it, or its name, taken. */
const CREATED_TWICE = ["23505", "42P07", "42710", "42701"];

const TRIES = 4;

/**
 * Connects to a PostgreSQL, brings its schema up to date and refuses one that could lose what it
 * acknowledged: each connection again, because its settings may change while this server runs. The
 * pool survives restarts and freezes of the database.
 *
 * @param url `postgres://…`
 * @param connections how many at most
 * @param queryMs how long a statement may take
 * @throws Error with a sentence for the operator, without the password
 */
export async function openPool(
	url: string,
	{ place, connections, queryMs }: { place: string; connections: number; queryMs: number },
): Promise<Pool> {
	const { default: pg } = await import("pg");
	const connection = {
		connectionString: url,
		application_name: "waitlist",
		connectionTimeoutMillis: CONNECT_MS,
		keepAlive: true,
	};
	// A connection of its own: an index on a million rows takes longer than any join may.
	const first = new pg.Client({ ...connection, query_timeout: MIGRATION_MS });
	first.on("error", () => {});
	try {
		await first.connect();
		await makeDurable(first);
		await refuseOtherEncoding(first);
		await migrate(first);
	} catch (error) {
		throw cannotOpen(`in ${place}`, error);
	} finally {
		await soon(first.end());
	}
	const pool = new pg.Pool({
		...connection,
		max: connections,
		query_timeout: queryMs,
		statement_timeout: queryMs,
		verify: (client, done) =>
			void listening(client, () => makeDurable(client)).then(() => done(), done),
	});
	// Without a listener, an idle connection that breaks would end the process.
	pool.on("error", () => {});
	return pool;
}

/**
 * Runs work again when it lost against another transaction, after a back-off of random length:
 * with equal ones both would meet again.
 */
export async function retryConflicts<Result>(
	work: () => Promise<Result>,
	codes: readonly string[] = CONFLICTS,
): Promise<Result> {
	for (let tries = 1; ; tries++) {
		try {
			return await work();
		} catch (error) {
			const { code } = error as { code?: string };
			if (tries === TRIES || code === undefined || !codes.includes(code)) throw error;
			await wait(randomInt(10, 50) * 2 ** tries);
		}
	}
}

/** Runs work in one transaction, on one connection. */
export async function inTransaction<Result>(
	pool: Pool,
	begin: string,
	work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
	const client = await pool.connect();
	return listening(client, async () => {
		try {
			await client.query(begin);
			const result = await work(client);
			await client.query("COMMIT");
			client.release();
			return result;
		} catch (error) {
			// A connection in an unknown state is closed, which rolls back.
			client.release(true);
			throw error;
		}
	});
}

/**
 * Works on a connection that may break meanwhile. The pool listens only while a connection is idle,
 * an error without a listener ends the process, and the statement under way fails as well.
 */
async function listening<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
	const ignore = () => {};
	client.on("error", ignore);
	try {
		return await work();
	} finally {
		client.off("error", ignore);
	}
}

/** Closes all connections, also those to a database that does not answer. */
export function closePool(pool: Pool): Promise<void> {
	return soon(pool.end());
}

/** Waits for the end of a connection, but not longer than {@link CLOSE_MS}. */
async function soon(closing: Promise<void>): Promise<void> {
	const timeout = new AbortController();
	const late = wait(CLOSE_MS, undefined, { signal: timeout.signal }).catch(() => {});
	await Promise.race([closing.catch(() => {}), late]);
	timeout.abort();
}

/** Takes the missing steps of the schema. Several copies of the server may do so at once. */
async function migrate(client: Client): Promise<void> {
	if (missingSteps(await versionOf(client), postgres).length === 0) return;
	await retryConflicts(async () => {
		await client.query(
			"CREATE TABLE IF NOT EXISTS waitlist_schema (one INT PRIMARY KEY, version INT)",
		);
		await client.query("INSERT INTO waitlist_schema VALUES (1, 0) ON CONFLICT (one) DO NOTHING");
		await client.query("BEGIN");
		try {
			// This row is the lock: not every database of this protocol has advisory locks.
			const { rows } = await client.query("SELECT version FROM waitlist_schema FOR UPDATE");
			for (const step of missingSteps(Number(rows[0].version), postgres)) {
				await client.query(step);
			}
			await client.query("UPDATE waitlist_schema SET version = $1", [SCHEMA_VERSION]);
			await client.query("COMMIT");
		} catch (error) {
			await client.query("ROLLBACK");
			throw error;
		}
	}, [...CONFLICTS, ...CREATED_TWICE]);
}

/** How many steps the database has taken. */
async function versionOf(client: Client): Promise<number> {
	const { rows: found } = await client.query("SELECT to_regclass('waitlist_schema') AS name");
	if (found[0].name === null) return 0;
	const { rows } = await client.query("SELECT version FROM waitlist_schema");
	return Number(rows[0]?.version ?? 0);
}

async function refuseOtherEncoding(client: Client): Promise<void> {
	const { rows } = await client.query(
		"SELECT current_setting('server_encoding', true) AS encoding",
	);
	const { encoding } = rows[0];
	if (encoding !== null && encoding !== "UTF8") {
		throw new Error(`its encoding is ${encoding} instead of UTF8: it cannot hold every address`);
	}
}
