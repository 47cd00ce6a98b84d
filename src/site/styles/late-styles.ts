import styles from "./late.css?inline";

/** Whether the browser accepts style sheets from a script. The launch and the moon need them. */
export const takesLateStyles = "document" in globalThis && "adoptedStyleSheets" in document;

/**
 * Adds the styles for features that only the application shows. They ship with it because each page
 * has its style sheet inlined, and its HTML must fit into the first ten packets. A
 * Content-Security-Policy that allows the inline style sheet by hash lets scripts construct one.
 */
export function addLateStyles(): void {
	if (!takesLateStyles) return;
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(styles);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
