/**
 * Where a spreadsheet would find a formula (OWASP, CSV injection): a sign in any width at the start of a
 * cell, also in the middle of ours if it uses another separator. CSV removes quotes before the sign, and
 * some spreadsheets trim cells.
 */
const SIGN = "=+\\-@＝＋－＠﹦﹢﹣﹫−";
const SKIPPED = /(?![\t\r\n])[\s\p{Cc}\p{Cf}'"]/u.source;
const FORMULA = `(?:(?:${SKIPPED})*[${SIGN}]|['"]*[\\t\\r])`;
const CELL_START = /(?<=^|[,;\t\r\n])/.source;

/** A quote in front makes a cell text. A cell that starts with quotes gets one more, to be reversible. */
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
