import type { SharedDatabase } from "../../database/database.ts";
import { type Dialect, keysAsJson, keysOf, ofPeople } from "../../database/dialect.ts";
import { runEach, type Statement } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import { clearBurstOf } from "../../registrations/marks.ts";
import type { Operation } from "../../registrations/operation.ts";
import { keysAfter, keysAmong } from "../../registrations/people.ts";
import { IS_BURST } from "../../registrations/registrations.ts";
import { UNASKED } from "./asking.ts";
import { askFirst, hold, letGo } from "./letter-changes.ts";
import { letterTo, peopleOfLetters } from "./letters.ts";
import { RELEASABLE } from "./reachable.ts";

/**
 * Holds the letter that asks people to confirm, who are being flagged: until a release lets it go. Letters
 * of waves need no hold, because a turn looks for marks as it takes them.
 */
export const holdAsking = (dialect: Dialect, keys: readonly string[]): Statement =>
	hold(dialect, keys, "kind = 'confirm'");

/** Whose letters are let go: those whose keys these are, or all who fit. */
export type Releasing = { keys: readonly string[] } | Fitting;

interface Fitting {
	/** Only letters that are held: nobody is asked. */
	held?: boolean;
	/** Only those in a burst, who are asked only so, and lose its mark. */
	burst?: boolean;
	source?: string;
	/** ISO 8601 in UTC with milliseconds, like the next one. */
	since?: string;
	until?: string;
}

/** What a release has done. */
export interface Released {
	/** Held letters that go now. */
	letGo: number;
	/** People who are asked to confirm for the first time. */
	asked: number;
	/** People who lose the mark of a burst, whether or not a letter goes to them. */
	unmarked: number;
	/** The keys of all of them, where people were named. */
	changed: Set<string>;
}

/** People of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/**
 * Lets letters go and asks who was never asked, a page of people at a time, or only counts them.
 *
 * @param also what else is done in the transaction of a page in which something was done
 */
export async function releaseLetters(
	{ database, now, progress }: Pick<Operation<SharedDatabase>, "database" | "now" | "progress">,
	releasing: Releasing,
	{ dryRun, also }: { dryRun: boolean; also?: OfRelease },
): Promise<Released> {
	const asking = !("held" in releasing);
	const released: Released = { letGo: 0, asked: 0, unmarked: 0, changed: new Set() };
	for await (const keys of pagesOf(database, releasing)) {
		const rows = keysAsJson(keys);
		const { letGo, asked, unmarked } = dryRun
			? await readPage(database, rows, asking)
			: await database.transact(releasePage, { rows, asking, also, now });
		released.letGo += letGo.length;
		released.asked += asked.length;
		released.unmarked += unmarked.length;
		if ("keys" in releasing) {
			for (const key of [...letGo, ...asked, ...unmarked]) released.changed.add(key);
		}
		progress.show("released", released.letGo + released.asked, 0);
	}
	progress.end();
	return released;
}

async function* pagesOf({ query }: SharedDatabase, releasing: Releasing): AsyncGenerator<string[]> {
	if ("keys" in releasing) {
		for (let n = 0; n < releasing.keys.length; n += PAGE_ROWS) {
			yield releasing.keys.slice(n, n + PAGE_ROWS);
		}
		return;
	}
	const { held, burst, source, since, until } = releasing;
	for (let after = ""; ; ) {
		const parameters = [after];
		const and = (condition: string, value: string | undefined) =>
			value === undefined ? "" : ` AND ${condition} $${parameters.push(value)}`;
		const isHeld = `EXISTS (${letterTo("registration")} AND ${RELEASABLE})`;
		// Whoever is marked is asked only when the operator says so.
		const marked = burst ? `AND ${IS_BURST}` : "AND flags = ''";
		const page = await keysAfter(
			query,
			`true${and("source =", source)}${and("created_at >=", since)}
				${and("created_at <", until)} ${marked}
				${burst ? "" : `AND (${isHeld}${held ? "" : ` OR (${UNASKED})`})`}`,
			parameters,
			PAGE_ROWS,
		);
		if (page.length > 0) yield page;
		if (page.length < PAGE_ROWS) return;
		after = page.at(-1)!;
	}
}

/** The keys of the people of a page: of each held letter that goes, and of whom is asked or unmarked. */
interface Page {
	letGo: string[];
	asked: string[];
	unmarked: string[];
}

/** Statements for a page of people: if an email goes to somebody, or else if somebody loses a mark. */
interface OfRelease {
	released: readonly Statement[];
	unmarked: readonly Statement[];
}

async function readPage(
	{ query, dialect }: SharedDatabase,
	rows: string,
	asking: boolean,
): Promise<Page> {
	const among = async (condition: string) =>
		asking ? keysAmong(query, dialect, rows, condition) : [];
	return {
		letGo: await peopleOfLetters(query, dialect, rows, RELEASABLE),
		asked: await among(UNASKED),
		unmarked: await among(IS_BURST),
	};
}

/** A transaction that releases a page of people. */
export async function releasePage(
	{ all, query, dialect }: Tx,
	{
		rows,
		asking,
		also,
		now,
	}: { rows: string; asking: boolean; also: OfRelease | undefined; now: Date },
): Promise<Page> {
	const page: Page = { letGo: keysOf(await all(letGo(dialect, rows))), asked: [], unmarked: [] };
	if (asking) {
		// Nobody who is asked is in a burst any more: by `--burst`, or because the operator named them.
		page.unmarked = await clearBurstOf(query, dialect, rows);
		// Whoever is being erased is left out.
		const unasked = `registration WHERE ${ofPeople(dialect)} AND ${UNASKED} ${dialect.takeRows}`;
		const asked = await query<{ key: string }>(
			`${askFirst("$2", unasked)} RETURNING email_key AS "key"`,
			[rows, now.toISOString()],
		);
		page.asked = keysOf(asked);
	}
	if (also && page.letGo.length + page.asked.length > 0) await runEach(query, also.released);
	else if (also && page.unmarked.length > 0) await runEach(query, also.unmarked);
	return page;
}
