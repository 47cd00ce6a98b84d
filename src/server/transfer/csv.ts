/** Characters that start a formula in a spreadsheet (OWASP, CSV injection). */
const SIGN = "=+\\-@＝＋－＠﹦﹢﹣﹫−";
const SKIPPED = /(?![\t\r\n])[\s\p{Cc}\p{Cf}'"]/u.source;
const FORMULA = `(?:(?:${SKIPPED})*[${SIGN}]|['"]*[\\t\\r])`;
const CELL_START = /(?<=^|[,;\t\r\n])/.source;

/** A leading quote turns a formula into text. A formula with a quote gets a second one, so imports remove only ours. */
const FORMULAS = new RegExp(`${CELL_START}(?=${FORMULA})`, "gu");
const PROTECTED = new RegExp(`${CELL_START}'(?=${FORMULA})`, "gu");

/** Formats a record (RFC 4180). */
export function formatCsvRecord(texts: readonly string[], separator = ","): string {
	const cells = texts.map((text) => {
		const value = text.replace(FORMULAS, "'");
		return /[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
	});
	return `${cells.join(separator)}\r\n`;
}

export function removeFormulaQuotes(cell: string): string {
	return cell.includes("'") ? cell.replace(PROTECTED, "") : cell;
}
