import { keysOf, keysSql, raw, runEach, type Statement, sql, type Tx } from "../database/sql.ts";

export const HONEYPOT_FLAG = "honeypot";

/**
 * Flags joins beyond the limit of their IP address or network, as decided by `admitJoin` in
 * http/limits.ts. `honeypot` takes precedence.
 */
export const BURST_FLAG = "burst";

export const FOUNDER_FLAG = "founder";

/** Whether a join caused this flag. The person's next unflagged join then removes it. */
export const isJoinFlag = (flag: string) => flag === HONEYPOT_FLAG || flag === BURST_FLAG;

export const FLAG_FILTERS = [BURST_FLAG, HONEYPOT_FLAG, FOUNDER_FLAG, "any", "none"] as const;
export type FlagFilter = (typeof FLAG_FILTERS)[number];

export function flagFilterSql(filter: FlagFilter): Statement {
	if (filter === "any") return sql`flag <> ''`;
	if (filter === "none") return sql`flag = ''`;
	// SQLite uses the partial index only if the query repeats its condition.
	return sql`(flag <> '' AND flag = ${raw(`'${filter}'`)})`;
}

/** Sets a flag on people without one, or removes it if '' is passed. Returns the changed keys. */
export async function setFlag(tx: Tx, flag: string, keys: readonly string[]): Promise<string[]> {
	const changed = await tx.all(sql<{ key: string }>`UPDATE registration SET flag = ${flag}
		WHERE email_key IN (
			SELECT email_key FROM registration WHERE email_key IN ${keysSql(keys)}
				AND ${flag === "" ? sql`flag <> ''` : sql`flag = ''`} FOR UPDATE SKIP LOCKED
		) RETURNING email_key AS "key"`);
	return keysOf(changed);
}

export async function flagPeople(
	tx: Tx,
	{ keys, remove, also }: { keys: readonly string[]; remove: boolean; also: readonly Statement[] },
): Promise<string[]> {
	const changed = await setFlag(tx, remove ? "" : FOUNDER_FLAG, keys);
	if (changed.length > 0) await runEach(tx, also);
	return changed;
}
