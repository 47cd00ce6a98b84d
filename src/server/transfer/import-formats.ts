import type { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { type Options, parse } from "csv-parse";
import { withoutProtection } from "./csv.ts";

/** CSV with a header, JSON Lines, or one address per line. */
export type ImportFormat = "csv" | "jsonl" | "text";

export function formatOf(file: string): ImportFormat {
	if (/\.csv$/i.test(file)) return "csv";
	return /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : "text";
}

/** A parsed line, keyed by field (or column name if unknown), or the text of an invalid one. */
export type Line = { line: number } & ({ fields: Record<string, unknown> } | { text: string });

/** Maximum characters of a line: an unclosed quote would otherwise swallow the whole file. */
const LONGEST_LINE = 1_000_000;

/** Fields and their columns, normalized by {@link columnName}. Google exports `E-mail 1 - Value`. */
const FIELD_OF = new Map(
	Object.entries({
		email: "email emailaddress emailadresse email1value mail recipient",
		messageId: "messageid",
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

const fieldOf = (column: string) => FIELD_OF.get(columnName(column)) ?? column.trim();

/** Yields lines by chunk: awaiting each line would cost more than parsing it. @throws Error that names a line */
export const readLines: Record<ImportFormat, (input: Readable) => AsyncGenerator<Line[]>> = {
	async *csv(input) {
		let fields: string[] | undefined;
		const options = (start: string) => ({ delimiter: separatorOf(start) });
		for await (const records of recordsOf(input, options)) {
			const lines: Line[] = [];
			for (const { record, line } of records) {
				if (fields) {
					lines.push({ line, fields: fieldsOf(fields, record.map(withoutProtection)) });
				} else if (!SEP.test(record[0]!)) fields = headerOf(record);
			}
			yield lines;
		}
	},
	async *jsonl(input) {
		for await (const lines of linesOf(input)) {
			yield lines.map(({ line, text }) => {
				const value = parseObject(text);
				if (!value) return { line, text };
				return { line, fields: fieldsOf(Object.keys(value).map(fieldOf), Object.values(value)) };
			});
		}
	},
	async *text(input) {
		for await (const lines of linesOf(input)) {
			yield lines.map(({ line, text }) => ({ line, fields: { email: text } }));
		}
	},
};

async function* linesOf(input: Readable) {
	for await (const records of recordsOf(input, () => ({ delimiter: "\0", quote: null }))) {
		yield records.map(({ record, line }) => ({ line, text: record.join("\0") }));
	}
}

/** Drives the parser directly: a pipe would await each record. @param optionsFor gets the first chunk */
async function* recordsOf(input: Readable, optionsFor: (start: string) => Options) {
	let parser: ReturnType<typeof parse> | undefined;
	let line = 0;
	function open(start: string) {
		const opened = parse({
			...optionsFor(start),
			info: true,
			max_record_size: LONGEST_LINE,
			record_delimiter: ["\r\n", "\n", "\r"],
			relax_column_count: true,
			skip_records_with_empty_values: true,
		});
		// Each write also reports its error.
		return opened.on("error", () => {});
	}
	function read(from: ReturnType<typeof parse>) {
		const records: { record: string[]; line: number }[] = [];
		for (let one = from.read(); one !== null; one = from.read()) {
			line = one.info.lines;
			records.push({ record: one.record, line });
		}
		return records;
	}
	const done = (call: (settle: (error?: Error | null) => void) => unknown) =>
		new Promise<void>((resolve, reject) => {
			call((error) => (error ? reject(error) : resolve()));
		});
	try {
		for await (const text of textOf(input)) {
			parser ??= open(text);
			const written = done((settle) => parser!.write(text, settle));
			yield read(parser);
			await written;
		}
		if (!parser) return;
		await done((settle) => parser!.end(settle));
		yield read(parser);
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

/** Decodes a file and drops its byte order mark. */
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

/** First line in which Excel names the separator. */
const SEP = /^"?sep=(.)?/i;

const namesPerson = (cell: string) => ["email", "messageId"].includes(fieldOf(cell));

/** Returns the separator named in the first line, or else one that yields an email column. */
function separatorOf(start: string): string {
	const [headline = ""] = /\S.*/.exec(start) ?? [];
	const [, said] = SEP.exec(headline) ?? [];
	if (said) return said;
	return [",", ";", "\t"].find((separator) => headline.split(separator).some(namesPerson)) ?? ",";
}

function headerOf(header: readonly string[]): string[] {
	if (header.some(namesPerson)) return header.map(fieldOf);
	throw new Error(
		'the first line must name a column "email" or "Email Address", with commas, semicolons or tabs ' +
			"between the columns (without a header use --format text: one address a line)",
	);
}

function fieldsOf(fields: readonly string[], cells: readonly unknown[]): Record<string, unknown> {
	// No prototype, so that `__proto__` is a normal column. If two columns map to one field, the first non-empty wins.
	const found: Record<string, unknown> = Object.create(null);
	for (const [n, field] of fields.entries()) found[field] ||= cells[n] ?? "";
	return found;
}

/** Normalizes `E-Mail Address`, `email_address` and `"emailAddress"` to one name. */
export const columnName = (cell: string) => cell.toLowerCase().replace(/[\s"_-]/g, "");

function parseObject(text: string): object | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && !Array.isArray(value) ? (value ?? undefined) : undefined;
	} catch {
		return undefined;
	}
}
