import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { gapAsText } from "../mail/emails/gaps.ts";
import { readSettings } from "../settings.ts";
import { type Restored, refuseUnlessDatabase, restore } from "../transfer/restore.ts";
import {
	EXIT,
	JSON_HELP,
	number,
	operatorAgrees,
	print,
	withDatabase,
} from "./terminal/command.ts";
import { copiedAsText } from "./terminal/copied-as-text.ts";
import { heldAsText } from "./terminal/letters-as-text.ts";

/** Adds `waitlist restore`: what a backup holds. */
export function addRestore(program: Command): void {
	program
		.command("restore <file>")
		.summary("add what a backup holds")
		.description(
			"Adds what a backup holds. Rows that are there stay as they are, and an address that was " +
				"erased, here or in the backup, does not come back. Letters that were still to be sent may " +
				"have gone out since: they come in as unknown, and none is sent by itself.",
		)
		.option(
			"--without-proofs",
			"go on where proofs of erasure are lost, or their key: whoever only they recognize comes back",
		)
		.option(
			"--nothing-sent-since",
			"no letter went out after the file was made: those still to be sent come in held, see release",
		)
		.addOption(
			new Option(
				"--future-erasures <out|back>",
				"people who were erased later than now, by a wrong clock, stay out or come back",
			).choices(["out", "back"]),
		)
		.option("--json", JSON_HELP)
		.action(
			async (
				file: string,
				{ withoutProofs = false, nothingSentSince = false, futureErasures, json },
			) => {
				await refuseUnlessDatabase(file);
				const { database } = readSettings(process.env, process.cwd());
				const isNew = database.kind === "sqlite" && !existsSync(database.file);
				await withDatabase(
					async (operation) => {
						const options = {
							withoutProofs,
							nothingSentSince,
							futureErasures,
							isNew,
							agrees: operatorAgrees,
						};
						const restored = await restore(operation, file, options);
						print(json, restored, () => restoredAsText(restored, operation.database.place));
						if (restored.refused) process.exitCode = EXIT.problem;
					},
					{ create: true },
				);
			},
		);
}

/** More refused rows than a person reads. */
const MOST_REFUSED = 1000;

function restoredAsText(restored: Restored, place: string): string {
	const { gap, unknown, held, refused = [] } = restored;
	return [
		copiedAsText(restored, place),
		...(refused.length > 0 ? [`left out, because an import refuses them: ${refused.length}`] : []),
		...refused
			.slice(0, MOST_REFUSED)
			.map(({ email, error }) => `  ${JSON.stringify(email)}: ${error}`),
		...(refused.length > MOST_REFUSED ? ["  …"] : []),
		...(held > 0 ? [heldAsText(held)] : []),
		...(gap || unknown > 0 ? [""] : []),
		...(gap ? [gapAsText(gap)] : []),
		...(unknown > 0
			? [
					`Letters that may have gone out, and are unknown now: ${number(unknown)}. None is sent by ` +
						"itself, and their codes redeem.",
				]
			: []),
		...(gap || unknown > 0 ? WAYS_ON : []),
	].join("\n");
}

const WAYS_ON = [
	"Three ways on, in this order:",
	"  1. Restore what can still be read of the lost database.",
	"  2. Mark what your mail provider's log says was sent: `waitlist sent --file log.csv`, and",
	"     `waitlist sent --complete` when all of the log is marked.",
	"  3. Send the letters that are still unknown again: `waitlist retry --unknown`. Some people get",
	"     theirs twice.",
];
