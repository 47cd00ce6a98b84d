import { existsSync } from "node:fs";
import type { Command } from "commander";
import { backupDays } from "#shared/retention.ts";
import { findKey, type SecretPlaces } from "../secret.ts";
import { backUp } from "../transfer/backup.ts";
import { JSON_HELP, number, print, tell, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist backup`: everything in one verified file. */
export function addBackup(program: Command): void {
	program
		.command("backup <file>")
		.description("write everything as it is now into one file, and check it")
		.option("--json", JSON_HELP)
		.addHelpText(
			"after",
			"\nThe privacy policy promises that the last copy of a deleted address is gone within\n" +
				`${backupDays} days: delete each backup before it is older.`,
		)
		.action(async (file: string, { json }) => {
			await withDatabase(async (operation) => {
				const { rows, unnoted } = await backUp(operation, file);
				if (unnoted !== undefined) {
					tell(`The waitlist does not know of this backup: ${unnoted}.`);
				}
				const key = (await findKey(operation.places))?.fingerprint;
				print(json, { file, rows, ...(key && { key }) }, () =>
					[
						`${number(rows.registration!)} people and ${number(rows.email!)} emails in ${file}, checked.`,
						...belonging(operation.places, key),
					].join("\n"),
				);
			});
		});
}

/** Names what a restore on another machine needs besides the backup. */
function belonging({ secret, keyFile, file }: SecretPlaces, key = "none yet"): string[] {
	const place = secret === undefined ? keyFile : "WAITLIST_SECRET";
	return [
		"A restore on another machine also needs two more, kept apart from backups:",
		`  the key ${key}, in ${place ?? "WAITLIST_SECRET"}`,
		`  who unsubscribed or was deleted since: ${file !== undefined && existsSync(file) ? file : "none yet"}`,
		"Without the key, links and codes in sent emails stop working.",
	];
}
