import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Client, Pool, PoolClient } from "pg";
import { migrations } from "./schema.ts";

/** A server that is frozen or gone is given up after this; pg itself would wait for ever. */
const CONNECT_MS = 3000;

/** How long a step of the schema may take. */
const MIGRATION_MS = 600_000;

/** How long the database may take to say goodbye, so that a frozen one does not keep us. */
const CLOSE_MS = 2000;

/** Two conflicts of a transaction with others, which ask to be tried again: 40001 and 40P01. */
const CONFLICTS = ["40001", "40P01"];

/** Two copies of the server that create the same table: the second finds it, or its name taken. */
const CREATED_TWICE = ["23505", "42P07", "42710", "42701"];

const TRIES = 4;

/**
 * Connects to a PostgreSQL, brings its schema up to date and makes sure that it keeps what it
 * acknowledges. The pool outlives restarts and freezes of the database.
 *
 * @param url `postgres://…`
 * @param connections how many at most
 * @param queryMs how long a statement may take
 * @throws Error with a sentence for the operator, which does not hold the password
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
		await refuseUnlessDurable(first);
		await migrate(first);
	} catch (error) {
		throw new Error(`The waitlist in ${place} cannot be opened: ${sentenceOf(error)}.`, {
			cause: error,
		});
	} finally {
		await soon(first.end());
	}
	const pool = new pg.Pool({
		...connection,
		max: connections,
		query_timeout: queryMs,
		statement_timeout: queryMs,
	});
	// An idle connection that breaks would end the process; the next query opens another.
	pool.on("error", () => {});
	return pool;
}

/** What went wrong, in words; Node tells all addresses of a name that it tried in one error. */
function sentenceOf(error: unknown): string {
	if (error instanceof AggregateError) return sentenceOf(error.errors[0]);
	return error instanceof Error ? error.message : String(error);
}

/**
 * Runs something again that lost against another transaction. Who lost waits a moment of random
 * length, or both would meet again.
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

/** Runs something in one transaction, on one connection. */
export async function inTransaction<Result>(
	pool: Pool,
	begin: string,
	work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
	const client = await pool.connect();
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
}

/** Closes all connections, also those to a database that does not answer. */
export function closePool(pool: Pool): Promise<void> {
	return soon(pool.end());
}

/** Waits for a goodbye, but not for ever. */
async function soon(goodbye: Promise<void>): Promise<void> {
	const patience = new AbortController();
	const late = wait(CLOSE_MS, undefined, { signal: patience.signal }).catch(() => {});
	await Promise.race([goodbye.catch(() => {}), late]);
	patience.abort();
}

/** Takes the steps that are missing. Several copies of the server may do so at the same time. */
async function migrate(client: Client): Promise<void> {
	if ((await versionOf(client)) === migrations.length) return;
	await retryConflicts(async () => {
		await client.query(
			"CREATE TABLE IF NOT EXISTS waitlist_schema (one INT PRIMARY KEY, version INT)",
		);
		await client.query("INSERT INTO waitlist_schema VALUES (1, 0) ON CONFLICT (one) DO NOTHING");
		await client.query("BEGIN");
		try {
			// The row is the lock: advisory ones are not known to every database of this protocol.
			const { rows } = await client.query("SELECT version FROM waitlist_schema FOR UPDATE");
			for (const step of migrations.slice(Number(rows[0].version))) {
				await client.query(step('TEXT COLLATE "C"'));
			}
			await client.query("UPDATE waitlist_schema SET version = $1", [migrations.length]);
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
	const version = Number(rows[0]?.version ?? 0);
	if (version > migrations.length) {
		throw new Error("it was written by a newer version of this server");
	}
	return version;
}

/** Settings of the server or the database could make an acknowledgement a mere promise. */
async function refuseUnlessDurable(client: Client): Promise<void> {
	const { rows } = await client.query(`
		SELECT current_setting('fsync', true) AS fsync,
			current_setting('synchronous_commit', true) AS synchronous_commit,
			current_setting('server_encoding', true) AS encoding`);
	const { fsync, synchronous_commit, encoding } = rows[0];
	for (const [name, value] of Object.entries({ fsync, synchronous_commit })) {
		if (value === "off") {
			throw new Error(`its ${name} is off: acknowledged addresses could be lost`);
		}
	}
	if (encoding !== null && encoding !== "UTF8") {
		throw new Error(`its encoding is ${encoding} instead of UTF8: it cannot hold every address`);
	}
}
