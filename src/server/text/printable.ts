/** Characters that control a terminal, such as escape and bidirectional formatting (UAX #9). */
const OBEYED = /(?![\t\n])[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu;

/** Escapes control characters as `\u001b`: DNS records, mail servers and files must not control the terminal. */
export function printable(text: string): string {
	return text.replace(OBEYED, escaped);
}

/** Also escapes line breaks: external text must not start a new line. */
export function printableLine(text: string): string {
	return printable(text).replace(/[\t\n]/g, escaped);
}

function escaped(character: string): string {
	return `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;
}
