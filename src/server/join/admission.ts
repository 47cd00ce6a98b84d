import { clientAddress, isLoopback } from "../http/client-address.ts";
import type { Report } from "../log.ts";
import type { Settings } from "../settings.ts";
import type { Admit } from "./join.ts";
import { createLimiter } from "./limiter.ts";

/** Puts the limits before the door: who is asking, and is it too soon? */
export function admission(
	{ limits, trustedProxies }: Pick<Settings, "limits" | "trustedProxies">,
	report: Report,
): Admit {
	const limiter = createLimiter(limits, () => performance.now());
	const clientOf = clientAddress(trustedProxies);
	let warned = false;

	return (attempt) => {
		const forwardedFor = attempt.header("x-forwarded-for");
		const client = clientOf(attempt.peer, forwardedFor);
		if (!warned && forwardedFor !== null && client !== undefined && isLoopback(client)) {
			warned = true;
			report("error", "proxy not trusted", {
				message:
					"Visitors come through a proxy on this machine that TRUSTED_PROXIES does not name: " +
					"the limits by address are off. Set TRUSTED_PROXIES=127.0.0.1,::1 if it is yours.",
			});
		}
		return limiter.admit(client);
	};
}
