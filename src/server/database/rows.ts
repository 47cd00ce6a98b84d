import { type Statement, sql } from "./sql.ts";
import type { Tx } from "./transaction.ts";

/** Counts rows. @param from what follows FROM */
export async function countRows(tx: Tx, from: Statement): Promise<number> {
	const row = await tx.first(
		sql<{ rows: number }>`SELECT CAST(count(*) AS INTEGER) AS "rows" FROM ${from}`,
	);
	return row!.rows;
}

/** Whether there is any row. @param from what follows FROM */
export const isAnyRow = async (tx: Tx, from: Statement): Promise<boolean> =>
	(await tx.all(sql`SELECT 1 AS one FROM ${from} LIMIT 1`)).length > 0;

/** Rows a page at a time. @param read gives `most` rows after one, and fewer at the end */
export async function* inPages<Row>(
	most: number,
	read: (after: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
	for (let after: Row | undefined; ; ) {
		const page = await read(after);
		if (page.length > 0) yield page;
		if (page.length < most) return;
		after = page.at(-1)!;
	}
}
