import type { Command } from "commander";
import { keysAsJson, keysOf } from "../database/dialect.ts";
import { UNSENT } from "../letters/letter.ts";
import { openOutbox, UNTIL_RELEASED } from "../letters/outbox.ts";
import { HELD } from "../letters/wave.ts";
import type { Operation } from "../waitlist/operation.ts";
import { findPeople, type People } from "../waitlist/registrations.ts";
import { EXIT, JSON_HELP, notFoundAsText, print, withDatabase } from "./terminal/command.ts";
import { reasonsOf, unchangedAsText } from "./terminal/reasons.ts";

/** Adds `waitlist hold`: nothing is sent, or nothing to some people. */
export function addHold(program: Command): void {
	program
		.command("hold [emails...]")
		.summary("send nothing until `release`, or nothing to these people")
		.description(
			"Sends nothing until `waitlist release`. With addresses, holds the letters to these people " +
				"that are still to be sent. What is being sent at this moment still goes out.",
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { json }) => {
			await withDatabase(async (operation) => {
				const { database } = operation;
				if (emails.length === 0) {
					await holdAll(operation);
					print(json, { paused: true }, () => "Nothing is sent until `waitlist release`.");
					return;
				}
				const people = await findPeople(database, emails);
				const changed = await holdLetters(operation, people);
				const { keys, notFound } = people;
				const others = keys.filter((key) => !changed.includes(key));
				const unchanged = await reasonsOf(database, others);
				print(json, { held: changed.length, unchanged, notFound }, () =>
					[
						`letters held: ${changed.length}`,
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

async function holdAll({ database }: Operation): Promise<void> {
	const outbox = openOutbox(database, { rate: undefined });
	const reason = "The operator said `waitlist hold`.";
	await outbox.pause({ until: UNTIL_RELEASED, reason, cause: "operator" });
}

/** Gives the key of its person for each letter. */
async function holdLetters({ database }: Operation, { keys }: People): Promise<string[]> {
	const held = await database.transaction((query) =>
		query<{ key: string }>(
			`UPDATE letter SET held = held | ${HELD.byOperator}
			WHERE held & ${HELD.byOperator} = 0 AND ${UNSENT}
				AND email_key IN (SELECT value->>0 FROM ${database.dialect.jsonRows})
			RETURNING email_key AS "key"`,
			[keysAsJson(keys)],
		),
	);
	return keysOf(held);
}
