import { type Command, Option } from "commander";
import { type DatabaseSettings, parseDatabaseUrl } from "../settings/database.ts";
import { type Migrated, migrate } from "../transfer/migrate.ts";
import { EXIT, JSON_HELP, print, tell, withDatabase } from "./terminal/command.ts";
import { copiedAsText } from "./terminal/copied-as-text.ts";
import { heldAsText } from "./terminal/letters-as-text.ts";

/** The variable that names the target: other users can read a command's options, not its variables. */
const TO = "TARGET_DATABASE_URL";

/** Adds `waitlist migrate`: a copy in another database. */
export function addMigrate(program: Command): void {
	program
		.command("migrate")
		.description("copy everything to another database while the server runs, and compare the two")
		.addOption(
			new Option(
				"--to <url>",
				`postgres:// address, or file: and a path; one with a password in ${TO}, not here`,
			).env(TO),
		)
		.option("--json", JSON_HELP)
		.addHelpText(
			"after",
			"\nThen stop the server, run this again for the people who joined meanwhile, set DATABASE_URL\n" +
				"to the new address, and start the server.",
		)
		.action(async ({ to, json }, command: Command) => {
			if (to === undefined) command.error(`error: name the other database by ${TO}, or by --to`);
			const named = command.getOptionValueSource("to") === "env" ? TO : "--to";
			if (named === "--to" && hasPassword(to)) {
				tell(
					`Every user of this machine can read this password while the command runs: use ${TO}.`,
				);
			}
			const target = targetOf(to, named, command);
			await withDatabase(async (operation) => {
				if (JSON.stringify(target) === JSON.stringify(operation.settings.database)) {
					command.error(`error: ${named} names the database that is in use now`);
				}
				const { place, ...migrated } = await migrate(operation, target);
				print(json, migrated, () => migratedAsText(migrated, place));
				if (!migrated.comparison.same) process.exitCode = EXIT.problem;
			});
		});
}

function migratedAsText({ held, ...copied }: Omit<Migrated, "place">, place: string): string {
	const text = copiedAsText(copied, place);
	if (!copied.comparison.same) {
		return `${text}\nDo not use it yet: stop the server, and run this once more.`;
	}
	return [
		text,
		...(held > 0 ? [heldAsText(held)] : []),
		"If the server ran meanwhile: stop it, and run this once more. Only then is all there that it wrote and sent.",
		`If it was stopped: set DATABASE_URL to the new address, and start it${held > 0 ? ". Then let the held letters go" : ""}.`,
	].join("\n");
}

function hasPassword(url: string): boolean {
	if (!URL.canParse(url)) return false;
	const { password, searchParams } = new URL(url);
	return password !== "" || searchParams.has("password");
}

function targetOf(url: string, named: string, command: Command): DatabaseSettings {
	try {
		return parseDatabaseUrl(url, process.cwd());
	} catch (error) {
		command.error(`error: ${named} ${(error as Error).message}`);
	}
}
