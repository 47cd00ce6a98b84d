/**
 * Calls back when the page is there for a visitor: at once, unless the browser prepares it in case
 * she comes (speculation rules), which she may never do.
 * @returns the function that takes the request back
 */
export function whenShown(callback: () => void): () => void {
	const { prerendering } = document as Document & { prerendering?: boolean };
	if (!prerendering) {
		callback();
		return () => {};
	}
	document.addEventListener("prerenderingchange", callback, { once: true });
	return () => document.removeEventListener("prerenderingchange", callback);
}
