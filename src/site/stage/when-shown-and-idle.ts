/**
 * Waits until the page is visible and the browser idle, at most two seconds.
 * @returns a function that cancels
 */
export function whenShownAndIdle(callback: () => void): () => void {
	let cancelIdle = () => {};
	const waitForIdle = () => {
		cancelIdle = whenIdle(callback);
	};
	// The browser may prerender a page that the visitor never opens (speculation rules).
	if ((document as Document & { prerendering?: boolean }).prerendering) {
		document.addEventListener("prerenderingchange", waitForIdle, { once: true });
	} else {
		waitForIdle();
	}
	return () => {
		document.removeEventListener("prerenderingchange", waitForIdle);
		cancelIdle();
	};
}

function whenIdle(callback: () => void): () => void {
	// Safari has no requestIdleCallback.
	if (!("requestIdleCallback" in window)) {
		const timer = setTimeout(callback, 200);
		return () => clearTimeout(timer);
	}
	const request = requestIdleCallback(callback, { timeout: 2000 });
	return () => cancelIdleCallback(request);
}
