import { dirname, join } from "node:path";
import type { Command } from "commander";
import { backupRetentionDays } from "#shared/retention.ts";
import { restoreGapAsText } from "../mail/emails/unknown-emails.ts";
import { findKey, type SecretLocations } from "../secret.ts";
import { type DatabaseSettings, describeDatabase, parseDatabaseUrl } from "../settings/values.ts";
import { formatCount, formatNumber } from "../text/format-number.ts";
import { backUp } from "../transfer/backup.ts";
import { migrate } from "../transfer/migrate.ts";
import { type RestoreSummary, restore } from "../transfer/restore.ts";
import { createOperation, databaseAction, printResult } from "./command.ts";

/** An environment variable, because other users of the machine can read command options. */
const TARGET = "TARGET_DATABASE_URL";

export function addBackupCommands(program: Command): void {
	program
		.command("backup <file>")
		.description("back up everything into one file, and check it")
		.addHelpText(
			"after",
			"\nThe privacy policy promises that backups of a deleted address are gone within\n" +
				`${backupRetentionDays} days: delete every backup before it gets that old.`,
		)
		.action(
			databaseAction(async (operation, file: string) => {
				const rows = await backUp(operation, file);
				const key = (await findKey(operation.places))?.fingerprint;
				return {
					json: { file, rows, key },
					text: [`${countedAsText(rows)} in ${file}, checked.`, belonging(operation.places, key)],
				};
			}),
		);
	program
		.command("restore <file>")
		.description(
			"restore a backup into an empty database, or in place of the SQLite file (kept under a new name): stop the server first",
		)
		.option("--planned", "keep unsent emails queued: only if none went out after the backup")
		.option(
			"--new-key",
			"create a new key, if the old one is lost: links and codes already sent stop working",
		)
		.option(
			"--without-file",
			"restore without the suppression file: people listed only there come back",
		)
		.action(async (file: string, { json, ...options }) => {
			const operation = createOperation();
			const restored = await restore(operation, file, options);
			const text = restoredAsText(restored, describeDatabase(operation.settings.database));
			printResult(json, { json: restored, text });
		});
	program
		.command("migrate")
		.description(
			`copy everything into the empty database that ${TARGET} names: stop the server first`,
		)
		.action((options, command: Command) => {
			const target = readTarget(command);
			return databaseAction(async (operation) => {
				if (JSON.stringify(target) === JSON.stringify(operation.settings.database)) {
					command.error(`error: ${TARGET} names the database that is in use now`);
				}
				const migrated = await migrate(operation, target);
				const { rows, replaced } = migrated;
				return {
					json: migrated,
					text: [
						`${countedAsText(rows)} copied into ${describeDatabase(target)}.`,
						...(replaced ? [`The previous file is now ${replaced}.`] : []),
						"Set DATABASE_URL to the new database, and start the server. Never start a server on the old database again: both would send emails.",
					],
				};
			})(options, command);
		});
}

const countedAsText = (rows: Readonly<Record<string, number>>) =>
	`${formatCount(rows.registration!, "person", "people")} and ${formatCount(rows.email!, "email")}`;

const belonging = ({ secret, keyFile, file }: SecretLocations, key = "none yet") =>
	"To restore on another machine you also need, stored separately from your backups: the key in " +
	`${(secret === undefined && keyFile) || "WAITLIST_SECRET"} (fingerprint ${key}), and ${file ?? "WAITLIST_SUPPRESSION_FILE"}. Without the key, links and ` +
	"codes in sent emails stop working.";

function restoredAsText(restored: RestoreSummary, place: string): string[] {
	const { rows, deleted, gap, unknown, replaced } = restored;
	const since = replaced && join(dirname(replaced), "since.jsonl");
	return [
		`${countedAsText({ ...rows, registration: rows.registration! - deleted })} restored into ${place}.`,
		...(deleted > 0 ? [`Deleted since the backup, so left out: ${formatNumber(deleted)}`] : []),
		...(replaced
			? [
					`The previous database is now ${replaced}. To add people who joined since the backup:`,
					`  DATABASE_URL=file:${replaced} waitlist export --format jsonl --output ${since}`,
					`  waitlist import ${since}`,
				]
			: []),
		...(gap ? ["", restoreGapAsText(gap)] : []),
		...(unknown > 0
			? [`Emails with unknown delivery: ${formatNumber(unknown)}. Their codes work.`]
			: []),
		...(gap || unknown > 0
			? [
					"Mark what your mail provider's log says was sent: `waitlist sent --file log.csv`, and",
					"`waitlist sent --complete` when the whole log is marked.",
				]
			: []),
	];
}

function readTarget(command: Command): DatabaseSettings {
	const url = process.env[TARGET];
	if (!url) command.error(`error: set ${TARGET} to the empty database to copy into`);
	try {
		return parseDatabaseUrl(url, process.cwd());
	} catch (error) {
		command.error(`error: ${TARGET} ${(error as Error).message}`);
	}
}
