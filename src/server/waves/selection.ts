import { createHash } from "node:crypto";
import type { Database } from "../database/database.ts";
import { type Dialect, keysAsJson } from "../database/dialect.ts";
import { TAKEN_BACK, type Wave } from "../letters/wave.ts";

/** Whom the operator wants to write to. What is not named selects everybody. */
export interface Selection {
	/** Also people who have not confirmed their address. */
	unconfirmed: boolean;
	/** Only people whom no wave has invited; an invitation goes to nobody else. */
	uninvited: boolean;
	source?: string;
	/** The domain of their addresses, canonical. */
	domain?: string;
	/** Their canonical addresses. */
	keys?: readonly string[];
}

/** The wave that they are selected for. */
export type Selecting = Pick<Wave, "name" | "kind">;

/** People who are looked at together. */
const PAGE_ROWS = 1000;

/** Collects the parameters of a statement. */
function collect(...parameters: (string | number)[]) {
	return {
		parameters,
		/** Adds one, and gives its name in the SQL. */
		put: (value: string | number) => `$${parameters.push(value)}`,
	};
}

type Put = ReturnType<typeof collect>["put"];

/** SQL for the registrations that are selected, whether or not they may get a letter. */
function selected({ source, domain, keys }: Selection, { jsonRows }: Dialect, put: Put): string[] {
	const among = (rows: string) => jsonRows.replace("$1", rows);
	return [
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
 * SQL for the letters that keep their people from getting one of a wave: those of the same wave, and
 * where an invitation counts, those of all waves that invited. Whatever was taken back does not count.
 */
function had({ name, kind }: Selecting, { uninvited }: Selection, put: Put): string {
	const invited = "kind = 'invitation'";
	const same = () => `name = ${put(name)}`;
	const which = kind === "invitation" ? invited : uninvited ? `${invited} OR ${same()}` : same();
	return `letter.wave IN (SELECT name FROM wave WHERE ${which}) AND letter.wave <> ''
		AND letter.code <> '${TAKEN_BACK}'`;
}

/** SQL for a registration whose person may get a letter of a wave now. */
export function eligible(
	wave: Selecting,
	selection: Selection,
	dialect: Dialect,
	put: Put,
): string {
	const person = "SELECT 1 FROM recipient WHERE recipient.email_key = registration.email_key";
	return [
		...selected(selection, dialect, put),
		"registration.flags = ''",
		selection.unconfirmed
			? `NOT EXISTS (${person} AND (left_at <> '' OR bounced_at <> ''))`
			: `EXISTS (${person} AND confirmed_at <> '' AND left_at = '' AND bounced_at = '')`,
		`NOT EXISTS (
			SELECT 1 FROM letter WHERE letter.email_key = registration.email_key
				AND ${had(wave, selection, put)}
		)`,
	].join(" AND ");
}

/** Why people get no letter of a wave: each is counted for the first reason that holds. */
export interface Eligibility {
	/** All who are selected. */
	selected: number;
	left: number;
	bounced: number;
	flagged: number;
	/** They have had a letter of this wave, or an invitation where it counts. */
	had: number;
	unconfirmed: number;
	/** All others: they may get one. */
	eligible: number;
}

/**
 * Counts the people of a selection by why they get no letter.
 *
 * Nothing reads a million registrations with all that is known of them, which takes SQLite 20 s:
 * recipients are read in the order of their table, and the few who are marked or had a letter are
 * looked up.
 */
export async function countEligible(
	{ query, dialect }: Database,
	wave: Selecting,
	selection: Selection,
): Promise<Eligibility> {
	type Counts<Name extends string> = Record<Name, number>;
	const count = (condition: string, name: string) =>
		`CAST(count(CASE WHEN ${condition} THEN 1 END) AS INTEGER) AS "${name}"`;
	async function ask<Name extends string>(
		sql: (where: string, put: Put) => string,
		conditions: readonly string[] = [],
	): Promise<Counts<Name>> {
		const { parameters, put } = collect();
		const all = [...selected(selection, dialect, put), ...conditions];
		const where = all.length > 0 ? `WHERE ${all.join(" AND ")}` : "";
		const [row] = await query<Counts<Name>>(sql(where, put), parameters);
		return row!;
	}
	const withRecipient = "LEFT JOIN recipient ON recipient.email_key = registration.email_key";
	const reachable = ["COALESCE(left_at, '') = ''", "COALESCE(bounced_at, '') = ''"];
	const confirmedOf = `${count("confirmed_at <> ''", "confirmed")}, ${count("true", "all")}`;
	const filtered = [selection.source, selection.domain, selection.keys].some(
		(it) => it !== undefined,
	);
	const { total } = await ask<"total">(
		(where) => `SELECT ${count("true", "total")} FROM registration ${where}`,
	);
	const { left, bounced, confirmed } = await ask<"left" | "bounced" | "confirmed">(
		(where) => `SELECT ${count("left_at <> ''", "left")},
			${count("left_at = '' AND bounced_at <> ''", "bounced")},
			${count("confirmed_at <> '' AND left_at = '' AND bounced_at = ''", "confirmed")}
		FROM recipient
		${filtered ? "JOIN registration ON registration.email_key = recipient.email_key" : ""} ${where}`,
	);
	const flagged = await ask<"confirmed" | "all">(
		(where) => `SELECT ${confirmedOf} FROM registration ${withRecipient} ${where}`,
		[...reachable, "registration.flags <> ''"],
	);
	const before = await ask<"confirmed" | "all">(
		(where, put) => `SELECT ${confirmedOf} FROM registration ${withRecipient} ${where}
			AND registration.email_key IN (
				SELECT letter.email_key FROM letter WHERE ${had(wave, selection, put)}
			)`,
		[...reachable, "registration.flags = ''"],
	);
	const ready = confirmed - flagged.confirmed - before.confirmed;
	const others = total - left - bounced - flagged.all - before.all - ready;
	return {
		...{ selected: total, left, bounced, flagged: flagged.all, had: before.all },
		unconfirmed: selection.unconfirmed ? 0 : others,
		eligible: selection.unconfirmed ? ready + others : ready,
	};
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
	wave: Selecting,
	selection: Selection,
	seed: string | undefined,
): AsyncGenerator<string[]> {
	const { query, dialect } = database;
	if (seed === undefined) {
		for (let after = { createdAt: "", key: "" }; ; ) {
			const { parameters, put } = collect(after.createdAt, after.key);
			const some = ["(created_at, email_key) > ($1, $2)", ...selected(selection, dialect, put)];
			const page = await query<typeof after & { may: number }>(
				`SELECT email_key AS "key", created_at AS "createdAt",
					CASE WHEN ${eligible(wave, selection, dialect, put)} THEN 1 ELSE 0 END AS may
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
			const page = await query<{ key: string; id: string; may: number }>(
				`SELECT registration.email_key AS "key", page.id AS id,
					CASE WHEN ${eligible(wave, selection, dialect, put)} THEN 1 ELSE 0 END AS may
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
				WHERE email_key IN (SELECT value->>0 FROM ${dialect.jsonRows}) ${dialect.takeRows}
				ON CONFLICT (email_key) DO NOTHING`,
				[keysAsJson(page.map(({ key }) => key))],
			),
		);
		after = page.at(-1)!.key;
	}
}
