import type { Command } from "commander";
import type { Database } from "../database/database.ts";
import { keysAsJson, keysOf } from "../database/dialect.ts";
import { judgeStreams, readSlowed, type Slowed, slowedAsText } from "../letters/brake.ts";
import { UNSENT } from "../letters/letter.ts";
import { UNWANTED } from "../letters/letters.ts";
import { LOCK } from "../letters/outbox.ts";
import { HELD } from "../letters/wave.ts";
import type { Operation } from "../waitlist/operation.ts";
import { findPeople } from "../waitlist/registrations.ts";
import {
	EXIT,
	JSON_HELP,
	notFoundAsText,
	number,
	print,
	time,
	withDatabase,
} from "./terminal/command.ts";
import { DESPITE_GAP_HELP, refuseInGap } from "./terminal/despite-gap.ts";
import { reasonsOf, unchangedAsText } from "./terminal/reasons.ts";

/** Adds `waitlist release`: what was stopped goes on, and whoever was not asked is. */
export function addRelease(program: Command): void {
	program
		.command("release [emails...]")
		.summary("end a pause, or let letters go")
		.description(
			"Ends the pause of all letters, and lets slowed ones go at the whole rate. With addresses or options, lets the held letters of these " +
				"people go, and asks those to confirm who were never asked: who were marked by the trap or " +
				"imported, or joined before letters were sent. Whoever has left, bounced or confirmed gets none.",
		)
		.option("--held", "let held letters go, of anybody, and ask nobody else")
		.option(
			"--flagged",
			"those that the trap has marked; without this only an address selects them",
		)
		.option("--source <label>", "those who joined through this site")
		.option("--since <time>", "joined then or later, as in 2026-11-21 or 2026-11-21T09:30Z", time)
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--dry-run", "only say how many")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], options, command: Command) => {
			const { json, dryRun = false, despiteGap = false, ...chosen } = options;
			const choosing = Object.keys(chosen).length > 0;
			if (choosing && emails.length > 0) {
				command.error("error: name addresses, or choose by options, but not both");
			}
			if (dryRun && !choosing && emails.length === 0) {
				command.error("error: --dry-run needs addresses or options");
			}
			await withDatabase(async (operation) => {
				if (!choosing && emails.length === 0) {
					const ended = await endPause(operation);
					print(json, ended, () => endedAsText(ended));
					return;
				}
				const { keys, notFound } = await findPeople(operation.database, emails);
				const selection = choosing ? chosen : { keys };
				const asking = choosing && !chosen.held && !dryRun;
				if (asking && !despiteGap) await refuseInGap(operation.database.query, chosen.since);
				const { changed, ...released } = await release(operation, selection, { dryRun });
				const others = keys.filter((key) => !changed.has(key));
				const unchanged = await reasonsOf(operation.database, others);
				print(json, { ...released, unchanged, notFound }, () =>
					[
						releasedAsText(released, dryRun),
						...(choosing && released.letGo + released.asked === 0 ? [NOBODY] : []),
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

/** Why a choice by options released nothing. */
const NOBODY =
	"Of those who fit nobody has a letter that is held, and nobody is still to be asked. Whoever has " +
	"left, bounced or confirmed gets none.";

/** What `release` without addresses and options has ended. */
interface Ended {
	/** Whether there was a pause. */
	ended: boolean;
	/** The streams that were slowed. */
	slowed: Slowed[];
	/** Letters that something else keeps: the operator's hold, and the pause of their wave. */
	held: number;
	ofPausedWaves: number;
	/** Letters that only wait for the rate. */
	waiting: number;
}

/** Bounces of before no longer count. */
async function endPause({ database, now }: Operation): Promise<Ended> {
	const slowed = await readSlowed(database.query);
	const ended = await database.transaction(async (query) => {
		await query(LOCK);
		const paused = await query("SELECT 1 AS one FROM outbox WHERE paused_until > $1", [
			now.toISOString(),
		]);
		await query("UPDATE outbox SET paused_until = '', reason = '', pauses = 0, released_at = $1", [
			now.toISOString(),
		]);
		// A clock that was ahead may have put off what only waits.
		await query(
			`UPDATE letter SET next_at = $1 WHERE held = 0 AND state = 'waiting' AND next_at > $1
				AND wave NOT IN (SELECT name FROM wave WHERE starts_at > $1)`,
			[now.toISOString()],
		);
		return paused.length > 0;
	});
	await judgeStreams(database, now.getTime());
	const count = (condition: string) => `CAST(count(CASE WHEN ${condition} THEN 1 END) AS INTEGER)`;
	const [letters] = await database.query<Pick<Ended, "held" | "ofPausedWaves" | "waiting">>(
		`SELECT ${count(`held & ${HELD.byOperator} <> 0`)} AS held,
			${count(`held = ${HELD.byWave}`)} AS "ofPausedWaves", ${count("held = 0")} AS waiting
		FROM letter WHERE ${UNSENT}`,
	);
	return { ended, slowed, ...letters! };
}

function endedAsText({ ended, slowed, held, ofPausedWaves, waiting }: Ended): string {
	return [
		...(ended ? ["Letters go out again."] : []),
		...slowed.map((stream) => slowedAsText({ ...stream, slowed: 1 })),
		...(ended || slowed.length > 0 ? [] : ["There was no pause, and nothing was slowed."]),
		...(held > 0 ? [`Held until \`waitlist release --held\`: ${number(held)} letters.`] : []),
		...(ofPausedWaves > 0
			? [`In paused waves, until \`waitlist resume\`: ${number(ofPausedWaves)} letters.`]
			: []),
		`To be sent as the rate allows: ${number(waiting)} letters.`,
	].join("\n");
}

/** Whose letters go: those whose keys these are, or all who fit. */
type Selection = { keys: readonly string[] } | Chosen;

interface Chosen {
	/** Only letters that are held. */
	held?: boolean;
	flagged?: boolean;
	source?: string;
	/** ISO 8601 in UTC with milliseconds. */
	since?: string;
}

interface Released {
	/** Held letters that go now. */
	letGo: number;
	/** People who are asked to confirm for the first time. */
	asked: number;
	/** The keys of all of them, where the operator named people. */
	changed: Set<string>;
}

/** SQL for a letter that may be let go. */
const RELEASABLE = `letter.held & ${HELD.byOperator} <> 0 AND ${UNSENT} AND NOT ${UNWANTED}`;

/** SQL for the registration of a person who may be asked to confirm, and never was. */
const UNASKED = `NOT EXISTS (
	SELECT 1 FROM letter WHERE letter.email_key = registration.email_key
		AND kind = 'confirm' AND wave = ''
) AND NOT EXISTS (
	SELECT 1 FROM recipient WHERE recipient.email_key = registration.email_key
		AND (left_at <> '' OR bounced_at <> '' OR confirmed_at <> '')
)`;

/** People of a transaction: few, so that visitors join meanwhile. */
const PAGE_ROWS = 500;

/** Lets letters go, a page of people at a time, or only counts them. */
async function release(
	{ database, now, progress }: Operation,
	selection: Selection,
	{ dryRun }: { dryRun: boolean },
): Promise<Released> {
	const asking = !("held" in selection);
	const released: Released = { letGo: 0, asked: 0, changed: new Set() };
	for await (const keys of pagesOf(database, selection)) {
		const rows = keysAsJson(keys);
		const { letGo, asked } = dryRun
			? await readPage(database, rows, asking)
			: await releasePage(database, rows, asking, now);
		released.letGo += letGo.length;
		released.asked += asked.length;
		if ("keys" in selection) for (const key of [...letGo, ...asked]) released.changed.add(key);
		progress.show("released", released.letGo + released.asked, 0);
	}
	progress.end();
	return released;
}

async function* pagesOf({ query }: Database, selection: Selection): AsyncGenerator<string[]> {
	if ("keys" in selection) {
		for (let n = 0; n < selection.keys.length; n += PAGE_ROWS) {
			yield selection.keys.slice(n, n + PAGE_ROWS);
		}
		return;
	}
	const { held, flagged, source, since } = selection;
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
	const ofPage = `email_key IN (SELECT value->>0 FROM ${dialect.jsonRows})`;
	const read = async (sql: string) =>
		keysOf(await query<{ key: string }>(`SELECT email_key AS "key" ${sql}`, [rows]));
	return {
		letGo: await read(`FROM letter WHERE ${ofPage} AND ${RELEASABLE}`),
		asked: asking ? await read(`FROM registration WHERE ${ofPage} AND ${UNASKED}`) : [],
	};
}

function releasePage(database: Database, rows: string, asking: boolean, now: Date): Promise<Page> {
	const { dialect } = database;
	const ofPage = `email_key IN (SELECT value->>0 FROM ${dialect.jsonRows})`;
	return database.transaction(async (query) => {
		const letGo = await query<{ key: string }>(
			`UPDATE letter SET held = held & ${HELD.byWave}
			WHERE ${ofPage} AND ${RELEASABLE} RETURNING email_key AS "key"`,
			[rows],
		);
		if (!asking) return { letGo: keysOf(letGo), asked: [] };
		// Whoever is being erased is left out.
		const asked = await query<{ key: string }>(
			`INSERT INTO letter (kind, wave, email_key, state, asked_at, next_at)
			SELECT 'confirm', '', email_key, 'waiting', $2, $2 FROM registration
			WHERE ${ofPage} AND ${UNASKED} ${dialect.takeRows}
			ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING email_key AS "key"`,
			[rows, now.toISOString()],
		);
		return { letGo: keysOf(letGo), asked: keysOf(asked) };
	});
}

function releasedAsText({ letGo, asked }: Omit<Released, "changed">, dryRun: boolean): string {
	const would = dryRun ? "would be " : "";
	return `${would}let go: ${letGo} held letters\n${would}asked to confirm: ${asked}`;
}
