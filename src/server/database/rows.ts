import type { Parameters, Query } from "./statement.ts";

/** Counts rows. @param from what follows FROM, in SQL */
export async function countRows(
	query: Query,
	from: string,
	parameters: Parameters = [],
	counted = "*",
): Promise<number> {
	const [row] = await query<{ rows: number }>(
		`SELECT CAST(count(${counted}) AS INTEGER) AS "rows" FROM ${from}`,
		parameters,
	);
	return row!.rows;
}

/** Whether there is any row. @param from what follows FROM, in SQL */
export async function isAnyRow(
	query: Query,
	from: string,
	parameters: string[] = [],
): Promise<boolean> {
	return (await query(`SELECT 1 AS one FROM ${from} LIMIT 1`, parameters)).length > 0;
}

/** Reads the next page while the caller works on this one. */
export async function* readAhead<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
	for (let next = pages.next(); ; ) {
		const { value, done } = await next;
		if (done) return;
		next = pages.next();
		// Until somebody waits for it.
		next.catch(() => {});
		yield value;
	}
}

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
