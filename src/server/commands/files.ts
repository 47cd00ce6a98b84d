import { once } from "node:events";
import { type Command, Option } from "commander";
import { openToRead, type WriteText, writeNewFile } from "../files/files.ts";
import { FLAG_FILTERS } from "../registrations/flags.ts";
import { readRegistrationsByJoinTime } from "../registrations/registrations.ts";
import { printable } from "../text/printable.ts";
import { exportLines } from "../transfer/export.ts";
import { importNextStep, importRegistrations, importSummaryAsText } from "../transfer/import.ts";
import { importFormatOf } from "../transfer/import-formats.ts";
import {
	databaseAction,
	EXIT_CODES,
	parseSourceLabel,
	parseTimeOption,
	printResult,
	printToStderr,
	withDatabase,
} from "./command.ts";

export function addFileCommands(program: Command): void {
	program
		.command("export")
		.description("export people, earliest joiners first")
		.addOption(
			new Option(
				"--format <format>",
				"excel: CSV with semicolons, for Excel in locales with decimal commas",
			)
				.choices(["csv", "excel", "jsonl"])
				.default("csv"),
		)
		.option(
			"--since <time>",
			"joined then or later, such as 2026-11-21 or 2026-11-21T09:30Z",
			parseTimeOption,
		)
		.option("--until <time>", "joined before then", parseTimeOption)
		.option("--source <label>", "only people with this source")
		.addOption(new Option("--flag <flag>", "by flag (founder means blocked)").choices(FLAG_FILTERS))
		.option("--output <file>", "a new file instead of standard output")
		.action(
			databaseAction(async ({ database }, { format: named, json, output, ...filter }) => {
				const format = json ? "jsonl" : named;
				const writeAll = async (write: WriteText) => {
					const pages = readRegistrationsByJoinTime(database, filter);
					for await (const lines of exportLines(database, pages, format)) await write(lines);
				};
				if (output === undefined) {
					await writeAll(writeToStdout);
				} else {
					await writeNewFile(output, writeAll);
					printToStderr(`Written to ${output}.`);
				}
				return undefined;
			}),
		);
	program
		.command("import <file>")
		.description("import people from a file, or from standard input with -")
		.addOption(
			new Option(
				"--format <format>",
				"text: one address per line (default: from the file's name)",
			).choices(["csv", "jsonl", "text"]),
		)
		.option("--source <label>", "for people without one in the file", parseSourceLabel, "import")
		.action(async (file: string, { format, source, json }) => {
			const input = file === "-" ? process.stdin : await openToRead(file);
			await withDatabase(
				async (operation) => {
					const settings = { format: format ?? importFormatOf(file), source };
					const imported = await importRegistrations(operation, input, settings);
					const next = importNextStep(imported.added, operation.settings);
					printResult(json, {
						json: imported,
						text: [importSummaryAsText(imported), ...next],
						exit: imported.refused > 0 ? EXIT_CODES.problem : EXIT_CODES.done,
					});
				},
				{ create: true },
			);
		});
}

/** Escapes control characters if standard output is a terminal. */
async function writeToStdout(text: string): Promise<void> {
	if (!process.stdout.write(process.stdout.isTTY ? printable(text) : text)) {
		await once(process.stdout, "drain");
	}
}
