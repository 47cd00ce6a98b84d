import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import { cannotOpen } from "../database.ts";
import { postgres } from "../dialect.ts";
import { missingSteps, SCHEMA_VERSION } from "../schema.ts";
import { raw, type Statement, sql, type Tx, txOver } from "../sql.ts";

/** Timeout of a connection to a server that is frozen or gone: pg itself would wait for ever. */
const CONNECT_MS = 3000;

const MIGRATION_MS = 600_000;

/** So that a frozen database cannot hold up the stop of the server. */
const CLOSE_MS = 2000;

/**
 * A transaction lost against another one and may be tried again: serialization failure, deadlock, or the
 * table that another copy of the server has just created.
 */
const CONFLICTS = ["40001", "40P01", "23505", "42P07", "42710", "42701"];

const TRIES = 4;

/**
 * How long our settings hold: for the session, or for one transaction. A pooler may give each
 * transaction the session of another client, and refuses settings with which a connection starts, such as
 * `statement_timeout`. Setting them in every transaction cost 12 to 56 % of the joins.
 */
type Scope = "session" | "transaction";

export interface PoolSettings {
	/** The address for people, without the password. */
	place: string;
	connections: number;
	/** How long a statement may take. */
	queryMs: number;
	/** `application_name` */
	name: string;
}

export interface Connections {
	pool: Pool;
	scope(): Scope;
	/** SQL that begins a transaction with our settings. @param how `BEGIN`, with its modes */
	begin(how: string): string;
}

/**
 * Connects to a PostgreSQL, brings its schema up to date and refuses one that could lose what it
 * acknowledged: each connection again, because its settings may change while this server runs.
 *
 * @throws Error with a sentence for the founder, without the password
 */
export async function openPool(
	url: string,
	{ place, connections, queryMs, name }: PoolSettings,
): Promise<Connections> {
	const { default: pg } = await import("pg");
	let scope: Scope | undefined;
	async function verify(client: ClientBase): Promise<void> {
		scope ??= await scopeOf(client);
		const settings = settingsFor(scope, queryMs);
		await client.query(scope === "session" ? settings : `BEGIN; ${settings}`);
		await refuseUnlessDurable(txOn(client));
		if (scope === "transaction") await client.query("COMMIT");
	}
	const pool = new pg.Pool({
		connectionString: url,
		application_name: name,
		connectionTimeoutMillis: CONNECT_MS,
		keepAlive: true,
		max: connections,
		pipeline: true,
		query_timeout: queryMs,
		verify: (client, done) => void listening(client, () => verify(client)).then(() => done(), done),
	});
	// Without a listener, an idle connection that breaks would end the process.
	pool.on("error", () => {});
	const opened: Connections = {
		pool,
		scope: () => scope!,
		begin: (how) => (scope === "session" ? how : `${how}; ${settingsFor(scope!, queryMs)}`),
	};
	try {
		await retryConflicts(() => inTransaction(opened, "BEGIN", migrate, MIGRATION_MS));
		return opened;
	} catch (error) {
		await closePool(pool);
		throw cannotOpen(`in ${place}`, error);
	}
}

/**
 * PostgreSQL names its process when a connection starts. A pooler (PgBouncer, Supavisor) makes that number
 * up, because it does not know yet which process will answer. A difference for another reason only costs
 * round trips.
 */
async function scopeOf(client: ClientBase): Promise<Scope> {
	const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
	const { processID } = client as { processID?: number | null };
	return rows[0]!.pid === processID ? "session" : "transaction";
}

/**
 * SQL that sets how long a statement may take, and `synchronous_commit`, also where that is on: our
 * setting outlasts every change of the server's, the database's and the role's. A stricter value than `on`
 * stays. Databases of this protocol without the setting say null.
 */
function settingsFor(scope: Scope, queryMs: number): string {
	const isLocal = scope === "transaction";
	return `SELECT set_config('statement_timeout', '${queryMs}', ${isLocal}), (
		SELECT set_config('synchronous_commit', CASE value WHEN 'off' THEN 'on' ELSE value END, ${isLocal})
		FROM (SELECT current_setting('synchronous_commit', true) AS value) AS found
		WHERE value IS NOT NULL
	)`;
}

