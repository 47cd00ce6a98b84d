/**
 * Where a spreadsheet would find a formula (OWASP, CSV injection): a sign at the start of a cell,
 * in any width. A spreadsheet with another separator sees the start of a cell in the middle of
 * ours, or after a line end. Quotes and spaces before the sign do not help, because CSV removes the
 * quotes and some spreadsheets trim cells.
 */
const SIGN = "=+\\-@＝＋－＠﹦﹢﹣﹫−";
const SKIPPED = /(?![\t\r\n])[\s\p{Cc}\p{Cf}'"]/u.source;
const FORMULA = `(?:(?:${SKIPPED})*[${SIGN}]|['"]*[\\t\\r])`;
const CELL_START = /(?<=^|[,;\t\r\n])/.source;

/**
 * A quote in front makes a cell text. A cell that already starts with quotes gets one more, so that
 * taking one away gives the cell back.
 */
const FORMULAS = new RegExp(`${CELL_START}(?=${FORMULA})`, "gu");
const PROTECTED = new RegExp(`${CELL_START}'(?=${FORMULA})`, "gu");

/**
 * One record of RFC 4180.
 *
 * @param raw whether to leave out the protection against formulas
 */
export function csvRecord(texts: readonly string[], separator = ",", raw = false): string {
	const cells = texts.map((text) => {
		const value = raw ? text : text.replace(FORMULAS, "'");
		return /[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
	});
	return `${cells.join(separator)}\r\n`;
}

/** Takes the protection of {@link csvRecord} away. */
export function withoutProtection(cell: string): string {
	return cell.includes("'") ? cell.replace(PROTECTED, "") : cell;
}

/** A record, with the number of its last line in the file. */
export interface CsvRecord {
	line: number;
	cells: string[];
}

/**
 * Reads records of RFC 4180 with line ends of any kind, as many at a time as a piece of the text ends.
 *
 * @param texts the text in pieces of any length
 * @param separator one character
 * @param longest characters of a record at most
 * @throws Error whose message says the line, to end a sentence with
 */
export async function* readCsv(
	texts: AsyncIterable<string>,
	separator: string,
	longest: number,
): AsyncGenerator<CsvRecord[]> {
	// A cell and what ends it. The end of a piece may be in the middle of a cell, or of a line's end.
	const cell = new RegExp(
		`(?:"([^"]*(?:""[^"]*)*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r(?!$)|\\r?$)`,
		"y",
	);
	let line = 0;
	let rest = "";
	/** Reads the records that end in the text, and leaves what follows them in `rest`. */
	function* recordsOf(text: string): Generator<CsvRecord> {
		let cells: string[] = [];
		let linesWithin = 0;
		let end = 0;
		cell.lastIndex = 0;
		for (let found = cell.exec(text); found; found = cell.exec(text)) {
			const [, quoted, plain, ending] = found;
			if (quoted === undefined) cells.push(plain!);
			else {
				cells.push(quoted.replaceAll('""', '"'));
				linesWithin += quoted.split(/\r\n|\r|\n/).length - 1;
			}
			if (ending === separator) continue;
			if (cell.lastIndex === text.length && ending !== "\n" && ending !== "\r\n") break;
			line += 1 + linesWithin;
			end = cell.lastIndex;
			yield { line, cells };
			cells = [];
			linesWithin = 0;
		}
		rest = text.slice(end);
	}
	const outOfPlace = () =>
		new Error(`line ${line + 1} has a quotation mark that is out of place or never closed`);
	for await (const text of texts) {
		yield [...recordsOf(rest + text)];
		if (rest.length > longest) throw outOfPlace();
	}
	yield [...recordsOf(rest && `${rest}\n`)];
	if (rest !== "") throw outOfPlace();
}
