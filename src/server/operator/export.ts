import { once } from "node:events";
import { createWriteStream } from "node:fs";
import type { Writable } from "node:stream";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Database } from "./database.ts";
import type { Progress } from "./progress.ts";
import { type Filter, inOrderOfTime } from "./registrations.ts";

/** How registrations leave: for a spreadsheet, or one JSON object a line, which loses nothing. */
export type Format = "csv" | "jsonl";

/** The columns of a CSV file, in their order. */
const CSV_COLUMNS = ["email", "source", "createdAt", "terms", "flags", "key"] as const;

/**
 * Spreadsheets run a cell that starts like a formula (OWASP, CSV injection); some also know the
 * full-width signs. A quote in front makes it text, also where there already is one.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

interface ExportSettings {
	format: Format;
	filter: Filter;
	/** Leaves out the protection against formulas. */
	raw: boolean;
	progress: Progress;
}

/**
 * Writes registrations, the oldest first, a page at a time, as fast as the reader takes them.
 *
 * @param file path of a new file, readable for its owner only; absent for standard output
 * @returns how many were written
 */
export async function exportRegistrations(
	database: Database,
	file: string | undefined,
	{ format, filter, raw, progress }: ExportSettings,
): Promise<number> {
	const output: Writable =
		file === undefined ? process.stdout : createWriteStream(file, { flags: "wx", mode: 0o600 });
	if (file !== undefined) await once(output, "open");
	const lineOf = format === "csv" ? (row: Registration) => csvLine(row, raw) : jsonLine;
	let rows = 0;
	if (format === "csv") output.write(`${CSV_COLUMNS.join(",")}\r\n`);
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
	const cells = CSV_COLUMNS.map((column) => {
		const value = !raw && FORMULA.test(row[column]) ? `'${row[column]}` : row[column];
		return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
	});
	return `${cells.join(",")}\r\n`;
}

/** Takes the protection of {@link csvLine} away. */
export function withoutProtection(cell: string): string {
	return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

function jsonLine({ email, source, createdAt, terms, flags, key }: Registration): string {
	return `${JSON.stringify({ email, source, createdAt, terms, flags, key })}\n`;
}
