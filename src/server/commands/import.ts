import { type Command, InvalidArgumentError, Option } from "commander";
import { openToRead } from "../files/files.ts";
import { importedAsText, importRegistrations } from "../transfer/import.ts";
import { formatOf } from "../transfer/import-formats.ts";
import { isKept } from "../transfer/import-lines.ts";
import { EXIT, JSON_HELP, print, sourceLabel, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist import`: addresses from a file. */
export function addImport(program: Command): void {
	program
		.command("import <file>")
		.description("add addresses from a file, or from standard input with -")
		.addOption(
			new Option(
				"--format <format>",
				"csv (with a header), jsonl, or text: one address a line; by default from the file's name",
			).choices(["csv", "jsonl", "text"]),
		)
		.option("--source <label>", "for lines that name none", sourceLabel, "import")
		.option(
			"--terms <version>",
			"legal texts these people agreed to, for lines that name none",
			storable,
			"",
		)
		.option("--json", JSON_HELP)
		.action(async (file: string, { format, source, terms, json }) => {
			const input = file === "-" ? process.stdin : await openToRead(file);
			await withDatabase(
				async (operation) => {
					const settings = { format: format ?? formatOf(file), source, terms };
					const imported = await importRegistrations(operation, input, settings);
					const mayConfirm = imported.added > 0 && operation.settings.mail !== undefined;
					print(json, imported, () =>
						[importedAsText(imported), ...(mayConfirm ? [CONFIRM] : [])].join("\n"),
					);
					if (imported.refused > 0) process.exitCode = EXIT.problem;
				},
				{ create: true },
			);
		});
}

const CONFIRM =
	"They get no email until `waitlist confirm`, as in `waitlist confirm --source import --dry-run`.";

function storable(text: string): string {
	if (isKept(text)) return text;
	throw new InvalidArgumentError("It must be text in UTF-8.");
}
