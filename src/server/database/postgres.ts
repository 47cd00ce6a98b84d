import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import { describeDatabase } from "../settings.ts";
import { cannotOpenError, type Database } from "./database.ts";
import { postgresDialect } from "./dialect.ts";
import { pendingMigrations, SCHEMA_VERSION } from "./schema.ts";
import { createTx, raw, type Statement, sql, type Transact, type Tx } from "./sql.ts";

/** Statement timeout of commands and long reads: enough to count a large table. */
export const LONG_QUERY_MS = 120_000;

/** `application_name` that identifies running servers. A pooler may hide it. */
export const SERVER_NAME = "waitlist server";

/** Retryable errors: serialization failure, deadlock, or a table that another server just created. */
const CONFLICTS = ["40001", "40P01", "23505", "42P07", "42710", "42701"];

const TRIES = 4;

const READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

interface PoolSettings {
	connections: number;
	queryMs: number;
	name: string;
}

/** Opens a database that any number of servers and commands may share. @throws Error with a message for the founder */
export async function openPostgres(url: string, settings: PoolSettings): Promise<Database> {
	const place = describeDatabase({ kind: "postgres", url });
	const { pool, isPooled, inTransaction } = await openPool(url, settings).catch((error) => {
		throw cannotOpenError(`in ${place}`, error);
	});
	const run: Transact = (work, input) =>
		retryConflicts(() => inTransaction("BEGIN", (tx) => work(tx, input)));
	const alone = txOn(pool);
	const tx = createTx((statement) =>
		isPooled
			? run((tx) => tx.all(statement), undefined)
			: retryConflicts(() => alone.all(statement)),
	);
	return {
		...tx,
		place,
		transact: run,
		read: (work, input) => inTransaction(READ, (tx) => work(tx, input), LONG_QUERY_MS),
		async exclusive(work) {
			const servers = await tx.all(sql`SELECT 1 AS one FROM pg_stat_activity
				WHERE datname = current_database() AND application_name = ${SERVER_NAME} LIMIT 1`);
			if (servers.length > 0) {
				throw new Error(`${place} is in use: stop every server, and run this again.`);
			}
			return inTransaction("BEGIN ISOLATION LEVEL REPEATABLE READ", work, LONG_QUERY_MS);
		},
		// PostgreSQL overwrites dead rows and recycles its WAL automatically.
		forget: () => Promise.resolve(),
		async check() {
			const version = sql<{ found: string }>`SELECT current_setting('server_version') AS found`;
			return [
				{ name: "PostgreSQL", ok: true, ...(await tx.first(version))! },
				...(await readDurable(tx)).map(([name, value]) => ({
					name,
					ok: value !== "off",
					found: value ?? "this database has no such setting",
				})),
			];
		},
		close: () => closePool(pool),
	};
}

/** Checks durability on each new connection: settings may change while the server runs. */
async function openPool(url: string, { connections, queryMs, name }: PoolSettings) {
	const { default: pg } = await import("pg");
	let isPooled: boolean | undefined;
	const settings = () => settingsFor(isPooled!, queryMs);
	async function verify(client: ClientBase): Promise<void> {
		isPooled ??= await isBehindPooler(client);
		await client.query(isPooled ? `BEGIN; ${settings()}` : settings());
		await refuseUnlessDurable(txOn(client));
		if (isPooled) await client.query("COMMIT");
	}
	const pool = new pg.Pool({
		connectionString: url,
		application_name: name,
		// By default, pg waits forever for an unresponsive server.
		connectionTimeoutMillis: 3000,
		keepAlive: true,
		max: connections,
		pipeline: true,
		query_timeout: queryMs,
		verify: (client, done) => void verify(client).then(() => done(), done),
	});
	// Without listeners, a connection error would end the process.
	pool.on("error", () => {});
	pool.on("connect", (client) => client.on("error", () => {}));

	async function inTransaction<Result>(
		how: string,
		work: (tx: Tx) => Promise<Result>,
		ms?: number,
	): Promise<Result> {
		const client = await pool.connect();
		try {
			const begun = [client.query(isPooled ? `${how}; ${settings()}` : how)];
			if (ms) begun.push(client.query(`SET LOCAL statement_timeout = ${ms}`));
			// Pipelines BEGIN with the first statement: a join takes two round trips instead of three.
			const [result] = await Promise.all([work(txOn(client, ms)), ...begun]);
			await client.query("COMMIT");
			client.release();
			return result;
		} catch (error) {
			// `true` closes the connection, which rolls back in any state.
			client.release(true);
			throw error;
		}
	}

	try {
		await retryConflicts(() => inTransaction("BEGIN", migrate, LONG_QUERY_MS));
	} catch (error) {
		await closePool(pool);
		throw error;
	}
	return { pool, isPooled, inTransaction };
}

/** Detects PgBouncer by its made-up process IDs. Behind it, settings may be lost after a transaction. */
async function isBehindPooler(client: ClientBase): Promise<boolean> {
	const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
	return rows[0]!.pid !== (client as { processID?: number | null }).processID;
}

/** Sets `synchronous_commit` even if it is on: the server's default may change later. */
function settingsFor(isLocal: boolean, queryMs: number): string {
	return `SELECT set_config('statement_timeout', '${queryMs}', ${isLocal}), (
		SELECT set_config('synchronous_commit', CASE value WHEN 'off' THEN 'on' ELSE value END, ${isLocal})
		FROM (SELECT current_setting('synchronous_commit', true) AS value) AS found
		WHERE value IS NOT NULL
	)`;
}

/** Without these settings, a crash may lose commits that were acknowledged. */
const DURABLE = ["synchronous_commit", "fsync", "full_page_writes"];

async function readDurable(tx: Tx): Promise<[name: string, value: string | null][]> {
	const columns = DURABLE.map((name) => `current_setting('${name}', true) AS ${name}`);
	return Object.entries((await tx.first(raw(`SELECT ${columns}`)))!);
}

async function refuseUnlessDurable(tx: Tx): Promise<void> {
	const off = (await readDurable(tx)).find(([, value]) => value === "off");
	if (off) throw new Error(`its ${off[0]} is off: acknowledged addresses could be lost`);
}

function txOn(connection: Pool | ClientBase, ms?: number): Tx {
	return createTx(async <Row extends object>({ text, parameters }: Statement<Row>) => {
		const query = {
			text: postgresDialect.translate(text),
			values: [...parameters],
			query_timeout: ms,
		};
		return (await connection.query<Row>(query)).rows;
	});
}

/** Backs off randomly so that conflicting transactions do not collide again. */
async function retryConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
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

async function closePool(pool: Pool): Promise<void> {
	// An unresponsive database must not delay shutdown.
	const late = wait(2000, undefined, { ref: false });
	await Promise.race([pool.end().catch(() => {}), late]);
}

/** Safe to run on several servers at once. */
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
		return pendingMigrations(Number(row?.version ?? 0), postgresDialect);
	};
	if (name !== null && (await missing()).length === 0) return;
	await tx.all(sql`CREATE TABLE IF NOT EXISTS waitlist_schema (one INT PRIMARY KEY, version INT)`);
	await tx.all(sql`INSERT INTO waitlist_schema VALUES (1, 0) ON CONFLICT (one) DO NOTHING`);
	// Locks a row, because some PostgreSQL-compatible databases lack advisory locks.
	for (const step of await missing("FOR UPDATE")) await tx.all(raw(step));
	await tx.all(sql`UPDATE waitlist_schema SET version = ${SCHEMA_VERSION}`);
}
