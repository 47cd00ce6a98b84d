import type { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { type Options, parse } from "csv-parse";
import { withoutProtection } from "./csv.ts";

/** Formats of an import: CSV with a header, JSON lines, or one address a line. */
export type ImportFormat = "csv" | "jsonl" | "text";

/** The format that a file has by its name. */
export function formatOf(file: string): ImportFormat {
	if (/\.csv$/i.test(file)) return "csv";
	return /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : "text";
}

/** A line of any format: its cells by field or else by column, or the text that cannot be read. */
export type Line = { line: number } & ({ fields: Record<string, unknown> } | { text: string });

/** Characters of a line or record at most: an unclosed quote would swallow the whole file. */
const LONGEST_LINE = 1_000_000;

/** Separators of CSV. Spreadsheets write semicolons where the comma is the decimal sign. */
const SEPARATORS = [",", ";", "\t"];

/**
 * The fields of a registration and the columns that may hold them, the surest first, as
 * {@link columnName} writes them. Mailchimp says `Email Address`, Google `E-mail 1 - Value`, and a
 * `Subscriber` is an address only where no other column is.
 */
const COLUMNS = {
	email: [
		"email",
		"emailaddress",
		"emailadresse",
		"email1value",
		"mail",
		"recipient",
		"subscriber",
	],
	source: ["source"],
	joinedAt: ["joinedat", "joined", "createdat"],
	terms: ["terms"],
	flag: ["flag"],
	confirmedAt: ["confirmedat"],
	wave: ["wave"],
	invitedAt: ["invitedat"],
	expiresAt: ["expiresat"],
	redeemedAt: ["redeemedat"],
	messageId: ["messageid"],
	unknownAt: ["unknownat"],
};

/**
 * Reads a file line by line: UTF-8, or UTF-16 with a byte order mark. Lines come as many at a time as
 * a piece of the file has, because waiting for each of them costs more than to read it.
 *
 * @throws Error whose message says the line, to end a sentence with
 */
export const readLines: Record<ImportFormat, (input: Readable) => AsyncGenerator<Line[]>> = {
	async *csv(input) {
		const { headline, texts } = await withHeadline(textOf(input));
		let columns: Column[] | undefined;
		for await (const records of recordsOf(texts, { delimiter: separatorOf(headline) })) {
			const lines: Line[] = [];
			for (const { record, line } of records) {
				if (columns) lines.push({ line, fields: fieldsOf(record, columns) });
				else if (!/^sep=/i.test(record[0]!)) columns = columnsOf(record);
			}
			yield lines;
		}
	},
	async *jsonl(input) {
		for await (const lines of linesOf(input)) {
			yield lines.map(({ line, text }) => {
				const fields = parseObject(text);
				return fields ? { line, fields } : { line, text };
			});
		}
	},
	async *text(input) {
		for await (const lines of linesOf(input)) {
			yield lines.map(({ line, text }) => ({ line, fields: { email: text } }));
		}
	},
};

/** Lines that are not empty, without any cells. */
async function* linesOf(input: Readable) {
	for await (const records of recordsOf(textOf(input), { delimiter: "\0", quote: null })) {
		yield records.map(({ record, line }) => ({ line, text: record.join("\0") }));
	}
}

/**
 * Records that are not empty, with the number of their last line. The parser is written to and read from by
 * hand: piped, it hands over one record at a time, and each is waited for.
 */
async function* recordsOf(texts: AsyncIterable<string>, options: Options) {
	const parser = parse({
		...options,
		info: true,
		max_record_size: LONGEST_LINE,
		record_delimiter: ["\r\n", "\n", "\r"],
		relax_column_count: true,
		skip_records_with_empty_values: true,
	});
	// Each write reports its failure, too.
	parser.on("error", () => {});
	let line = 0;
	/** Reads what the last write parsed. */
	function read() {
		const records: { record: string[]; line: number }[] = [];
		for (let one = parser.read(); one !== null; one = parser.read()) {
			line = one.info.lines;
			records.push({ record: one.record, line });
		}
		return records;
	}
	const done = (call: (told: (error?: Error | null) => void) => unknown) =>
		new Promise<void>((resolve, reject) => {
			call((error) => (error ? reject(error) : resolve()));
		});
	try {
		for await (const text of texts) {
			const written = done((told) => parser.write(text, told));
			yield read();
			await written;
		}
		await done((told) => parser.end(told));
		yield read();
	} catch (error) {
		const { code = "" } = error as { code?: string };
		const problem = /QUOTE/.test(code)
			? "has a quotation mark that is out of place or never closed"
			: /MAX_RECORD_SIZE/.test(code)
				? `is longer than ${LONGEST_LINE} characters, or a quotation mark before it is never closed`
				: undefined;
		throw problem ? new Error(`line ${line + 1} ${problem}`, { cause: error }) : error;
	}
}

type Column = readonly [field: string, place: number];

function fieldsOf(cells: readonly string[], columns: readonly Column[]): Record<string, string> {
	const fields: Record<string, string> = {};
	for (const [field, place] of columns) fields[field] = withoutProtection(cells[place] ?? "");
	return fields;
}

/** The text of a file without its byte order mark, in pieces of any length. */
async function* textOf(input: Readable): AsyncGenerator<string> {
	let decoder: TextDecoder | undefined;
	for await (const bytes of input as AsyncIterable<Buffer>) {
		decoder ??= new TextDecoder(encodingOf(bytes));
		yield decoder.decode(bytes, { stream: true });
	}
	yield decoder?.decode() ?? "";
}

/** UTF-16 starts with a byte order mark, or has a zero byte in its first character. */
function encodingOf([first, second]: Buffer): string {
	if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
	if ((first === 0xfe && second === 0xff) || first === 0) return "utf-16be";
	return "utf-8";
}

/**
 * Reads to the end of the first line that is not empty, and gives that line with all text read so
 * far.
 */
async function withHeadline(texts: AsyncGenerator<string>) {
	let head = "";
	let headline: string | undefined;
	while (headline === undefined && head.length <= LONGEST_LINE) {
		const { value, done } = await texts.next();
		if (done) break;
		head += value;
		headline = /^\s*(\S.*?)[\r\n]/.exec(head)?.[1];
	}
	async function* all() {
		yield head;
		yield* texts;
	}
	return { headline: headline ?? head, texts: all() };
}

/** Columns that say whom a record is about: one is needed. */
const NAMING = [...COLUMNS.email, ...COLUMNS.messageId];

/** Excel names the separator in a line of its own. Otherwise the one with which the header names an address. */
function separatorOf(headline: string): string {
	const named = /^"?sep=(.)/i.exec(headline)?.[1];
	if (named !== undefined) return named;
	const found = SEPARATORS.find((separator) =>
		headline.split(separator).some((cell) => NAMING.includes(columnName(cell))),
	);
	return found ?? ",";
}

/** The place of each cell to read; columns that are no field keep the name they have in the file. */
function columnsOf(header: readonly string[]): Column[] {
	const names = header.map(columnName);
	const fields = new Map<number, string>();
	for (const [field, known] of Object.entries(COLUMNS)) {
		const name = known.find((name) => names.includes(name));
		if (name === undefined) continue;
		const [place, other] = names.flatMap((found, n) => (found === name ? [n] : []));
		if (other !== undefined) {
			throw new Error(
				`the first line names two columns for "${field}": "${header[place!]}" and "${header[other]}"`,
			);
		}
		fields.set(place!, field);
	}
	const found = new Set(fields.values());
	if (!found.has("email") && !found.has("messageId")) {
		throw new Error(
			'the first line must name a column "email" or "Email Address", with commas, semicolons or tabs ' +
				"between the columns (without a header use --format text: one address a line)",
		);
	}
	const used = new Set<string>();
	return header.map((column, place) => {
		let field = fields.get(place) ?? column.trim();
		// A space keeps two columns of one name apart.
		while (used.has(field)) field += " ";
		used.add(field);
		return [field, place];
	});
}

/** `E-Mail Address`, `email_address` and `"emailAddress"` are one name. */
export function columnName(cell: string): string {
	return cell.toLowerCase().replace(/[\s"_-]/g, "");
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
