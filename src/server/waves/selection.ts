import type { SharedDatabase } from "../database/database.ts";
import { joinSql, keysIn, type Statement, sql } from "../database/sql.ts";
import type { Tx } from "../database/transaction.ts";
import {
	type Audience,
	type Candidate,
	candidateFor,
	countedAs,
} from "../mail/emails/eligibility.ts";
import type { Wave } from "../mail/wave/wave.ts";

/** Whom the operator wants to write to. What is not named selects everybody. */
export interface Selection extends Audience {
	source?: string;
	/** Their canonical addresses. */
	keys?: readonly string[];
}

/** People who are looked at together. */
const PAGE_ROWS = 1000;

/** SQL for the registrations that are selected, whether or not they may get an email. */
export function selectedBy({ source, keys }: Selection): Statement {
	const all = [
		sql`TRUE`,
		...(source === undefined ? [] : [sql`source = ${source}`]),
		...(keys === undefined ? [] : [sql`registration.email_key IN ${keysIn(keys)}`]),
	];
	return joinSql(all, " AND ");
}

/** A page of people, after one in the order of joining. */
interface Asked {
	wave: Pick<Wave, "name" | "kind">;
	selection: Selection;
	after: { at: string; key: string };
}

/**
 * A transaction that reads a page of people: the last one who was looked at, and the keys of those who may
 * get an email of the wave. The page comes first and the conditions second, because PostgreSQL without
 * statistics would check a million people before it takes a page.
 */
export async function readCandidates(tx: Tx, { wave, selection, after }: Asked) {
	const looked = await tx.all(sql<Candidate & { key: string; at: string }>`
		SELECT email_key AS "key", joined_at AS at, ${candidateFor(wave, selection)}
		FROM (
			SELECT * FROM registration
			WHERE (joined_at, email_key) > (${after.at}, ${after.key}) AND ${selectedBy(selection)}
			ORDER BY joined_at, email_key LIMIT ${PAGE_ROWS}
		) AS registration ORDER BY joined_at, email_key`);
	const eligible = looked.filter((one) => countedAs(one, wave, selection) === "eligible");
	const last = looked.length < PAGE_ROWS ? undefined : looked.at(-1);
	return {
		keys: eligible.map(({ key }) => key),
		last: last && { at: last.at, key: last.key },
	};
}

/** Reads the people who may get an email of a wave, a page at a time, in the order of joining. */
export async function* pagesOf(
	database: SharedDatabase,
	wave: Pick<Wave, "name" | "kind">,
	selection: Selection,
): AsyncGenerator<string[]> {
	for (let after: Asked["after"] | undefined = { at: "", key: "" }; after; ) {
		const page: Awaited<ReturnType<typeof readCandidates>> = await database.read(readCandidates, {
			wave,
			selection,
			after,
		});
		yield page.keys;
		after = page.last;
	}
}
