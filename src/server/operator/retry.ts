import type { Command } from "commander";
import { keysAsJson, keysOf } from "../database/dialect.ts";
import { UNWANTED } from "../letters/letters.ts";
import { HELD } from "../letters/wave.ts";
import type { Operation } from "../waitlist/operation.ts";
import { findPeople } from "../waitlist/registrations.ts";
import { EXIT, JSON_HELP, notFoundAsText, print, withDatabase } from "./terminal/command.ts";
import { reasonsOf, unchangedAsText } from "./terminal/reasons.ts";

/** Adds `waitlist retry`: sends letters once more of which only the operator can decide. */
export function addRetry(program: Command): void {
	program
		.command("retry [emails...]")
		.summary("send letters again that may not have arrived")
		.description(
			"Sends letters to these people again that a mail server refused, or of which nobody knows " +
				"whether they arrived. Whoever has left, bounced or confirmed gets none.",
		)
		.option("--unknown", "all letters of which nobody knows: some people may get theirs twice")
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { unknown = false, json }, command: Command) => {
			if (emails.length > 0 === unknown) {
				command.error("error: name addresses, or use --unknown, but not both");
			}
			await withDatabase(async (operation) => {
				const { keys, notFound } = await findPeople(operation.database, emails);
				const changed = await retry(operation, unknown ? undefined : keys);
				const others = keys.filter((key) => !changed.includes(key));
				const unchanged = await reasonsOf(operation.database, others);
				const stay = unknown ? await countUnwanted(operation) : 0;
				print(json, { retried: changed.length, unchanged, notFound }, () =>
					[
						`letters sent again: ${changed.length}`,
						...(unknown && changed.length + stay === 0 ? ["No letter is unknown."] : []),
						...(stay > 0
							? [`not sent again, their people left, bounced or confirmed: ${stay}`]
							: []),
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

/** How many unknown letters nobody wants any more. */
async function countUnwanted({ database }: Operation): Promise<number> {
	const [row] = await database.query<{ letters: number }>(
		`SELECT CAST(count(*) AS INTEGER) AS letters FROM letter WHERE state = 'unknown' AND ${UNWANTED}`,
	);
	return row!.letters;
}

/**
 * Lets letters wait again, under the ids that they have.
 *
 * @param keys of the people; all letters that are unknown without
 * @returns the key of its person for each letter
 */
async function retry(
	{ database, now }: Operation,
	keys: readonly string[] | undefined,
): Promise<string[]> {
	const { jsonRows } = database.dialect;
	const some = `state IN ('unknown', 'refused')
		AND email_key IN (SELECT value->>0 FROM ${jsonRows}) AND NOT ${UNWANTED}`;
	const all = `state = 'unknown' AND NOT ${UNWANTED}`;
	const retried = await database.transaction((query) =>
		query<{ key: string }>(
			`UPDATE letter SET state = 'waiting', held = held & ${HELD.byWave}, attempts = 0, ended_at = '', code = '',
				next_at = ${keys ? "$2" : "$1"}
			WHERE ${keys ? some : all} RETURNING email_key AS "key"`,
			[...(keys ? [keysAsJson(keys)] : []), now.toISOString()],
		),
	);
	return keysOf(retried);
}
