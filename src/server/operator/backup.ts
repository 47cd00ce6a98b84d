import type { Command } from "commander";
import { backupDays } from "#shared/retention.ts";
import { backUp } from "../moving/backup.ts";
import { JSON_HELP, print, tell, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist backup`: everything in one verified file. */
export function addBackup(program: Command): void {
	program
		.command("backup <file>")
		.description("write everything as it is now into one file, and read it back")
		.option("--json", JSON_HELP)
		.addHelpText(
			"after",
			"\nThe privacy policy promises that the last copy of an erased address is gone within\n" +
				`${backupDays} days: delete each backup before it is older.`,
		)
		.action(async (file: string, { json }) => {
			await withDatabase(async (operation) => {
				const { rows, hash, letters, unnoted } = await backUp(operation, file);
				const found = letters > 0 ? { rows, letters, hash } : { rows, hash };
				if (unnoted !== undefined) {
					tell(`The waitlist does not know of this backup: ${unnoted}.`);
				}
				const and = letters > 0 ? ` and ${letters} letters` : "";
				print(json, { file, ...found }, () => `${rows} rows${and} in ${file}, verified (${hash}).`);
			});
		});
}
