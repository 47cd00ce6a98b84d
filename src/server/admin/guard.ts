import type { Call } from "../http/call.ts";
import type { AdminSettings } from "../settings/values.ts";

/** Reason to refuse a request before looking up its session. */
export type Fault = "host" | "method" | "site" | "origin";

/** Returns the admin pages' origins: only the proxy's, or both names of this machine. */
export function adminOrigins({ port, origin }: AdminSettings): readonly [string, ...string[]] {
	return origin ? [origin] : [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
}

/**
 * Refuses a request unless all of these hold:
 *
 * - The host is on an exact list. Otherwise another site could point its name here (DNS rebinding),
 *   which would make us same-origin with its scripts.
 * - A POST comes from our own page, by `Sec-Fetch-Site` and `Origin`. A SameSite=Strict cookie is not
 *   enough: every port of 127.0.0.1 is the same site.
 * - Another site may link to our pages, but not embed or fetch them.
 */
export function createGuard(
	origins: readonly string[],
): (call: Pick<Call, "header">, method: string) => Fault | undefined {
	const originOf = new Map(origins.map((origin) => [new URL(origin).host, new URL(origin).origin]));
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
