import type { Attempt } from "../join/attempt.ts";

/**
 * Whether a page of another site made a browser send this: its form could otherwise enrol visitors
 * who never saw ours. Programs that are no browser say nothing, and pass.
 */
export function isCrossSite(attempt: Attempt): boolean {
	const site = attempt.header("sec-fetch-site");
	// `none` is the visitor herself: an address typed, a form sent again after a restart.
	if (site !== null) return site !== "same-origin" && site !== "none";
	// Browsers before 2023, and plain http, have only the origin to tell by.
	const origin = attempt.header("origin");
	if (origin === null) return false;
	return !URL.canParse(origin) || new URL(origin).host !== attempt.header("host")?.toLowerCase();
}
