import { Command } from "commander";
import { brand } from "#brand";
import { printable } from "../printable.ts";
import { addBackup } from "./backup.ts";
import { addCheck } from "./check.ts";
import { addErase } from "./erase.ts";
import { addExport } from "./export.ts";
import { addFind } from "./find.ts";
import { addFlag } from "./flag.ts";
import { addHold } from "./hold.ts";
import { addImport } from "./import.ts";
import { addInvite } from "./invite.ts";
import { addLetters } from "./letters.ts";
import { addMigrate } from "./migrate.ts";
import { addOffice } from "./office.ts";
import { addPreview } from "./preview.ts";
import { addProof } from "./proof.ts";
import { addRelease } from "./release.ts";
import { addRestore } from "./restore.ts";
import { addRetry } from "./retry.ts";
import { addSend } from "./send.ts";
import { addSent } from "./sent.ts";
import { addStats } from "./stats.ts";
import { addNotify } from "./telling/notify.ts";
import { addWebhook } from "./telling/webhook.ts";
import { EXIT } from "./terminal/command.ts";
import { addUnbounce } from "./unbounce.ts";
import { addUnsubscribe } from "./unsubscribe.ts";
import { addCancel, addPause, addResume } from "./waves/change-wave.ts";
import { addWaves } from "./waves.ts";
import { addWrite } from "./write.ts";

/** The operator's commands, in the order in which the help lists them. */
const commands = [
	addStats,
	addExport,
	addFind,
	addProof,
	addUnsubscribe,
	addErase,
	addImport,
	addBackup,
	addRestore,
	addMigrate,
	addInvite,
	addWrite,
	addWaves,
	addPause,
	addResume,
	addCancel,
	addLetters,
	addFlag,
	addHold,
	addRelease,
	addRetry,
	addSent,
	addSend,
	addUnbounce,
	addPreview,
	addOffice,
	addNotify,
	addWebhook,
	addCheck,
];

/** The operator's command line. */
export function createProgram(): Command {
	const program = new Command("waitlist")
		.description(
			`Looks after ${brand.product}'s waitlist, also while the server runs.\n` +
				"It reads the same settings as the server: DATABASE_URL names the database.",
		)
		.addHelpText(
			"after",
			"\nExit codes: 0 done, 1 failed or something is wrong, 2 wrong use, 3 nothing found.",
		)
		.configureHelp({ showGlobalOptions: true })
		.configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
		.exitOverride((error) => {
			process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUse);
		});
	for (const add of commands) add(program);
	return program;
}
