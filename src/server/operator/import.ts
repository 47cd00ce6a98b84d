import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { domainToASCII } from "node:url";
import { parse } from "csv-parse";
import { canonicalEmail } from "#shared/email.ts";
import { isSourceLabel, SOURCE_INVALID } from "../join/fields.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Database } from "./database.ts";
import { type CodeOf, type Erased, readErased } from "./erasure.ts";
import { withoutProtection } from "./export.ts";
import type { Progress } from "./progress.ts";
import { parseTime } from "./time.ts";

/** What an import can read: CSV with a header, JSON lines, or one address a line. */
export type ImportFormat = "csv" | "jsonl" | "text";

/** A line that was not taken, and why. */
export interface RefusedLine {
	line: number;
	error: string;
}

/** What came of an import. */
export interface Imported {
	added: number;
	duplicates: number;
	refused: number;
}

interface ImportSettings {
	format: ImportFormat;
	/** For lines that name no source. */
	source: string;
	/** For lines that name no terms: the version that these people agreed to. */
	terms: string;
	/** For lines that name no time, ISO 8601. */
	now: string;
	codes: () => CodeOf;
	onRefused: (refused: RefusedLine) => void;
	progress: Progress;
}

/** A line of any format: the fields by name, or what keeps it from being read. */
type Line = { line: number } & ({ fields: Record<string, unknown> } | { error: string });

const BATCH_ROWS = 1000;

/**
 * Puts addresses on the list by the same rule as the site. Rows that are there already stay as they
 * are; whoever was erased does not come back.
 *
 * @param file path, or `-` for standard input
 */
export async function importRegistrations(
	database: Database,
	file: string,
	settings: ImportSettings,
): Promise<Imported> {
	const { progress, onRefused } = settings;
	const input = file === "-" ? process.stdin : createReadStream(file);
	const erased = await readErased([database.query], settings.codes);
	const imported: Imported = { added: 0, duplicates: 0, refused: 0 };
	let batch: Registration[] = [];
	async function add(): Promise<void> {
		const added = await database.add(batch);
		imported.added += added.length;
		imported.duplicates += batch.length - added.length;
		batch = [];
		progress.show("imported", imported.added + imported.duplicates, 0);
	}

	for await (const line of readers[settings.format](input)) {
		const read = "error" in line ? line : registrationOf(line.fields, settings, erased);
		if ("error" in read) {
			imported.refused += 1;
			onRefused({ line: line.line, error: read.error });
		} else if (batch.push(read) === BATCH_ROWS) await add();
	}
	if (batch.length > 0) await add();
	progress.end();
	return imported;
}

/** Checks what one line says. Empty fields are absent ones, as spreadsheets write them. */
function registrationOf(
	fields: Record<string, unknown>,
	settings: ImportSettings,
	erased: Erased,
): Registration | { error: string } {
	const field = (name: string, fallback: string): unknown =>
		[undefined, null, ""].includes(fields[name] as undefined) ? fallback : fields[name];

	const address = canonicalEmail(String(field("email", "")), domainToASCII);
	if ("error" in address) return address;
	const source = field("source", settings.source);
	if (!isSourceLabel(source)) return { error: SOURCE_INVALID };
	const typedTime = field("createdAt", "");
	const createdAt = typedTime === "" ? settings.now : parseTime(String(typedTime));
	if (createdAt === undefined) return { error: `The time ${JSON.stringify(typedTime)} is none.` };
	// Without a time the line may be older than the erasure: a copy that somebody kept.
	const erasure = erased.find({ key: address.key, createdAt: typedTime === "" ? "" : createdAt });
	if (erasure) return { error: `This address was erased on ${erasure.erasedAt}.` };
	const terms = String(field("terms", settings.terms));
	return { ...address, source, createdAt, terms, flags: String(field("flags", "")) };
}

const readers: Record<ImportFormat, (input: Readable) => AsyncGenerator<Line>> = {
	async *csv(input) {
		const parser = input.pipe(
			parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true }),
		);
		let names: string[] | undefined;
		for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
			if (!names) {
				names = record.map(columnName);
				if (!names.includes("email")) throw new Error("The first line must name a column email.");
				continue;
			}
			const cells = names.map((name, n) => [name, withoutProtection(record[n] ?? "")]);
			yield { line: info.lines, fields: Object.fromEntries(cells) };
		}
	},
	async *jsonl(input) {
		for await (const { line, text } of linesOf(input)) {
			const fields = parseObject(text);
			yield fields ? { line, fields } : { line, error: "This is not a JSON object." };
		}
	},
	async *text(input) {
		for await (const { line, text } of linesOf(input)) yield { line, fields: { email: text } };
	},
};

interface CsvRecord {
	record: string[];
	info: { lines: number };
}

/** Other tools write `Email`, or `created_at` for the time. */
function columnName(cell: string): string {
	const name = cell.trim().toLowerCase();
	return ["createdat", "created_at", "joined"].includes(name) ? "createdAt" : name;
}

async function* linesOf(input: Readable): AsyncGenerator<{ line: number; text: string }> {
	let line = 0;
	for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
		line += 1;
		if (text.trim() !== "") yield { line, text };
	}
}

function parseObject(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
		return value as Record<string, unknown>;
	} catch {
		return undefined;
	}
}
