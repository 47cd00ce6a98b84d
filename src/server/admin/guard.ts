import type { Call } from "../http/call.ts";

/** Why a request is refused before anybody looks who sends it. */
export type Fault = "host" | "method" | "site" | "origin";

/**
 * Decides whether a request may come in at all. It fails closed: what a browser does not say counts
 * against a POST.
 *
 * - Its host is one of ours, by an exact list: a site that has its name point here (DNS rebinding) would
 *   else be the same origin as its own scripts.
 * - A POST comes from our own page, by `Sec-Fetch-Site` and by `Origin`. A cookie with SameSite=Strict
 *   alone does not say so: every port of 127.0.0.1 is the same site.
 * - Anything else that another site asks for is a page that is opened, and no part of one of its pages.
 *
 * @param origins where the office may be opened
 */
export function createGuard(
	origins: readonly string[],
): (call: Pick<Call, "header">, method: string) => Fault | undefined {
	const originOf = new Map(origins.map((origin) => [new URL(origin).host, origin]));
	return ({ header }, method) => {
		const origin = originOf.get(header("host")?.toLowerCase() ?? "");
		if (origin === undefined) return "host";
		const site = header("sec-fetch-site");
		if (method === "POST") {
			if (site !== "same-origin") return "site";
			return header("origin") === origin ? undefined : "origin";
		}
		if (method !== "GET" && method !== "HEAD") return "method";
		const isOpened =
			header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document";
		if (site === null || site === "same-origin" || site === "none" || isOpened) return undefined;
		return "site";
	};
}
