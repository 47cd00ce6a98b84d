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

/** One record of RFC 4180. */
export function csvRecord(texts: readonly string[], separator = ","): string {
	const cells = texts.map((text) => {
		const value = text.replace(FORMULAS, "'");
		return /[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
	});
	return `${cells.join(separator)}\r\n`;
}

/** Takes the protection of {@link csvRecord} away. */
export function withoutProtection(cell: string): string {
	return cell.includes("'") ? cell.replace(PROTECTED, "") : cell;
}
