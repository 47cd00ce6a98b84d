import type { ClientBase } from "pg";
import { raw } from "../sql.ts";
import type { Tx } from "../transaction.ts";

/**
 * How long settings hold: in a session of ours, or only in the transaction under way. A pooler may
 * give each transaction the session of another client, and refuses settings with which a connection
 * starts, such as `statement_timeout`.
 */
export type Scope = "session" | "transaction";

/**
 * Tells whether a session is ours alone, without a setting. PostgreSQL names its process when a
 * connection starts; a pooler (PgBouncer, Supavisor) makes that number up, because it does not know
 * yet which process will answer. What differs for another reason only costs round trips.
 */
export async function scopeOf(client: ClientBase): Promise<Scope> {
	const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
	const { processID } = client as { processID?: number | null };
	return rows[0]!.pid === processID ? "session" : "transaction";
}

/**
 * SQL that sets how long a statement may take, and `synchronous_commit`, also where that is on: what
 * is set here outlasts every change of the server's, the database's and the role's. A stricter value
 * than `on` stays. Databases of this protocol that have no such setting say null.
 */
export function settingsFor(scope: Scope, queryMs: number): string {
	const isLocal = scope === "transaction";
	return `SELECT set_config('statement_timeout', '${queryMs}', ${isLocal}), (
		SELECT set_config('synchronous_commit', CASE value WHEN 'off' THEN 'on' ELSE value END, ${isLocal})
		FROM (SELECT current_setting('synchronous_commit', true) AS value) AS found
		WHERE value IS NOT NULL
	)`;
}

/**
 * Without the first two PostgreSQL acknowledges a commit before it is on disk. Without the third a
 * crash may leave half a page, and with it rows that were there before. Databases of this protocol
 * that have no such setting say null.
 */
const DURABLE = ["synchronous_commit", "fsync", "full_page_writes"] as const;

const VALUES = raw(
	`SELECT ${DURABLE.map((name) => `current_setting('${name}', true) AS ${name}`)}`,
);

/**
 * @param tx runs where our own settings hold
 * @throws Error for the operator when what is committed now could be lost
 */
export async function refuseUnlessDurable(tx: Tx): Promise<void> {
	const [values] = (await tx.all(VALUES)) as Record<(typeof DURABLE)[number], string | null>[];
	const off = DURABLE.find((name) => values![name] === "off");
	if (off) throw new Error(`its ${off} is off: acknowledged addresses could be lost`);
}
