import { createHash } from "node:crypto";
import { collect, type Database, type Put } from "../database/database.ts";
import { type Dialect, keysAsJson, ofPeople } from "../database/dialect.ts";
import { type Audience, mayGet } from "../letters/eligibility.ts";
import type { Wave } from "../letters/wave/wave.ts";

/** Whom the operator wants to write to. What is not named selects everybody. */
export interface Selection extends Audience {
	source?: string;
	/** The domain of their addresses, canonical. */
	domain?: string;
	/** Their canonical addresses. */
	keys?: readonly string[];
}

/** People who are looked at together. */
const PAGE_ROWS = 1000;

/** SQL for the registrations that are selected, whether or not they may get a letter. */
export function selectedBy({ source, domain, keys }: Selection, { jsonRows }: Dialect) {
	const among = (rows: string) => jsonRows.replace("$1", rows);
	return (put: Put): string[] => [
		...(source === undefined ? [] : [`registration.source = ${put(source)}`]),
		...(domain === undefined
			? []
			: [`registration.email_key LIKE ${put(endsIn(domain))} ESCAPE '!'`]),
		...(keys === undefined
			? []
			: [`registration.email_key IN (SELECT value->>0 FROM ${among(put(keysAsJson(keys)))})`]),
	];
}

function endsIn(domain: string): string {
	return `%@${domain.replace(/[!%_]/g, "!$&")}`;
}

/**
 * The people who may get a letter of a wave, a page at a time: whoever joined first comes first, or by
 * chance. The order of chance is that of recipients' ids, which are random themselves: the seed says
 * where in their circle to begin. So a small wave out of a million reads no more than it needs.
 *
 * The page comes first, and then who of it may get one: PostgreSQL would do it the other way round
 * for a million people while it has no statistics.
 */
export async function* pagesOf(
	database: Database,
	wave: Pick<Wave, "name" | "kind">,
	selection: Selection,
	seed: string | undefined,
): AsyncGenerator<string[]> {
	const { query } = database;
	const selected = selectedBy(selection, database.dialect);
	if (seed === undefined) {
		for (let after = { createdAt: "", key: "" }; ; ) {
			const { parameters, put } = collect(after.createdAt, after.key);
			const some = ["(created_at, email_key) > ($1, $2)", ...selected(put)];
			const page = await query<typeof after & { may: number }>(
				`SELECT email_key AS "key", created_at AS "createdAt",
					CASE WHEN ${mayGet(wave, selection, put)} THEN 1 ELSE 0 END AS may
				FROM (
					SELECT * FROM registration WHERE ${some.join(" AND ")}
					ORDER BY created_at, email_key LIMIT ${PAGE_ROWS}
				) AS registration ORDER BY created_at, email_key`,
				parameters,
			);
			yield page.filter(({ may }) => may === 1).map(({ key }) => key);
			if (page.length < PAGE_ROWS) return;
			after = page.at(-1)!;
		}
	}
	if (selection.unconfirmed) await meetEverybody(database);
	const start = createHash("sha256").update(seed).digest("hex").slice(0, 32);
	// No id is as large as "g".
	for (const [from, to] of [
		[start, "g"],
		["", start],
	] as const) {
		for (let after = from; ; ) {
			const { parameters, put } = collect(after, to);
			const may = [...selected(put), mayGet(wave, selection, put)].join(" AND ");
			const page = await query<{ key: string; id: string; may: number }>(
				`SELECT registration.email_key AS "key", page.id AS id,
					CASE WHEN ${may} THEN 1 ELSE 0 END AS may
				FROM (
					SELECT email_key, id FROM recipient WHERE id > $1 AND id <= $2
					ORDER BY id LIMIT ${PAGE_ROWS}
				) AS page
				JOIN registration ON registration.email_key = page.email_key ORDER BY page.id`,
				parameters,
			);
			yield page.filter(({ may }) => may === 1).map(({ key }) => key);
			if (page.length < PAGE_ROWS) break;
			after = page.at(-1)!.id;
		}
	}
}

/** Gives an id to all who have none, because no letter was sent to them. */
async function meetEverybody(database: Database): Promise<void> {
	const { query, dialect } = database;
	for (let after = ""; ; ) {
		const page = await query<{ key: string }>(
			`SELECT email_key AS "key" FROM registration
			WHERE email_key > $1 AND NOT EXISTS (
				SELECT 1 FROM recipient WHERE recipient.email_key = registration.email_key
			) ORDER BY email_key LIMIT 200`,
			[after],
		);
		if (page.length === 0) return;
		// Whoever is being erased is left out.
		await database.transaction((inside) =>
			inside(
				`INSERT INTO recipient (email_key, id)
				SELECT email_key, ${dialect.randomId} FROM registration
				WHERE ${ofPeople(dialect)} ${dialect.takeRows}
				ON CONFLICT (email_key) DO NOTHING`,
				[keysAsJson(page.map(({ key }) => key))],
			),
		);
		after = page.at(-1)!.key;
	}
}
