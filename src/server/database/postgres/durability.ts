import type { Query } from "../database.ts";

/**
 * Without the first two PostgreSQL acknowledges a commit before it is on disk. Without the third a
 * crash may leave half a page, and with it rows that were there before. Databases of this protocol
 * that have no such setting say null.
 */
const SETTINGS = ["synchronous_commit", "fsync", "full_page_writes"] as const;

const VALUES = `SELECT ${SETTINGS.map((name) => `current_setting('${name}', true) AS ${name}`).join(", ")}`;

/**
 * @param query asks where our own settings hold (session.ts)
 * @throws Error for the operator when what is committed now could be lost
 */
export async function refuseUnlessDurable(query: Query): Promise<void> {
	const [values] = await query<Record<(typeof SETTINGS)[number], string | null>>(VALUES);
	const off = SETTINGS.find((name) => values![name] === "off");
	if (off) throw new Error(`its ${off} is off: acknowledged addresses could be lost`);
}
