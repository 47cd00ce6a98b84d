import { keysIn, keysOf, raw, runEach, type Statement, sql, type Tx } from "../database/sql.ts";

/** The flag of a join whose hidden field was filled in. */
export const HONEYPOT = "honeypot";

/** The flag of a join over the limit of its address or network. The honeypot goes first. */
export const BURST = "burst";

export const BY_OPERATOR = "operator";

/** Whether a join earned a flag. The person's next join without one takes it back. */
export const isEarned = (flag: string) => flag === HONEYPOT || flag === BURST;

export const FLAG_FILTERS = [BURST, HONEYPOT, BY_OPERATOR, "any", "none"] as const;
export type FlagFilter = (typeof FLAG_FILTERS)[number];

export function flagIs(filter: FlagFilter): Statement {
	if (filter === "any") return sql`flag <> ''`;
	if (filter === "none") return sql`flag = ''`;
	// SQLite uses the index of flags only with its own condition.
	return sql`(flag <> '' AND flag = ${raw(`'${filter}'`)})`;
}

/** Flags people, or takes their flags back. Returns the keys of those who changed. */
export async function setFlag(tx: Tx, flag: string, keys: readonly string[]): Promise<string[]> {
	const changed = await tx.all(sql<{ key: string }>`UPDATE registration SET flag = ${flag}
		WHERE email_key IN (
			SELECT email_key FROM registration WHERE email_key IN ${keysIn(keys)}
				AND ${flag === "" ? sql`flag <> ''` : sql`flag = ''`} FOR UPDATE SKIP LOCKED
		) RETURNING email_key AS "key"`);
	return keysOf(changed);
}

/** As the founder asks. Returns the keys of those who changed. @param also runs if somebody changes */
export async function flagPeople(
	tx: Tx,
	{ keys, remove, also }: { keys: readonly string[]; remove: boolean; also: readonly Statement[] },
): Promise<string[]> {
	const changed = await setFlag(tx, remove ? "" : BY_OPERATOR, keys);
	if (changed.length > 0) await runEach(tx, also);
	return changed;
}
