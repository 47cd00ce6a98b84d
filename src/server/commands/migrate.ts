import { type Command, Option } from "commander";
import { type DatabaseSettings, describeDatabase, parseDatabaseUrl } from "../settings/database.ts";
import { migrate } from "../transfer/migrate.ts";
import { JSON_HELP, number, print, tell, withDatabase } from "./terminal/command.ts";

/** The variable that names the target: other users can read a command's options, not its variables. */
const TO = "TARGET_DATABASE_URL";

/** Adds `waitlist migrate`: a copy in another database. */
export function addMigrate(program: Command): void {
	program
		.command("migrate")
		.description("copy everything into an empty database, while the server is stopped")
		.addOption(
			new Option(
				"--to <url>",
				`postgres:// address, or file: and a path; one with a password in ${TO}, not here`,
			).env(TO),
		)
		.option("--json", JSON_HELP)
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
				const { result: rows, replaced } = await migrate(operation, target);
				print(json, { rows, ...(replaced && { replaced }) }, () =>
					[
						`${number(rows.registration!)} people and ${number(rows.email!)} emails copied into ${describeDatabase(target)}.`,
						...(replaced ? [`The file that was there is ${replaced} now.`] : []),
						"Set DATABASE_URL to it, and start the server. Start none on the old database again: both would send.",
					].join("\n"),
				);
			});
		});
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
