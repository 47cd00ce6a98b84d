import type { Command } from "commander";
import { type DatabaseSettings, parseDatabaseUrl } from "../settings.ts";
import { copiedAsText, copy } from "./copy.ts";
import type { Database } from "./database/database.ts";
import { openDatabase } from "./database/open-database.ts";
import { openProofs, type Proofs } from "./erasure/erasure.ts";
import { proofPlacesOf, saveSecret } from "./erasure/erasure-key.ts";
import { EXIT, JSON_HELP, type Operation, print, withDatabase } from "./operation.ts";

/** Adds `waitlist migrate`: a copy in another database. */
export function addMigrate(program: Command): void {
	program
		.command("migrate")
		.description("copy everything to another database while the server runs, and compare the two")
		.requiredOption("--to <url>", "postgres:// address, or file: and a path")
		.option("--json", JSON_HELP)
		.addHelpText(
			"after",
			"\nThen stop the server, run this again for the people who joined meanwhile, set DATABASE_URL\n" +
				"to the new address, and start the server.",
		)
		.action(async ({ to, json }, command: Command) => {
			const target = targetOf(to, command);
			await withDatabase(async (operation) => {
				if (JSON.stringify(target) === JSON.stringify(operation.settings.database)) {
					command.error("error: --to names the database that is in use now");
				}
				const other = await openDatabase(target, { create: true });
				try {
					const proofs = await openProofsOfBoth(operation, other, target);
					const copied = await copy(operation.database, other, { ...operation, proofs });
					print(json, copied, () => copiedAsText(copied, other.place));
					if (!copied.comparison.same) process.exitCode = EXIT.problem;
				} finally {
					await other.close();
				}
			});
		});
}

/**
 * Opens the proofs of the target by the key of the source, and leaves that key beside a target that
 * is an SQLite file, if it is in a file now.
 *
 * @throws Error with a sentence for the operator when the key is missing or not the right one
 */
async function openProofsOfBoth(
	{ database, settings, places }: Operation,
	other: Database,
	target: DatabaseSettings,
): Promise<Proofs | undefined> {
	const ours = await openProofs(database, places);
	const theirs = proofPlacesOf(settings, target);
	if (ours && places.secret === undefined) await saveSecret(theirs, ours.key.secret);
	const secret = theirs.secret ?? ours?.key.secret;
	return openProofs(other, { ...theirs, secret }, { adding: ours !== undefined });
}

function targetOf(url: string, command: Command): DatabaseSettings {
	try {
		return parseDatabaseUrl(url, process.cwd());
	} catch (error) {
		command.error(`error: --to ${(error as Error).message}`);
	}
}
