/**
 * Calls back when the browser has nothing better to do, or after two seconds.
 * @returns the function that takes the request back
 */
export function whenIdle(callback: () => void): () => void {
	// Safari has no requestIdleCallback.
	if (!("requestIdleCallback" in window)) {
		const timer = setTimeout(callback, 200);
		return () => clearTimeout(timer);
	}
	const request = requestIdleCallback(callback, { timeout: 2000 });
	return () => cancelIdleCallback(request);
}
