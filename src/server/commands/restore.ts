import type { Command } from "commander";
import { gapAsText } from "../mail/emails/gaps.ts";
import { describeDatabase } from "../settings/database.ts";
import type { Filled } from "../transfer/fill.ts";
import { type Restored, restore } from "../transfer/restore.ts";
import { JSON_HELP, number, print, readOperation } from "./terminal/command.ts";

/** Adds `waitlist restore`: fills an empty database with a backup. */
export function addRestore(program: Command): void {
	program
		.command("restore <file>")
		.summary("fill an empty database with a backup, while the server is stopped")
		.description(
			"Fills an empty database with a backup, while the server is stopped. A database file that is " +
				"there is kept under another name. Emails that were still to be sent may have gone out since: " +
				"they are unknown, and none is sent by itself.",
		)
		.option("--planned", "no email went out after the backup was made: those to be sent still wait")
		.option("--new-key", "the key of the backup is lost for good")
		.option(
			"--without-file",
			"the file of those who unsubscribed or were deleted since is lost, or nobody did",
		)
		.option("--json", JSON_HELP)
		.action(
			async (file: string, { planned = false, newKey = false, withoutFile = false, json }) => {
				const operation = readOperation();
				const options = { planned, newKey, withoutFile };
				const { result, replaced } = await restore(operation, file, options);
				print(json, { ...result, ...(replaced && { replaced }) }, () =>
					restoredAsText(
						{ result, ...(replaced && { replaced }) },
						describeDatabase(operation.settings.database),
					),
				);
			},
		);
}

function restoredAsText({ result, replaced }: Filled<Restored>, place: string): string {
	const { rows, deleted, foreign, gap, unknown } = result;
	return [
		`${number(rows.registration! - deleted)} people and ${number(rows.email!)} emails restored into ${place}.`,
		...(deleted > 0 ? [`Left out, as they were deleted since: ${number(deleted)}`] : []),
		...(foreign > 0
			? [`Entries of the suppression list that only a lost key recognizes: ${number(foreign)}`]
			: []),
		...(replaced
			? [
					`The replaced database is ${replaced}. To bring in who joined since the backup:`,
					`  DATABASE_URL=file:${replaced} waitlist export --format jsonl --output since.jsonl`,
					"  waitlist import since.jsonl",
				]
			: []),
		...(gap ? ["", gapAsText(gap)] : []),
		...(unknown > 0
			? [
					`Emails that may have gone out, and are unknown now: ${number(unknown)}. None is sent by ` +
						"itself, and their codes redeem.",
				]
			: []),
		...(gap || unknown > 0 ? SETTLING : []),
	].join("\n");
}

const SETTLING = [
	"Mark what your mail provider's log says was sent: `waitlist sent --file log.csv`, and",
	"`waitlist sent --complete` when all of the log is marked.",
];
