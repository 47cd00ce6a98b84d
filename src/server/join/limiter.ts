import { isIPv4 } from "node:net";
import { ipv6Groups, isLoopback } from "../http/client-address.ts";
import type { Limits } from "../settings.ts";
import { createMeter } from "./rate.ts";

/** Whose limit was reached. */
export type LimitScope = "address" | "network" | "global";

/** A try that came too soon. */
export interface Limited {
	scope: LimitScope;
	/** Coming back after so many whole seconds is early enough, and one sooner is not. */
	retryAfter: number;
}

/** Decides whether a visitor may try to join now. */
export interface Limiter {
	/**
	 * Counts a try, unless it came too soon: a limited visitor uses up nobody's allowance, not even
	 * her own.
	 *
	 * @param client the visitor's IP address; it is held in memory only
	 */
	admit(client: string | undefined): Limited | undefined;
	/** Addresses and networks in memory. */
	readonly size: number;
}

/**
 * Limits tries by address, by network and altogether.
 *
 * Loopback counts only altogether. It is the operator herself, or a reverse proxy that
 * TRUSTED_PROXIES does not name: as one visitor, all visitors would be turned away within seconds.
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

/** What a try is counted under, the narrowest first. */
function keysOf(client: string | undefined): readonly (readonly [LimitScope, string])[] {
	const everybody = ["global", ""] as const;
	if (client === undefined || isLoopback(client)) return [everybody];
	if (isIPv4(client)) return [["address", client], everybody];
	const groups = ipv6Groups(client);
	const prefix = (count: number) => groups.slice(0, count).join(":");
	return [["address", prefix(4)], ["network", prefix(3)], everybody];
}
