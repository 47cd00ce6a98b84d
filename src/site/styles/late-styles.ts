import styles from "./late.css?inline";

/** Whether the browser takes a style sheet from a script. Where it does not, nothing of these is shown. */
export const takesLateStyles = "document" in globalThis && "adoptedStyleSheets" in document;

/**
 * Adds the styles of what the application alone shows. They come with it, because each page has its own
 * style sheet in its HTML, which is to fit into the first ten packets. A Content-Security-Policy that
 * knows that one by its hash lets a script make another.
 */
export function addLateStyles(): void {
	if (!takesLateStyles) return;
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(styles);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
