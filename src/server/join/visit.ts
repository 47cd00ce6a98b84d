/**
 * Programs that say what they are: by a word, by an address where they are explained, or, as
 * crawlers do, as `compatible` with a browser. Cubot makes phones.
 */
const PROGRAM = /(?<!cu)bot|crawl|spider|preview|headless|lighthouse|monitor|compatible;|https?:/i;

/** What every browser's `User-Agent` starts with, and few programs'. */
const BROWSER = /^Mozilla\/5\.0 \(/;

/** Headers by which browsers say that nobody looks at the page yet: today's, and those of older ones. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * Whether a browser asks for a page because somebody opens it: by GET, as a document, whole, and to
 * be shown at once. A program that passes itself off as a browser counts as well. Nothing of the
 * request is kept.
 */
export function isVisit({ method, headers }: Request): boolean {
	const agent = headers.get("user-agent") ?? "";
	return (
		method === "GET" &&
		headers.get("accept")?.includes("text/html") === true &&
		// Browsers before 2023, and plain http, do not say what they ask for.
		(headers.get("sec-fetch-dest") ?? "document") === "document" &&
		!headers.has("range") &&
		!PURPOSES.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? "")) &&
		BROWSER.test(agent) &&
		!PROGRAM.test(agent)
	);
}
