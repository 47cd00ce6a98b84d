import { isIPv4 } from "node:net";
import { clientAddress, ipv6Groups, isLoopback } from "../http/client-address.ts";
import type { Log } from "../log.ts";
import type { Limits, Settings } from "../settings.ts";
import type { JoinRequest } from "./join-request.ts";
import { createMeter } from "./meter.ts";

/** Whose limit was reached. */
export type LimitScope = "address" | "network" | "global";

/** A join that came too soon. */
export interface Limited {
	scope: LimitScope;
	/** Whole seconds after which a join is admitted, and not a second earlier. */
	retryAfter: number;
}

/** Decides whether a visitor may join now. */
export interface Limiter {
	/**
	 * Counts a join, unless it came too soon: a limited visitor uses up no allowance, not even their
	 * own.
	 *
	 * @param client the visitor's IP address; it is kept in memory only
	 */
	admit(client: string | undefined): Limited | undefined;
	/** Addresses and networks in memory. */
	readonly size: number;
}

/** Counts a join, or says that it comes too soon. */
export type Admit = (request: JoinRequest) => Limited | undefined;

/** Limits joins as the settings say, by the address of the visitor behind our own proxies. */
export function limitJoins(
	{ limits, trustedProxies }: Pick<Settings, "limits" | "trustedProxies">,
	log: Log,
): Admit {
	const limiter = createLimiter(limits, () => performance.now());
	const clientOf = clientAddress(trustedProxies);
	let warned = false;

	return (request) => {
		const forwardedFor = request.header("x-forwarded-for");
		const client = clientOf(request.peer, forwardedFor);
		if (!warned && forwardedFor !== null && client !== undefined && isLoopback(client)) {
			warned = true;
			log("error", "proxy not trusted", {
				message:
					"Visitors come through a proxy on this machine that TRUSTED_PROXIES does not name: " +
					"the limits by address are off. Set TRUSTED_PROXIES=127.0.0.1,::1 if it is yours.",
			});
		}
		return limiter.admit(client);
	};
}

/**
 * Limits joins by address, by network and globally.
 *
 * Loopback counts against the global limit only. It is the operator, or a reverse proxy that
 * TRUSTED_PROXIES does not name: counted as one visitor, it would lock out all visitors in seconds.
 *
 * @param now monotonic milliseconds
 */
export function createLimiter(limits: Limits, now: () => number): Limiter {
	const meters = {
		address: limits.address && createMeter(limits.address),
		network: limits.network && createMeter(limits.network),
		global: limits.global && createMeter(limits.global),
	};

	return {
		admit(client) {
			const nowMs = now();
			const scopes = keysOf(client);
			let limited: Limited | undefined;
			for (const [scope, key] of scopes) {
				const retryAfter = Math.ceil((meters[scope]?.waitMs(key, nowMs) ?? 0) / 1000);
				if (retryAfter > (limited?.retryAfter ?? 0)) limited = { scope, retryAfter };
			}
			if (limited) return limited;
			for (const [scope, key] of scopes) meters[scope]?.count(key, nowMs);
			return undefined;
		},
		get size() {
			return (meters.address?.size ?? 0) + (meters.network?.size ?? 0);
		},
	};
}

/** The keys that a join counts under, the narrowest scope first. */
function keysOf(client: string | undefined): readonly (readonly [LimitScope, string])[] {
	const everybody = ["global", ""] as const;
	if (client === undefined || isLoopback(client)) return [everybody];
	if (isIPv4(client)) return [["address", client], everybody];
	const groups = ipv6Groups(client);
	const prefix = (count: number) => groups.slice(0, count).join(":");
	return [["address", prefix(4)], ["network", prefix(3)], everybody];
}
