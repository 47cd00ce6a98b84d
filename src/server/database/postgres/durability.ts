import type { ClientBase, Pool } from "pg";

/**
 * Without the first two PostgreSQL acknowledges a commit before it is on disk. Without the third a
 * crash may leave half a page, and with it rows that were there before. Databases of this protocol
 * that have no such setting say null.
 */
const SETTINGS = ["synchronous_commit", "fsync", "full_page_writes"] as const;

const VALUES = `SELECT ${SETTINGS.map((name) => `current_setting('${name}', true) AS ${name}`).join(", ")}`;

/**
 * Sets `synchronous_commit` of this connection, also where it is on: what is set here outlasts every
 * change of the server's, the database's and the role's. A stricter value than `on` stays.
 */
const SET = `SELECT set_config('synchronous_commit', CASE value WHEN 'off' THEN 'on' ELSE value END, false)
	FROM (SELECT current_setting('synchronous_commit', true) AS value) AS found WHERE value IS NOT NULL`;

/**
 * Makes sure that what a new connection commits is on disk when it is acknowledged.
 *
 * @throws Error for the operator when the database's settings do not allow that
 */
export async function makeDurable(client: ClientBase): Promise<void> {
	await client.query(SET);
	await refuseUnlessDurable(client);
}

/** @throws Error for the operator when what is committed now could be lost */
export async function refuseUnlessDurable(connection: ClientBase | Pool): Promise<void> {
	const { rows } = await connection.query<Record<(typeof SETTINGS)[number], string | null>>(VALUES);
	const off = SETTINGS.find((name) => rows[0]![name] === "off");
	if (off) throw new Error(`its ${off} is off: acknowledged addresses could be lost`);
}
