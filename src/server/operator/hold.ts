import type { Command } from "commander";
import { openOutbox, UNSENT, UNTIL_RELEASED } from "../letters/outbox.ts";
import { HELD } from "../letters/wave.ts";
import { keysAsJson } from "../waitlist/schema.ts";
import { runIn } from "./database/database.ts";

import { findPeople, type People } from "./database/registrations.ts";
import {
	EXIT,
	JSON_HELP,
	notFoundAsText,
	type Operation,
	print,
	withDatabase,
} from "./operation.ts";

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
				const held = await holdLetters(operation, people);
				const { notFound } = people;
				print(json, { held, notFound }, () =>
					[`letters held: ${held}`, ...notFoundAsText(notFound)].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

async function holdAll({ database }: Operation): Promise<void> {
	const outbox = openOutbox(runIn(database), { dialect: database.dialect, rate: undefined });
	await outbox.pause({ until: UNTIL_RELEASED, reason: "The operator said `waitlist hold`." });
}

async function holdLetters({ database }: Operation, { keys }: People): Promise<number> {
	const held = await database.transaction((query) =>
		query(
			`UPDATE letter SET held = held | ${HELD.byOperator}
			WHERE held & ${HELD.byOperator} = 0 AND ${UNSENT}
				AND email_key IN (SELECT value->>0 FROM ${database.dialect.jsonRows})
			RETURNING email_key`,
			[keysAsJson(keys)],
		),
	);
	return held.length;
}
