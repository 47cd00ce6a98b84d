import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { domainToASCII } from "node:url";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parse } from "csv-parse";
import { canonicalEmail } from "#shared/email.ts";
import { isSourceLabel, SOURCE_INVALID } from "../join/fields.ts";
import type { Registration } from "../waitlist/waitlist.ts";
import { addRegistrations } from "./database/registrations.ts";
import { findErased, openProofs } from "./erasure.ts";
import { withoutProtection } from "./export.ts";
import { EXIT, JSON_HELP, type Operation, print, withDatabase } from "./operation.ts";
import { parseTime } from "./time.ts";

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
		.option("--terms <version>", "legal texts these people agreed to, for lines that name none", "")
		.option("--json", JSON_HELP)
		.action(async (file: string, { format, source, terms, json }) => {
			await withDatabase(
				async (operation) => {
					const settings = { format: format ?? formatOf(file), source, terms };
					const imported = await importRegistrations(operation, file, settings);
					print(json, imported, () => importedAsText(imported));
					if (imported.refused > 0) process.exitCode = EXIT.problem;
				},
				{ create: true },
			);
		});
}

function sourceLabel(text: string): string {
	if (isSourceLabel(text)) return text;
	throw new InvalidArgumentError(SOURCE_INVALID);
}

function formatOf(file: string): ImportFormat {
	if (/\.csv$/i.test(file)) return "csv";
	return /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : "text";
}

/** What an import can read: CSV with a header, JSON lines, or one address a line. */
type ImportFormat = "csv" | "jsonl" | "text";

/** The result of an import. */
interface Imported {
	added: number;
	duplicates: number;
	refused: number;
	/** The first refused lines, and why each was refused. */
	lines: { line: number; error: string }[];
}

/** More refused lines than a person reads. */
const MOST_REFUSED_LINES = 1000;

interface ImportSettings {
	format: ImportFormat;
	/** For lines that name no source. */
	source: string;
	/** For lines that name no terms: the version that these people agreed to. */
	terms: string;
}

/** A line of any format: its fields by name, or why it cannot be read. */
type Line = { line: number } & ({ fields: Record<string, unknown> } | { error: string });

const BATCH_ROWS = 1000;

/**
 * Puts addresses on the list by the same rule as the site. Rows that are there already stay as they
 * are. Erased addresses do not come back.
 *
 * @param file path, or `-` for standard input
 */
async function importRegistrations(
	{ database, places, now, progress }: Operation,
	file: string,
	{ format, source, terms }: ImportSettings,
): Promise<Imported> {
	const defaults: Defaults = { source, terms, createdAt: now.toISOString() };
	const input = file === "-" ? process.stdin : createReadStream(file);
	const proofs = await openProofs(database, places);
	const imported: Imported = { added: 0, duplicates: 0, refused: 0, lines: [] };
	let batch: ReadLine[] = [];
	function refuse(line: number, error: string): void {
		imported.refused += 1;
		if (imported.refused <= MOST_REFUSED_LINES) imported.lines.push({ line, error });
	}
	async function add(): Promise<void> {
		// A line without a time may be older than the erasure: a copy that somebody kept.
		const registrations = batch.map(({ registration }) => registration);
		const erasedAt = await findErased(database, proofs, registrations);
		const kept: Registration[] = [];
		for (const { line, registration, dated } of batch) {
			const { key, createdAt } = registration;
			const erased = erasedAt({ key, createdAt: dated ? createdAt : "" });
			if (erased === undefined) kept.push(registration);
			else refuse(line, `This address was erased on ${erased}.`);
		}
		const added = await addRegistrations(database, kept);
		imported.added += added.length;
		imported.duplicates += kept.length - added.length;
		batch = [];
		progress.show("imported", imported.added + imported.duplicates, 0);
	}

	for await (const line of readers[format](input)) {
		const read = "error" in line ? line : registrationOf(line.fields, defaults);
		if ("error" in read) refuse(line.line, read.error);
		else if (batch.push({ line: line.line, ...read }) === BATCH_ROWS) await add();
	}
	if (batch.length > 0) await add();
	progress.end();
	imported.lines.sort((a, b) => a.line - b.line);
	return imported;
}

function importedAsText({ added, duplicates, refused, lines }: Imported): string {
	return [
		`${added} added, ${duplicates} already there, ${refused} refused`,
		...lines.map(({ line, error }) => `  line ${line}: ${error}`),
		...(refused > lines.length ? ["  …"] : []),
	].join("\n");
}

/** What a line gets that does not name it. */
type Defaults = Pick<Registration, "source" | "terms" | "createdAt">;

/** A line that can be added, unless its address was erased. */
interface ReadLine {
	line: number;
	registration: Registration;
	/** Whether the line itself names the time. */
	dated: boolean;
}

/** Checks the fields of one line. An empty field counts as absent: spreadsheets write such fields. */
function registrationOf(
	fields: Record<string, unknown>,
	defaults: Defaults,
): Omit<ReadLine, "line"> | { error: string } {
	const field = (name: string, fallback: string): unknown =>
		[undefined, null, ""].includes(fields[name] as undefined) ? fallback : fields[name];

	const address = canonicalEmail(String(field("email", "")), domainToASCII);
	if ("error" in address) return address;
	const source = field("source", defaults.source);
	if (!isSourceLabel(source)) return { error: SOURCE_INVALID };
	const typedTime = field("createdAt", "");
	const createdAt = typedTime === "" ? defaults.createdAt : parseTime(String(typedTime));
	if (createdAt === undefined) {
		return { error: `${JSON.stringify(typedTime)} is not a date or time.` };
	}
	const terms = String(field("terms", defaults.terms));
	const flags = String(field("flags", ""));
	const registration = { ...address, source, createdAt, terms, flags };
	return { registration, dated: typedTime !== "" };
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
				if (!names.includes("email")) throw new Error('The first line must name a column "email".');
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
