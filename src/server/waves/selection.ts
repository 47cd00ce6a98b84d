import { createHash } from "node:crypto";
import { asciiDomain } from "../ascii-domain.ts";
import type { SharedDatabase } from "../database/database.ts";
import { type Dialect, firstsOf, keysAsJson } from "../database/dialect.ts";
import { collect, type Put } from "../database/statement.ts";
import { readRows, type Tx } from "../database/transaction.ts";
import { type Audience, mayGet } from "../mail/emails/eligibility.ts";
import type { Wave } from "../mail/wave/wave.ts";
import { keysAfter, pageById, pageByTime } from "../registrations/people.ts";
import { meetPeople, personOf } from "../registrations/recipients.ts";

/** Whom the operator wants to write to. What is not named selects everybody. */
export interface Selection extends Audience {
	source?: string;
	/** The domain of their addresses, canonical. */
	domain?: string;
	/** Their canonical addresses. */
	keys?: readonly string[];
}

/** Reads a domain as the operator writes it, with or without an at sign; undefined for other text. */
export function readDomain(text: string): string | undefined {
	const ascii = asciiDomain(text.replace(/^@/, "").toLowerCase());
	return ascii.includes(".") ? ascii : undefined;
}

/** What {@link readDomain} asks for. */
export const DOMAIN_INVALID = "It must be a domain, as in example.com.";

/** People who are looked at together. */
const PAGE_ROWS = 1000;

/** SQL for the registrations that are selected, whether or not they may get a letter. */
export function selectedBy({ source, domain, keys }: Selection, { jsonRows }: Dialect) {
	const among = (rows: string) => firstsOf({ jsonRows: jsonRows.replace("$1", rows) });
	return (put: Put): string[] => [
		...(source === undefined ? [] : [`registration.source = ${put(source)}`]),
		...(domain === undefined
			? []
			: [`registration.email_key LIKE ${put(endsIn(domain))} ESCAPE '!'`]),
		...(keys === undefined ? [] : [`registration.email_key IN ${among(put(keysAsJson(keys)))}`]),
	];
}

function endsIn(domain: string): string {
	return `%@${domain.replace(/[!%_]/g, "!$&")}`;
}

/**
 * The people who may get a letter of a wave, a page at a time, in the order of joining or in a
 * random one. The random order is that of recipients' ids, which are random: the seed is the place
 * to begin at, and after the last id comes the first. So a small wave out of a million reads few
 * rows.
 */
export async function* pagesOf(
	database: SharedDatabase,
	wave: Pick<Wave, "name" | "kind">,
	selection: Selection,
	seed: string | undefined,
): AsyncGenerator<string[]> {
	const selected = selectedBy(selection, database.dialect);
	if (seed === undefined) {
		for (let after = { createdAt: "", key: "" }; ; ) {
			const { parameters, put } = collect(after.createdAt, after.key);
			const selecting = { selected: selected(put), most: PAGE_ROWS };
			const may = mayGet(wave, selection, put);
			const page = await database.read(readRows, pageByTime(may, selecting, parameters));
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
			const page = await database.read(readRows, pageById(may, PAGE_ROWS, parameters));
			yield page.filter(({ may }) => may === 1).map(({ key }) => key);
			if (page.length < PAGE_ROWS) break;
			after = page.at(-1)!.id;
		}
	}
}

/** A transaction that reads the keys of people without an id, after a key. */
export const readUnmet = (tx: Tx, after: string): Promise<string[]> =>
	keysAfter(tx.query, `NOT EXISTS (${personOf("registration")})`, [after], 200);

/** Gives an id to all who have none, because no letter was sent to them. */
async function meetEverybody({ read, run, dialect }: SharedDatabase): Promise<void> {
	for (let after = ""; ; ) {
		const unmet = await read(readUnmet, after);
		if (unmet.length === 0) return;
		await run({ met: meetPeople(dialect, keysAsJson(unmet)) });
		after = unmet.at(-1)!;
	}
}
