import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Client, ClientBase, Pool } from "pg";
import { cannotOpen, type Query } from "../database.ts";
import { postgres } from "../dialect.ts";
import { missingSteps, SCHEMA_VERSION } from "../schema-version.ts";
import { refuseUnlessDurable } from "./durability.ts";
import { type Scope, scopeOf, settingsFor } from "./session.ts";

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

/** Connections to a PostgreSQL, whose settings hold for all that is asked by them. */
export interface Connections {
	pool: Pool;
	/** Where our settings hold. Behind a pooler only in a transaction that {@link begin} begins. */
	scope(): Scope;
	/** SQL that begins a transaction with our settings. @param how `BEGIN`, with its modes */
	begin(how: string): string;
}

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
): Promise<Connections> {
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
	let scope: Scope;
	try {
		await first.connect();
		scope = await scopeOf(first);
		await makeDurable(first, scope, MIGRATION_MS);
		await refuseOtherEncoding(first);
		await migrate(first, beginIn(scope, MIGRATION_MS));
	} catch (error) {
		throw cannotOpen(`in ${place}`, error);
	} finally {
		await soon(first.end());
	}
	/** @throws Error when a pooler came between: what waits for this connection expects none */
	async function verify(client: ClientBase): Promise<void> {
		const expected = scope;
		if ((await scopeOf(client)) === "transaction") scope = "transaction";
		if (scope !== expected) throw new Error("there is a pooler before the database from now on");
		await makeDurable(client, scope, queryMs);
	}
	const pool = new pg.Pool({
		...connection,
		max: connections,
		query_timeout: queryMs,
		verify: (client, done) => void listening(client, () => verify(client)).then(() => done(), done),
	});
	// Without a listener, an idle connection that breaks would end the process.
	pool.on("error", () => {});
	return { pool, scope: () => scope, begin: (how) => beginIn(scope, queryMs)(how) };
}

/**
 * Asks one question on a connection, or on any of a pool.
 *
 * @param queryMs timeout of each, if not that of the connection
 */
export function queryOn(connection: Pool | ClientBase, queryMs?: number): Query {
	return async <Selected extends object>(
		sql: string,
		parameters: readonly (string | number)[] = [],
	) => {
		const asked = { text: sql, values: [...parameters], query_timeout: queryMs };
		return (await connection.query<Selected>(asked)).rows;
	};
}

const beginIn = (scope: Scope, queryMs: number) => (how: string) =>
	scope === "session" ? how : `${how}; ${settingsFor(scope, queryMs)}`;

/**
 * Makes sure that what a new connection commits is on disk when it is acknowledged, and that its
 * statements end.
 *
 * @throws Error for the operator when the database's settings do not allow that
 */
async function makeDurable(client: ClientBase, scope: Scope, queryMs: number): Promise<void> {
	const begin = beginIn(scope, queryMs);
	await client.query(scope === "session" ? settingsFor(scope, queryMs) : begin("BEGIN"));
	await refuseUnlessDurable(queryOn(client));
	if (scope === "transaction") await client.query("COMMIT");
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

/**
 * Runs work in one transaction, on one connection.
 *
 * @param how `BEGIN`, with its modes
 * @param queryMs timeout of each statement, if not that of the connections
 */
export async function inTransaction<Result>(
	{ pool, begin }: Connections,
	how: string,
	work: (query: Query) => Promise<Result>,
	queryMs?: number,
): Promise<Result> {
	const client = await pool.connect();
	return listening(client, async () => {
		try {
			await client.query(begin(how));
			if (queryMs) await client.query(`SET LOCAL statement_timeout = ${queryMs}`);
			const result = await work(queryOn(client, queryMs));
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
async function migrate(client: Client, begin: Connections["begin"]): Promise<void> {
	if (missingSteps(await versionOf(client), postgres).length === 0) return;
	await retryConflicts(async () => {
		await client.query(
			"CREATE TABLE IF NOT EXISTS waitlist_schema (one INT PRIMARY KEY, version INT)",
		);
		await client.query("INSERT INTO waitlist_schema VALUES (1, 0) ON CONFLICT (one) DO NOTHING");
		await client.query(begin("BEGIN"));
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
