import { type Argument, Command } from "commander";
import { brand } from "#brand";
import { printable } from "../text/printable.ts";
import { addAdmin } from "./admin.ts";
import { addBackup } from "./backup.ts";
import { addBlock, addUnblock } from "./block.ts";
import { addCheck } from "./check.ts";
import { addConfirm } from "./confirm.ts";
import { addDelete } from "./delete.ts";
import { addEmails } from "./emails.ts";
import { addExport } from "./export.ts";
import { addFind } from "./find.ts";
import { addImport } from "./import.ts";
import { addInvite } from "./invite.ts";
import { addMigrate } from "./migrate.ts";
import { addNews } from "./news.ts";
import { addCancel, addPause, addResume } from "./pause.ts";
import { addResend } from "./resend.ts";
import { addRestore } from "./restore.ts";
import { addSent } from "./sent.ts";
import { addStats } from "./stats.ts";
import { EXIT } from "./terminal/command.ts";
import { addUnsubscribe } from "./unsubscribe.ts";
import { addWaves } from "./waves.ts";

/** `<file>`, or `[file]` where it may be left out. */
function termOf(argument: Argument): string {
	const name = argument.name() + (argument.variadic ? "…" : "");
	return argument.required ? `<${name}>` : `[${name}]`;
}

/** The commands, in the order in which the help lists them. */
const commands = [
	addStats,
	addCheck,
	addAdmin,
	addFind,
	addConfirm,
	addResend,
	addUnsubscribe,
	addBlock,
	addUnblock,
	addDelete,
	addInvite,
	addNews,
	addWaves,
	addEmails,
	addPause,
	addResume,
	addCancel,
	addExport,
	addImport,
	addBackup,
	addRestore,
	addMigrate,
	addSent,
];

/** The founder's command line. */
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
		.configureHelp({
			showGlobalOptions: true,
			// Every command has options.
			subcommandTerm: (command) =>
				[command.name(), ...command.registeredArguments.map(termOf)].join(" "),
		})
		.configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
		.exitOverride((error) => {
			process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUse);
		});
	for (const add of commands) add(program);
	return program;
}
