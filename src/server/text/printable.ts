/**
 * Characters that a terminal obeys instead of showing: control characters except tabs and line
 * ends, and those that change the direction of writing (Unicode, UAX #9, 2.1 to 2.4).
 */
const OBEYED = /(?![\t\n])[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu;

/** Writes them as `\u001b`, so that no DNS record, mail server or imported file controls the terminal. */
export function printable(text: string): string {
	return text.replace(OBEYED, escaped);
}

/** Escapes line ends too: foreign text within a line cannot begin another. */
export function printableLine(text: string): string {
	return printable(text).replace(/[\t\n]/g, escaped);
}

function escaped(character: string): string {
	return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
}