/**
 * Without the first two PostgreSQL acknowledges a commit before it is on disk. Without the third a
 * crash may leave half a page, and with it rows that were there before.
 */
const DURABLE = ["synchronous_commit", "fsync", "full_page_writes"];

/** Reads the settings that keep a commit; null in databases of this protocol that lack one. */
export async function readDurable(tx: Tx): Promise<[name: string, value: string | null][]> {
	const columns = DURABLE.map((name) => `current_setting('${name}', true) AS ${name}`);
	return Object.entries((await tx.first(raw(`SELECT ${columns}`)))!);
}

/**
 * @param tx runs where our own settings hold
 * @throws Error for the founder when a commit could be lost now
 */
export async function refuseUnlessDurable(tx: Tx): Promise<void> {
	const off = (await readDurable(tx)).find(([, value]) => value === "off");
	if (off) throw new Error(`its ${off[0]} is off: acknowledged addresses could be lost`);
}

export function txOn(connection: Pool | ClientBase, queryMs?: number): Tx {
	return txOver(async <Row extends object>({ text, parameters }: Statement<Row>) => {
		const query = {
			text: postgres.translate(text),
			values: [...parameters],
			query_timeout: queryMs,
		};
		return (await connection.query<Row>(query)).rows;
	});
}

/** Retries work that lost against another transaction. The random back-off keeps both from meeting again. */
export async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
	for (let tries = 1; ; tries++) {
		try {
			return await work();
		} catch (error) {
			const { code } = error as { code?: string };
			if (tries === TRIES || code === undefined || !CONFLICTS.includes(code)) throw error;
			await wait(randomInt(10, 50) * 2 ** tries);
		}
	}
}

/** @param queryMs timeout of each statement, if not that of the connections */
export async function inTransaction<Result>(
	{ pool, begin }: Connections,
	how: string,
	work: (tx: Tx) => Promise<Result>,
	queryMs?: number,
): Promise<Result> {
	const client = await pool.connect();
	return listening(client, async () => {
		try {
			const begun = [client.query(begin(how))];
			if (queryMs) begun.push(client.query(`SET LOCAL statement_timeout = ${queryMs}`));
			// The first statement does not wait for these: a join takes two round trips instead of three.
			const [result] = await Promise.all([work(txOn(client, queryMs)), ...begun]);
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
 * Listens to a connection in use: the pool listens only while it is idle, an error without a listener ends
 * the process, and the statement under way fails as well.
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

export async function closePool(pool: Pool): Promise<void> {
	const late = wait(CLOSE_MS, undefined, { ref: false });
	await Promise.race([pool.end().catch(() => {}), late]);
}

/** Takes the missing steps of the schema. Several copies of the server may do so at once. */
async function migrate(tx: Tx): Promise<void> {
	const found = await tx.first(sql<{ encoding: string | null; name: string | null }>`
		SELECT current_setting('server_encoding', true) AS encoding,
			to_regclass('waitlist_schema') AS name`);
	const { encoding, name } = found!;
	if (encoding !== null && encoding !== "UTF8") {
		throw new Error(`its encoding is ${encoding} instead of UTF8: it cannot hold every address`);
	}
	const missing = async (lock = "") => {
		const row = await tx.first(
			sql<{ version: number }>`SELECT version FROM waitlist_schema ${raw(lock)}`,
		);
		return missingSteps(Number(row?.version ?? 0), postgres);
	};
	if (name !== null && (await missing()).length === 0) return;
	await tx.all(sql`CREATE TABLE IF NOT EXISTS waitlist_schema (one INT PRIMARY KEY, version INT)`);
	await tx.all(sql`INSERT INTO waitlist_schema VALUES (1, 0) ON CONFLICT (one) DO NOTHING`);
	// This row is the lock: not every database of this protocol has advisory locks.
	for (const step of await missing("FOR UPDATE")) await tx.all(raw(step));
	await tx.all(sql`UPDATE waitlist_schema SET version = ${SCHEMA_VERSION}`);
}
