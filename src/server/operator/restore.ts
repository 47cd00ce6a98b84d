import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { refuseUnlessWhole } from "./backup.ts";
import { type Copied, copiedAsText, copy } from "./copy.ts";
import { openDatabase } from "./database/open-database.ts";
import { JSON_HELP, type Operation, print, withDatabase } from "./operation.ts";

/** Adds `waitlist restore`: what a backup holds. */
export function addRestore(program: Command): void {
	program
		.command("restore <file>")
		.summary("add what a backup holds")
		.description(
			"Adds what a backup holds. Rows that are there stay as they are, and an address that was " +
				"erased, here or in the backup, does not come back.",
		)
		.option("--json", JSON_HELP)
		.action(async (file: string, { json }) => {
			await withDatabase(
				async (operation) => {
					const copied = await restore(operation, file);
					print(json, copied, () => copiedAsText(copied, operation.database.place));
				},
				{ create: true },
			);
		});
}

/**
 * Adds what a backup holds to a database, which may be empty or in use. The file is only read.
 *
 * @throws Error with a sentence for the operator when the file is not a whole waitlist
 */
async function restore(operation: Operation, file: string): Promise<Copied> {
	if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
	const folder = await mkdtemp(join(tmpdir(), "waitlist-restore-"));
	try {
		// In a copy, because opening brings a backup of an older version up to date.
		const opened = join(folder, "backup.db");
		await copyFile(file, opened);
		const backup = await openDatabase({ kind: "sqlite", file: opened }, { create: false }).catch(
			({ message }: Error) => {
				throw new Error(message.replace(opened, file));
			},
		);
		try {
			await refuseUnlessWhole(backup);
			return await copy(backup, operation.database, operation);
		} finally {
			await backup.close();
		}
	} finally {
		await rm(folder, { recursive: true });
	}
}
