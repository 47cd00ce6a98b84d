import { once } from "node:events";
import { type Command, Option } from "commander";
import { writeNewFile } from "../files/files.ts";
import { FLAG_FILTERS } from "../registrations/flags.ts";
import { printable } from "../text/printable.ts";
import { type ExportFormat, exportRegistrations } from "../transfer/export.ts";
import { tell, time, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist export`: registrations as CSV or JSON lines. */
export function addExport(program: Command): void {
	program
		.command("export")
		.description("write registrations, the oldest first")
		.addOption(
			new Option("--format <format>", "file format")
				.choices(["csv", "excel", "jsonl"])
				.default("csv"),
		)
		.option("--json", "the same as --format jsonl")
		.option(
			"--excel",
			"the same as --format excel: CSV with semicolons, for Excel where 1,5 is a number",
		)
		.option("--since <time>", "joined then or later, as in 2026-11-21 or 2026-11-21T09:30Z", time)
		.option("--until <time>", "joined before then", time)
		.option("--source <label>", "joined through this site")
		.addOption(new Option("--flag <flag>", "people with this flag").choices(FLAG_FILTERS))
		.option("--raw", "CSV cells as they are, though a spreadsheet may run some as formulas")
		.option("--output <file>", "a new file instead of standard output")
		.action(async ({ format: named, json, excel, raw = false, output, ...filter }) => {
			await withDatabase(async (operation) => {
				const format: ExportFormat = json ? "jsonl" : excel ? "excel" : named;
				const settings = { format, filter, raw };
				if (output === undefined) {
					const { database } = operation;
					await exportRegistrations({ database }, settings, writeToStdout);
					return;
				}
				const rows = await writeNewFile(output, (write) =>
					exportRegistrations(operation, settings, write),
				);
				tell(`${rows} written to ${output}.`);
			});
		});
}

/** A program gets what is stored; a terminal obeys none of it. */
async function writeToStdout(text: string): Promise<void> {
	if (!process.stdout.write(process.stdout.isTTY ? printable(text) : text)) {
		await once(process.stdout, "drain");
	}
}
