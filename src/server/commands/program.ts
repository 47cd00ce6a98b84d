import { Command } from "commander";
import { brand } from "#brand";
import { printable } from "../text/printable.ts";
import { addAdmin } from "./admin.ts";
import { addBackups } from "./backups.ts";
import { addCheck } from "./check.ts";
import { EXIT } from "./command.ts";
import { addDelete } from "./delete.ts";
import { addEmails } from "./emails.ts";
import { addFiles } from "./files.ts";
import { addPeople } from "./people.ts";
import { addStats } from "./stats.ts";
import { addWaves } from "./waves.ts";

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
			process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUse);
		});
	// In help order.
	for (const add of [addStats, addCheck, addAdmin, addPeople, addDelete]) add(program);
	for (const add of [addWaves, addEmails, addFiles, addBackups]) add(program);
	for (const command of program.commands) command.option("--json", "print JSON instead of text");
	return program;
}
