import type { SharedDatabase } from "../../database/database.ts";
import { joinSql, keysIn, rowsIn, type Statement, sql } from "../../database/sql.ts";
import { runEach, type Tx } from "../../database/transaction.ts";
import { setFlag } from "../../registrations/flags.ts";
import type { Operation } from "../../registrations/operation.ts";
import { keysAfter } from "../../registrations/people.ts";
import type { WaveState } from "../wave/wave.ts";
import { STANDING, type Standing, whyNot } from "./may-get.ts";
import { insertEmails } from "./requests.ts";

/** Whose emails are released: those of named people, or of all who fit. */
export type Releasing = { keys: readonly string[] } | Fitting;

interface Fitting {
	/** Only emails that are held: nobody is asked. */
	held?: boolean;
	/** Only people in a burst. */
	burst?: boolean;
	source?: string;
	/** ISO 8601 in UTC with milliseconds, like the next one. */
	since?: string;
	until?: string;
}

/** What a release has done. */
export interface Released {
	/** Held emails that go now. */
	letGo: number;
	/** People who are asked to confirm for the first time. */
	asked: number;
	/** People who lose their flag, whether or not an email goes to them. */
	unmarked: number;
	/** The keys of all of them, where people were named. */
	changed: Set<string>;
}

/** People of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/**
 * Releases held emails and asks who was never asked to confirm, a page of people at a time, or only counts
 * them. Whoever is asked loses their flag: nobody else takes it back but their next join.
 *
 * @param also what else is done in the transaction of a page in which something was done
 */
export async function releaseHeld(
	{ database, now }: Pick<Operation<SharedDatabase>, "database" | "now">,
	releasing: Releasing,
	{ dryRun, also }: { dryRun: boolean; also?: OfRelease },
): Promise<Released> {
	const asking = !("held" in releasing);
	const released: Released = { letGo: 0, asked: 0, unmarked: 0, changed: new Set() };
	for await (const keys of pagesOf(database, releasing)) {
		const page = { keys, asking, also, now };
		const { letGo, asked, unmarked } = dryRun
			? await database.read(findReleasable, page)
			: await database.transact(releasePage, page);
		released.letGo += letGo.length;
		released.asked += asked.length;
		released.unmarked += unmarked.length;
		if ("keys" in releasing) {
			for (const key of [...letGo, ...asked, ...unmarked]) released.changed.add(key);
		}
	}
	return released;
}

async function* pagesOf(tx: Tx, releasing: Releasing): AsyncGenerator<string[]> {
	if ("keys" in releasing) {
		for (let n = 0; n < releasing.keys.length; n += PAGE_ROWS) {
			yield releasing.keys.slice(n, n + PAGE_ROWS);
		}
		return;
	}
	const { held, burst, source, since, until } = releasing;
	for (let after = ""; ; ) {
		const email = sql`SELECT 1 FROM email WHERE email.email_key = registration.email_key`;
		const mayFit = [
			sql`EXISTS (${email} AND held <> 0)`,
			...(burst ? [sql`TRUE`] : []),
			...(held ? [] : [sql`NOT EXISTS (${email} AND kind = 'confirm' AND reason <> 'flagged')`]),
		];
		const conditions = [
			burst ? sql`flag = 'burst'` : held ? sql`TRUE` : sql`flag = ''`,
			source === undefined ? sql`TRUE` : sql`source = ${source}`,
			since === undefined ? sql`TRUE` : sql`joined_at >= ${since}`,
			until === undefined ? sql`TRUE` : sql`joined_at < ${until}`,
			sql`(${joinSql(mayFit, " OR ")})`,
		];
		const page = await keysAfter(tx, after, joinSql(conditions, " AND "), PAGE_ROWS);
		if (page.length > 0) yield page;
		if (page.length < PAGE_ROWS) return;
		after = page.at(-1)!;
	}
}

/** The keys of the people of a page: of each held email that goes, and of whom is asked or loses a flag. */
interface Page {
	letGo: string[];
	asked: string[];
	unmarked: string[];
}

/** Statements for a page of people: if an email goes to somebody, or else if somebody loses a flag. */
interface OfRelease {
	released: readonly Statement[];
	unmarked: readonly Statement[];
}

interface ToRelease {
	keys: readonly string[];
	asking: boolean;
	also: OfRelease | undefined;
	now: Date;
}

interface HeldEmail {
	key: string;
	kind: string;
	wave: string;
	redeemedAt: string;
	waveState: WaveState | null;
}

/** A transaction that finds what {@link releasePage} would release. */
export async function findReleasable(
	tx: Tx,
	{ keys, asking }: ToRelease,
	lock = sql``,
): Promise<Page & { emails: HeldEmail[] }> {
	const found = await tx.all(sql<Standing & { key: string }>`
		SELECT email_key AS "key", ${STANDING} FROM registration
		WHERE email_key IN ${keysIn(keys)} ${lock}`);
	const asks = await tx.all(sql<{ key: string }>`SELECT email_key AS "key" FROM email
		WHERE kind = 'confirm' AND wave = '' AND reason <> 'flagged' AND email_key IN ${keysIn(keys)}`);
	const wereAsked = new Set(asks.map(({ key }) => key));
	const held = await tx.all(sql<HeldEmail>`SELECT email_key AS "key", email.kind, email.wave,
			redeemed_at AS "redeemedAt", wave.state AS "waveState"
		FROM email LEFT JOIN wave ON wave.name = email.wave
		WHERE held <> 0 AND email.state IN ('waiting', 'deferred') AND email_key IN ${keysIn(keys)}`);
	const people = new Map(
		found.map((person) => [person.key, { ...person, ...(asking && { flag: "" }) }]),
	);
	const emails = held.filter(
		(email) => email.waveState !== "paused" && whyNot(people.get(email.key)!, email) === "",
	);
	const asked = [...people.values()].filter(
		(person) => asking && !wereAsked.has(person.key) && whyNot(person, { kind: "confirm" }) === "",
	);
	const unmarked = found.filter(({ flag }) => asking && flag !== "");
	const keysOf = (rows: readonly { key: string }[]) => rows.map(({ key }) => key);
	return { emails, letGo: keysOf(emails), asked: keysOf(asked), unmarked: keysOf(unmarked) };
}

/** A transaction that releases a page of people. */
export async function releasePage(tx: Tx, page: ToRelease): Promise<Page> {
	const { also, now } = page;
	const { emails, letGo, asked, unmarked } = await findReleasable(
		tx,
		page,
		sql`ORDER BY email_key FOR UPDATE`,
	);
	if (emails.length > 0) {
		const rows = emails.map(({ key, kind, wave }) => [key, kind, wave]);
		await tx.all(sql`UPDATE email SET held = 0 FROM ${rowsIn(rows)}
			WHERE email_key = value->>0 AND kind = value->>1 AND wave = value->>2`);
	}
	if (unmarked.length > 0) await setFlag(tx, "", unmarked);
	if (asked.length > 0) {
		await tx.all(sql`DELETE FROM email
			WHERE kind = 'confirm' AND reason = 'flagged' AND email_key IN ${keysIn(asked)}`);
		await insertEmails(
			tx,
			"confirm",
			asked.map((key) => [key, now.toISOString()] as const),
		);
	}
	if (also && letGo.length + asked.length > 0) await runEach(tx, also.released);
	else if (also && unmarked.length > 0) await runEach(tx, also.unmarked);
	return { letGo, asked, unmarked };
}
