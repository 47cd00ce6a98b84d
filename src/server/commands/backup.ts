import { existsSync } from "node:fs";
import type { Command } from "commander";
import { backupDays } from "#shared/retention.ts";
import type { ProofPlaces } from "../secret.ts";
import { backUp } from "../transfer/backup.ts";
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
				print(json, { file, ...found }, () =>
					[
						`${rows} rows${and} in ${file}, verified (${hash}).`,
						...belonging(operation.places),
					].join("\n"),
				);
			});
		});
}

/** Names what a restore on another machine needs besides the backup. */
function belonging({ secret, keyFile, file }: ProofPlaces): string[] {
	const there = (path = "") => (existsSync(path) ? path : "none yet");
	return [
		"On another machine a restore needs two more, kept apart from backups:",
		`  the erasure key: ${secret === undefined ? there(keyFile) : "WAITLIST_SECRET"}`,
		`  the file of proofs: ${there(file)}`,
		"Without the key, links and codes in sent emails stop working.",
	];
}
