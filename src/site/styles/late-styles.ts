import styles from "./late.css?inline";

/** Whether the browser accepts style sheets from a script. The launch and the moon need them. */
export const supportsLateStyles = "document" in globalThis && "adoptedStyleSheets" in document;

/**
 * Adds the styles of features that need script. Inlined, they would push the HTML past the ten TCP
 * packets that a server sends at once.
 */
export function addLateStyles(): void {
	if (!supportsLateStyles) return;
	const sheet = new CSSStyleSheet();
	sheet.replaceSync(styles);
	document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
