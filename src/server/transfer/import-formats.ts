import type { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { type Options, parse } from "csv-parse";
import { removeFormulaQuotes } from "./csv.ts";

/** CSV with a header, JSON Lines, or one address per line. */
export type ImportFormat = "csv" | "jsonl" | "text";

export function importFormatOf(file: string): ImportFormat {
	if (/\.csv$/i.test(file)) return "csv";
	return /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : "text";
}

/** A parsed line, or the text of an invalid one. */
export type ImportLine = { line: number } & (
	| { fields: Record<string, unknown> }
	| { text: string }
);

/** Limits lines: an unclosed quote would otherwise swallow the whole file. */
const LONGEST_LINE = 1_000_000;

/** Column names per field, as {@link normalizeColumn} normalizes them. Google exports `E-mail 1 - Value`. */
const FIELD_OF = new Map(
	Object.entries({
		email: "email emailaddress emailadresse email1value mail recipient",
		joinedAt: "joinedat joined createdat",
		confirmedAt: "confirmedat",
		invitedAt: "invitedat",
		expiresAt: "expiresat",
		redeemedAt: "redeemedat",
		unknownAt: "unknownat",
		source: "source",
		terms: "terms",
		flag: "flag",
		wave: "wave",
	}).flatMap(([field, columns]) => columns.split(" ").map((column) => [column, field] as const)),
);

const fieldOf = (column: string) => FIELD_OF.get(normalizeColumn(column)) ?? column.trim();

/** @throws Error with the number of a broken line */
export const readLines: Record<ImportFormat, (input: Readable) => AsyncGenerator<ImportLine>> = {
	async *csv(input) {
		let fields: string[] | undefined;
		const options = (start: string) => ({ delimiter: separatorOf(start) });
		for await (const { record, line } of recordsOf(input, options)) {
			if (fields) yield { line, fields: fieldsOf(fields, record.map(removeFormulaQuotes)) };
			else if (!SEP.test(record[0]!)) fields = headerOf(record);
		}
	},
	async *jsonl(input) {
		for await (const { line, text } of linesOf(input)) {
			const value = parseObject(text);
			if (!value) yield { line, text };
			else yield { line, fields: fieldsOf(Object.keys(value).map(fieldOf), Object.values(value)) };
		}
	},
	async *text(input) {
		for await (const { line, text } of linesOf(input)) yield { line, fields: { email: text } };
	},
};

async function* linesOf(input: Readable) {
	for await (const { record, line } of recordsOf(input, () => ({ delimiter: "\0", quote: null }))) {
		yield { line, text: record.join("\0") };
	}
}

/** Calls the parser directly: a pipe would drop the records before a broken line. */
async function* recordsOf(input: Readable, optionsFor: (start: string) => Options) {
	let parser: ReturnType<typeof parse> | undefined;
	let line = 0;
	function* read() {
		for (let one = parser!.read(); one !== null; one = parser!.read()) {
			line = one.info.lines;
			yield { record: one.record as string[], line };
		}
	}
	async function* recordsAfter(call: (done: (error?: Error | null) => void) => unknown) {
		const called = new Promise<unknown>((resolve) => call(resolve));
		// Yields all records before throwing. The last one may be complete only at the end of the input.
		const records = [...read()];
		const error = await called;
		yield* records;
		yield* read();
		if (error) throw error;
	}
	try {
		for await (const text of textOf(input)) {
			// Each write reports its error too, so error events are ignored.
			parser ??= parse({
				...optionsFor(text),
				info: true,
				max_record_size: LONGEST_LINE,
				record_delimiter: ["\r\n", "\n", "\r"],
				relax_column_count: true,
				skip_records_with_empty_values: true,
			}).on("error", () => {});
			yield* recordsAfter((done) => parser!.write(text, done));
		}
		if (parser) yield* recordsAfter((done) => parser!.end(done));
	} catch (error) {
		const { code = "" } = error as { code?: string };
		const problem = /QUOTE/.test(code)
			? "has a misplaced or unclosed quotation mark"
			: /MAX_RECORD_SIZE/.test(code)
				? `is longer than ${LONGEST_LINE} characters, or follows an unclosed quotation mark`
				: undefined;
		throw problem ? new Error(`line ${line + 1} ${problem}`, { cause: error }) : error;
	}
}

async function* textOf(input: Readable): AsyncGenerator<string> {
	let decoder: TextDecoder | undefined;
	for await (const bytes of input as AsyncIterable<Buffer>) {
		decoder ??= new TextDecoder(encodingOf(bytes));
		yield decoder.decode(bytes, { stream: true });
	}
	if (decoder) yield decoder.decode();
}

/** UTF-16 starts with a byte order mark, or has a zero byte in its first character. */
function encodingOf([first, second]: Buffer): string {
	if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
	if ((first === 0xfe && second === 0xff) || first === 0) return "utf-16be";
	return "utf-8";
}

/** Excel may name the separator in the first line. */
const SEP = /^"?sep=(.)?/i;

const namesEmail = (cell: string) => fieldOf(cell) === "email";

/** Returns the separator named in the first line, or one that yields an email column. */
function separatorOf(start: string): string {
	const [headline = ""] = /\S.*/.exec(start) ?? [];
	const [, said] = SEP.exec(headline) ?? [];
	if (said) return said;
	return [",", ";", "\t"].find((separator) => headline.split(separator).some(namesEmail)) ?? ",";
}

function headerOf(header: readonly string[]): string[] {
	if (header.some(namesEmail)) return header.map(fieldOf);
	throw new Error(
		'the first line must name a column "email" or "Email Address", with commas, semicolons or tabs ' +
			"between the columns (to import one address per line, name the file .txt or use --format text)",
	);
}

function fieldsOf(fields: readonly string[], cells: readonly unknown[]): Record<string, unknown> {
	// No prototype, so that `__proto__` is a normal column. A field's first non-empty column wins.
	const found: Record<string, unknown> = Object.create(null);
	for (const [n, field] of fields.entries()) found[field] ||= cells[n] ?? "";
	return found;
}

/** Normalizes `E-Mail Address`, `email_address` and `"emailAddress"` to one name. */
export const normalizeColumn = (cell: string) => cell.toLowerCase().replace(/[\s"_-]/g, "");

function parseObject(text: string): object | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && !Array.isArray(value) ? (value ?? undefined) : undefined;
	} catch {
		return undefined;
	}
}
