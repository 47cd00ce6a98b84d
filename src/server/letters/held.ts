import type { Database, Query } from "../database/database.ts";
import { countWhere, keysAsJson, keysOf, ofPeople } from "../database/dialect.ts";
import type { Operation } from "../waitlist/operation.ts";
import { askFirst, UNASKED } from "./asking.ts";
import { HELD, UNSENT } from "./letter.ts";
import { UNWANTED } from "./who-may.ts";

/** SQL for a letter that `waitlist release` lets go. */
export const HELD_BY_OPERATOR = `letter.held & ${HELD.byOperator} <> 0`;

/** Letters that are still to be sent, and that somebody keeps. */
export interface HeldCounts {
	/** Until `waitlist release`, whoever else keeps them. */
	byOperator: number;
	/** By the pause of their wave alone. */
	byWave: number;
}

/** Counts what is held. */
export async function countHeld(query: Query): Promise<HeldCounts> {
	const [counts] = await query<HeldCounts>(
		`SELECT ${countWhere(HELD_BY_OPERATOR)} AS "byOperator",
			${countWhere(`held = ${HELD.byWave}`)} AS "byWave"
		FROM letter WHERE ${UNSENT}`,
	);
	return counts!;
}

/** Holds the letters to people that are still to be sent. Gives the key of its person for each letter. */
export function holdLetters(database: Database, keys: readonly string[]): Promise<string[]> {
	return database.transaction(async (query) =>
		keysOf(
			await query<{ key: string }>(
				`UPDATE letter SET held = held | ${HELD.byOperator}
				WHERE NOT (${HELD_BY_OPERATOR}) AND ${UNSENT} AND ${ofPeople(database.dialect)}
				RETURNING email_key AS "key"`,
				[keysAsJson(keys)],
			),
		),
	);
}

/** Whose letters are let go: those whose keys these are, or all who fit. */
export type Releasing = { keys: readonly string[] } | Fitting;

interface Fitting {
	/** Only letters that are held: nobody is asked. */
	held?: boolean;
	/** Only those whom the trap has marked, who are asked only so. */
	flagged?: boolean;
	source?: string;
	/** ISO 8601 in UTC with milliseconds. */
	since?: string;
}

/** What a release has done. */
export interface Released {
	/** Held letters that go now. */
	letGo: number;
	/** People who are asked to confirm for the first time. */
	asked: number;
	/** The keys of all of them, where people were named. */
	changed: Set<string>;
}

/** SQL for a letter that may be let go. */
const RELEASABLE = `${HELD_BY_OPERATOR} AND ${UNSENT} AND NOT ${UNWANTED}`;

/** People of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/** Lets letters go and asks who was never asked, a page of people at a time, or only counts them. */
export async function releaseLetters(
	{ database, now, progress }: Pick<Operation, "database" | "now" | "progress">,
	releasing: Releasing,
	{ dryRun }: { dryRun: boolean },
): Promise<Released> {
	const asking = !("held" in releasing);
	const released: Released = { letGo: 0, asked: 0, changed: new Set() };
	for await (const keys of pagesOf(database, releasing)) {
		const rows = keysAsJson(keys);
		const { letGo, asked } = dryRun
			? await readPage(database, rows, asking)
			: await releasePage(database, rows, asking, now);
		released.letGo += letGo.length;
		released.asked += asked.length;
		if ("keys" in releasing) for (const key of [...letGo, ...asked]) released.changed.add(key);
		progress.show("released", released.letGo + released.asked, 0);
	}
	progress.end();
	return released;
}

async function* pagesOf({ query }: Database, releasing: Releasing): AsyncGenerator<string[]> {
	if ("keys" in releasing) {
		for (let n = 0; n < releasing.keys.length; n += PAGE_ROWS) {
			yield releasing.keys.slice(n, n + PAGE_ROWS);
		}
		return;
	}
	const { held, flagged, source, since } = releasing;
	for (let after = ""; ; ) {
		const parameters = [after];
		const and = (condition: string, value: string | undefined) =>
			value === undefined ? "" : ` AND ${condition} $${parameters.push(value)}`;
		const isHeld = `EXISTS (
			SELECT 1 FROM letter WHERE letter.email_key = registration.email_key AND ${RELEASABLE}
		)`;
		// Whom the trap has marked is asked only when the operator says so.
		const marked = flagged ? "AND flags <> ''" : held ? "" : "AND flags = ''";
		const page = await query<{ key: string }>(
			`SELECT email_key AS "key" FROM registration
			WHERE email_key > $1${and("source =", source)}${and("created_at >=", since)} ${marked}
				AND (${isHeld}${held ? "" : ` OR (${UNASKED})`})
			ORDER BY email_key LIMIT ${PAGE_ROWS}`,
			parameters,
		);
		if (page.length > 0) yield keysOf(page);
		if (page.length < PAGE_ROWS) return;
		after = page.at(-1)!.key;
	}
}

/** The keys of the people of a page: of each held letter that goes, and of whom is asked. */
interface Page {
	letGo: string[];
	asked: string[];
}

async function readPage(
	{ query, dialect }: Database,
	rows: string,
	asking: boolean,
): Promise<Page> {
	const read = async (from: string) =>
		keysOf(
			await query<{ key: string }>(
				`SELECT email_key AS "key" FROM ${from} AND ${ofPeople(dialect)}`,
				[rows],
			),
		);
	return {
		letGo: await read(`letter WHERE ${RELEASABLE}`),
		asked: asking ? await read(`registration WHERE ${UNASKED}`) : [],
	};
}

function releasePage(database: Database, rows: string, asking: boolean, now: Date): Promise<Page> {
	const { dialect } = database;
	return database.transaction(async (query) => {
		const letGo = await query<{ key: string }>(
			`UPDATE letter SET held = held & ${HELD.byWave}
			WHERE ${ofPeople(dialect)} AND ${RELEASABLE} RETURNING email_key AS "key"`,
			[rows],
		);
		if (!asking) return { letGo: keysOf(letGo), asked: [] };
		// Whoever is being erased is left out.
		const unasked = `registration WHERE ${ofPeople(dialect)} AND ${UNASKED} ${dialect.takeRows}`;
		const asked = await query<{ key: string }>(
			`${askFirst("$2", unasked)} RETURNING email_key AS "key"`,
			[rows, now.toISOString()],
		);
		return { letGo: keysOf(letGo), asked: keysOf(asked) };
	});
}
