import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Registration } from "../waitlist/waitlist.ts";
import { type Filter, inOrderOfTime } from "./database/registrations.ts";
import { type Operation, withDatabase } from "./operation.ts";
import { parseTime } from "./time.ts";

/** Adds `waitlist export`: registrations as CSV or JSON lines. */
export function addExport(program: Command): void {
	program
		.command("export")
		.description("write registrations, the oldest first")
		.addOption(
			new Option("--format <format>", "file format").choices(["csv", "jsonl"]).default("csv"),
		)
		.option("--json", "the same as --format jsonl")
		.option("--since <time>", "joined then or later, as in 2026-11-21 or 2026-11-21T09:30Z", time)
		.option("--until <time>", "joined before then", time)
		.option("--source <label>", "joined through this site")
		.option("--flagged", "only those that the trap has marked")
		.option("--no-flagged", "only those that the trap has not marked")
		.option("--raw", "CSV cells as they are, though a spreadsheet may run some as formulas")
		.option("--output <file>", "a new file instead of standard output")
		.action(async ({ format, json, raw = false, output, ...filter }) => {
			await withDatabase(async (operation) => {
				const settings = { format: (json ? "jsonl" : format) as Format, filter, raw };
				const rows = await exportRegistrations(operation, output, settings);
				if (output !== undefined) console.error(`${rows} written to ${output}.`);
			});
		});
}

function time(text: string): string {
	const parsed = parseTime(text);
	if (parsed !== undefined) return parsed;
	throw new InvalidArgumentError(
		"It must be a day or a time, as in 2026-11-21 or 2026-11-21T09:30Z.",
	);
}

/** How registrations leave: for a spreadsheet, or without any loss as one JSON object a line. */
type Format = "csv" | "jsonl";

/** The fields of an exported registration, in their order. */
const EXPORTED = ["email", "source", "createdAt", "terms", "flags", "key"] as const;

/**
 * Spreadsheets run a cell that starts like a formula (OWASP, CSV injection); some also know the
 * full-width signs. A quote in front makes the cell text. A cell that already starts with quotes
 * gets one more, so that taking one away gives the cell back.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

interface ExportSettings {
	format: Format;
	filter: Filter;
	/** Leaves out the protection against formulas. */
	raw: boolean;
}

/**
 * Writes registrations a page at a time, as fast as the reader takes them.
 *
 * @param file path of a new file, readable for its owner only; absent for standard output
 * @returns how many were written
 */
async function exportRegistrations(
	{ database, progress }: Operation,
	file: string | undefined,
	{ format, filter, raw }: ExportSettings,
): Promise<number> {
	const output: Writable =
		file === undefined ? process.stdout : createWriteStream(file, { flags: "wx", mode: 0o600 });
	if (file !== undefined) await once(output, "open");
	const lineOf = format === "csv" ? (row: Registration) => csvLine(row, raw) : jsonLine;
	let rows = 0;
	if (format === "csv") output.write(`${EXPORTED.join(",")}\r\n`);
	for await (const page of inOrderOfTime(database.query, filter)) {
		rows += page.length;
		if (!output.write(page.map(lineOf).join(""))) await once(output, "drain");
		if (file !== undefined) progress.show("exported", rows, 0);
	}
	progress.end();
	if (file !== undefined) {
		output.end();
		await once(output, "close");
	}
	return rows;
}

/** One record of RFC 4180. */
function csvLine(row: Registration, raw: boolean): string {
	const cells = EXPORTED.map((field) => {
		const value = !raw && FORMULA.test(row[field]) ? `'${row[field]}` : row[field];
		return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
	});
	return `${cells.join(",")}\r\n`;
}

/** Takes the protection of {@link csvLine} away. */
export function withoutProtection(cell: string): string {
	return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

function jsonLine(row: Registration): string {
	return `${JSON.stringify(row, [...EXPORTED])}\n`;
}
