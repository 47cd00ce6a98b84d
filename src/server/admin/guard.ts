import type { Call } from "../http/call.ts";
import type { AdminSettings } from "../settings/values.ts";

export function adminOrigins({ port, origin }: AdminSettings): readonly [string, ...string[]] {
	return origin ? [origin] : [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
}

/**
 * Refuses a request unless it meets all conditions:
 *
 * - The host is one of `origins`. Otherwise another site could point its name at our address (DNS rebinding),
 * and its scripts could read our pages.
 * - Except for GET and HEAD, `Sec-Fetch-Site` and `Origin` name our own page. A SameSite=Strict cookie is not
 * enough: all ports of 127.0.0.1 are the same site.
 * - A request from another site is a followed link. Other sites must not embed or fetch our pages.
 */
export function createGuard(
	origins: readonly string[],
): (call: Pick<Call, "header">, method: string) => boolean {
	const originOf = new Map(origins.map((origin) => [new URL(origin).host, new URL(origin).origin]));
	return ({ header }, method) => {
		const origin = originOf.get(header("host")?.toLowerCase() ?? "");
		if (origin === undefined) return false;
		const site = header("sec-fetch-site");
		if (method !== "GET" && method !== "HEAD") {
			return site === "same-origin" && header("origin") === origin;
		}
		const isOpened =
			header("sec-fetch-mode") === "navigate" && header("sec-fetch-dest") === "document";
		return site === null || site === "same-origin" || site === "none" || isOpened;
	};
}
