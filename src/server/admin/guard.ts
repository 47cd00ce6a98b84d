import type { Call } from "../http/call.ts";
import type { AdminSettings } from "../settings/values.ts";

/** Returns the admin pages' origins: only the proxy's, or both names of this machine. */
export function adminOrigins({ port, origin }: AdminSettings): readonly [string, ...string[]] {
	return origin ? [origin] : [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
}

/**
 * Refuses a request unless all of these hold:
 *
 * - The host is on an exact list. Otherwise another site could point its name here (DNS rebinding),
 *   which would make us same-origin with its scripts.
 * - Anything but GET and HEAD comes from our own page, by `Sec-Fetch-Site` and `Origin`. A
 *   SameSite=Strict cookie is not enough: every port of 127.0.0.1 is the same site.
 * - Another site may link to our pages, but not embed or fetch them.
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
