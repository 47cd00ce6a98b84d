/**
 * Matches characters that control a terminal: control characters except tabs and line breaks, and
 * bidirectional formatting (Unicode, UAX #9, 2.1 to 2.4).
 */
const OBEYED = /(?![\t\n])[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu;

/** Escapes control characters as `\u001b`, so that no DNS record, mail server or file controls the terminal. */
export function printable(text: string): string {
	return text.replace(OBEYED, escaped);
}

/** Also escapes line breaks, so that external text cannot start a new line. */
export function printableLine(text: string): string {
	return printable(text).replace(/[\t\n]/g, escaped);
}

function escaped(character: string): string {
	return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
}
