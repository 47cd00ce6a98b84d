import type { Log } from "../log.ts";
import type { Limits, Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { type ClientScope, clientAddress, clientKeys, isLoopback } from "./client-address.ts";
import { createMeter } from "./meter.ts";
import { watchProxies } from "./proxy-watch.ts";

/** Whose limit was reached. */
export type LimitScope = ClientScope | "global";

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
	 * @param client the visitor's IP address, which is kept in memory only; undefined for a visitor who
	 *   counts against the global limit only
	 */
	admit(client: string | undefined): Limited | undefined;
	/** Addresses and networks in memory. */
	readonly size: number;
}

/** Counts a join, or says that it comes too soon. */
export type Admit = (call: Call) => Limited | undefined;

/**
 * Limits joins as the settings say, by the address of the visitor behind our own proxies.
 *
 * Loopback counts against the global limit only, unless it is trusted. It is the operator, or a
 * reverse proxy that TRUSTED_PROXIES does not name: counted as one visitor, it would lock out all
 * visitors in seconds. A trusted proxy that names no visitor is counted as one.
 */
export function limitJoins(
	{
		limits,
		trustedProxies,
		trustedHeader,
	}: Pick<Settings, "limits" | "trustedProxies" | "trustedHeader">,
	log: Log,
): Admit {
	const limiter = createLimiter(limits, () => performance.now());
	const clientOf = clientAddress(trustedProxies);
	const watch = watchProxies(log, trustedHeader);
	const header = trustedHeader.toLowerCase();

	return (call) => {
		const forwardedFor = call.header(header);
		const client = clientOf(call.peer, forwardedFor);
		if (client === undefined) return limiter.admit(undefined);
		const counts = client.peerIsTrusted || !isLoopback(client.address);
		const limited = limiter.admit(counts ? client.address : undefined);
		watch(client, forwardedFor !== null, limited !== undefined && limited.scope !== "global");
		return limited;
	};
}

/**
 * Limits joins by address, by network and globally.
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
	return client === undefined ? [everybody] : [...clientKeys(client), everybody];
}
