import type { Command } from "commander";
import { LOCK, UNSENT } from "../letters/outbox.ts";
import { HELD } from "../letters/wave.ts";
import { keysAsJson, keysOf } from "../waitlist/schema.ts";
import type { Database } from "./database/database.ts";
import { UNWANTED } from "./database/letters.ts";
import { findPeople } from "./database/registrations.ts";
import { time } from "./export.ts";
import {
	EXIT,
	JSON_HELP,
	notFoundAsText,
	type Operation,
	print,
	withDatabase,
} from "./operation.ts";

/** Adds `waitlist release`: what was stopped goes on, and whoever was not asked is. */
export function addRelease(program: Command): void {
	program
		.command("release [emails...]")
		.summary("end a pause, or let letters go")
		.description(
			"Ends the pause of all letters. With addresses or options, lets the held letters of these " +
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
		.option("--dry-run", "only say how many")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { json, dryRun = false, ...chosen }, command: Command) => {
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
					print(json, { ended }, () => (ended ? "Letters go out again." : "There was no pause."));
					return;
				}
				const { keys, notFound } = await findPeople(operation.database, emails);
				const selection = choosing ? chosen : { keys };
				const released = await release(operation, selection, { dryRun });
				print(json, { ...released, notFound }, () =>
					[releasedAsText(released, dryRun), ...notFoundAsText(notFound)].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

/** Gives whether there was one. Bounces of before no longer count. */
function endPause({ database, now }: Operation): Promise<boolean> {
	return database.transaction(async (query) => {
		await query(LOCK);
		const paused = await query("SELECT 1 AS one FROM outbox WHERE paused_until > $1", [
			now.toISOString(),
		]);
		await query("UPDATE outbox SET paused_until = '', reason = '', released_at = $1", [
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
	const released: Released = { letGo: 0, asked: 0 };
	for await (const keys of pagesOf(database, selection)) {
		const rows = keysAsJson(keys);
		const { letGo, asked } = dryRun
			? await countPage(database, rows, asking)
			: await releasePage(database, rows, asking, now);
		released.letGo += letGo;
		released.asked += asked;
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

async function countPage({ query, dialect }: Database, rows: string, asking: boolean) {
	const ofPage = `email_key IN (SELECT value->>0 FROM ${dialect.jsonRows})`;
	const [counts] = await query<Released>(
		`SELECT CAST((SELECT count(*) FROM letter WHERE ${ofPage} AND ${RELEASABLE}) AS INTEGER)
				AS "letGo",
			CAST((SELECT count(*) FROM registration WHERE ${ofPage} AND ${UNASKED}) AS INTEGER) AS asked`,
		[rows],
	);
	return asking ? counts! : { ...counts!, asked: 0 };
}

function releasePage(
	database: Database,
	rows: string,
	asking: boolean,
	now: Date,
): Promise<Released> {
	const { dialect } = database;
	const ofPage = `email_key IN (SELECT value->>0 FROM ${dialect.jsonRows})`;
	return database.transaction(async (query) => {
		const letGo = await query(
			`UPDATE letter SET held = held & ${HELD.byWave} WHERE ${ofPage} AND ${RELEASABLE} RETURNING email_key`,
			[rows],
		);
		if (!asking) return { letGo: letGo.length, asked: 0 };
		// Whoever is being erased is left out.
		const asked = await query(
			`INSERT INTO letter (kind, wave, email_key, state, asked_at, next_at)
			SELECT 'confirm', '', email_key, 'waiting', $2, $2 FROM registration
			WHERE ${ofPage} AND ${UNASKED} ${dialect.takeRows}
			ON CONFLICT (email_key, kind, wave) DO NOTHING RETURNING email_key`,
			[rows, now.toISOString()],
		);
		return { letGo: letGo.length, asked: asked.length };
	});
}

function releasedAsText({ letGo, asked }: Released, dryRun: boolean): string {
	const would = dryRun ? "would be " : "";
	return `${would}let go: ${letGo} held letters\n${would}asked to confirm: ${asked}`;
}
