import { Command } from "commander";
import { brand } from "#brand";
import { printable } from "../text/printable.ts";
import { addAdminCommand } from "./admin.ts";
import { addBackupCommands } from "./backups.ts";
import { addCheckCommand } from "./check.ts";
import { EXIT_CODES } from "./command.ts";
import { addDeleteCommand } from "./delete.ts";
import { addEmailCommands } from "./emails.ts";
import { addFileCommands } from "./files.ts";
import { addPeopleCommands } from "./people.ts";
import { addStatsCommand } from "./stats.ts";
import { addWaveCommands } from "./waves.ts";

export function createProgram(): Command {
	const program = new Command("waitlist")
		.description(
			`Manages ${brand.product}'s waitlist. Safe while the server runs, except restore and migrate.\n` +
				"It reads the same settings as the server: DATABASE_URL names the database.",
		)
		.addHelpText(
			"after",
			"\nExit codes: 0 success, 1 error or failed check, 2 usage error, 3 one or more not found.",
		)
		.configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
		.exitOverride((error) => {
			process.exit(error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.wrongUse);
		});
	for (const add of [addStatsCommand, addCheckCommand, addAdminCommand]) add(program);
	for (const add of [addPeopleCommands, addDeleteCommand, addWaveCommands]) add(program);
	for (const add of [addEmailCommands, addFileCommands, addBackupCommands]) add(program);
	for (const command of program.commands) command.option("--json", "print JSON instead of text");
	return program;
}
