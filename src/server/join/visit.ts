/** Programs name themselves, or a web page, or a browser that they are `compatible` with. Cubot makes phones. */
const PROGRAM = /(?<!cu)bot|crawl|spider|preview|headless|lighthouse|monitor|compatible;|https?:/i;

const BROWSER = /^Mozilla\/5\.0 \(/;

/** Headers by which browsers, old and new, say that nobody looks at the page yet. */
const PURPOSES = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** Whether somebody opens a page in a browser. Programs that pretend to be one count as well. */
export function isVisit({ method, headers }: Request): boolean {
	const agent = headers.get("user-agent") ?? "";
	return (
		method === "GET" &&
		headers.get("accept")?.includes("text/html") === true &&
		// Browsers before 2023 do not send it, nor does any by plain http.
		(headers.get("sec-fetch-dest") ?? "document") === "document" &&
		!headers.has("range") &&
		!PURPOSES.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? "")) &&
		BROWSER.test(agent) &&
		!PROGRAM.test(agent)
	);
}
