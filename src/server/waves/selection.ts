import type { SharedDatabase } from "../database/database.ts";
import { joinSql, keysIn, keysOf, type Statement, sql, type Tx } from "../database/sql.ts";
import type { Wave } from "../mail/waves.ts";
import { type Audience, type Candidate, candidateFor, countedAs } from "./eligibility.ts";

/** The people that a wave chooses among: by default all. */
export interface Selection extends Audience {
	source?: string | undefined;
	/** Their canonical addresses. */
	keys?: readonly string[] | undefined;
}

const PAGE_ROWS = 1000;

export function selectedBy({ source, keys }: Selection): Statement {
	const all = [
		sql`TRUE`,
		...(source === undefined ? [] : [sql`source = ${source}`]),
		...(keys === undefined ? [] : [sql`registration.email_key IN ${keysIn(keys)}`]),
	];
	return joinSql(all, " AND ");
}

interface Page {
	wave: Pick<Wave, "name" | "kind">;
	selection: Selection;
	after: { at: string; key: string };
}

/**
 * Reads a page of selected people, the earliest join first: the last one, and the keys of those who may get an
 * email. The page comes first and the conditions second: PostgreSQL without statistics would check a million
 * people before it takes a page.
 */
export async function readCandidates(tx: Tx, { wave, selection, after }: Page) {
	const selected = await tx.all(sql<Candidate & { key: string; at: string }>`
		SELECT email_key AS "key", joined_at AS at, ${candidateFor(wave, selection)}
		FROM (
			SELECT * FROM registration
			WHERE (joined_at, email_key) > (${after.at}, ${after.key}) AND ${selectedBy(selection)}
			ORDER BY joined_at, email_key LIMIT ${PAGE_ROWS}
		) AS registration ORDER BY joined_at, email_key`);
	const eligible = selected.filter((one) => countedAs(one, wave, selection) === "eligible");
	const last = selected.length < PAGE_ROWS ? undefined : selected.at(-1);
	return { keys: keysOf(eligible), last: last && { at: last.at, key: last.key } };
}

/** Reads the people who may get an email of a wave, a page at a time, the earliest join first. */
export async function* pagesOf(
	database: SharedDatabase,
	wave: Page["wave"],
	selection: Selection,
): AsyncGenerator<string[]> {
	for (let after: Page["after"] | undefined = { at: "", key: "" }; after; ) {
		const input = { wave, selection, after };
		const page: Awaited<ReturnType<typeof readCandidates>> = await database.read(
			readCandidates,
			input,
		);
		yield page.keys;
		after = page.last;
	}
}
