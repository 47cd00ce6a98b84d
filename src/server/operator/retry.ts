import type { Command } from "commander";
import { HELD } from "../letters/wave.ts";
import { keysAsJson } from "../waitlist/schema.ts";
import { UNWANTED } from "./database/letters.ts";
import { findPeople } from "./database/registrations.ts";
import {
	EXIT,
	JSON_HELP,
	notFoundAsText,
	type Operation,
	print,
	withDatabase,
} from "./operation.ts";

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
				const retried = await retry(operation, unknown ? undefined : keys);
				print(json, { retried, notFound }, () =>
					[`letters sent again: ${retried}`, ...notFoundAsText(notFound)].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

/**
 * Lets letters wait again, under the ids that they have.
 *
 * @param keys of the people; all letters that are unknown without
 */
async function retry(
	{ database, now }: Operation,
	keys: readonly string[] | undefined,
): Promise<number> {
	const { jsonRows } = database.dialect;
	const some = `state IN ('unknown', 'refused')
		AND email_key IN (SELECT value->>0 FROM ${jsonRows}) AND NOT ${UNWANTED}`;
	const all = `state = 'unknown' AND NOT ${UNWANTED}`;
	const retried = await database.transaction((query) =>
		query(
			`UPDATE letter SET state = 'waiting', held = held & ${HELD.byWave}, attempts = 0, ended_at = '', code = '',
				next_at = ${keys ? "$2" : "$1"}
			WHERE ${keys ? some : all} RETURNING email_key`,
			[...(keys ? [keysAsJson(keys)] : []), now.toISOString()],
		),
	);
	return retried.length;
}
