import { type Log, onceInTenMinutes } from "../log.ts";
import type { Rate } from "../settings/values.ts";
import type { Limits, Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { type ClientScope, clientAddress, clientKeys, isLoopback } from "./client-address.ts";

export type LimitScope = ClientScope | "global";

export interface Limited {
	scope: LimitScope;
	/** Whole seconds until a request will be admitted. */
	retryAfter: number;
}

/** Admits a request and counts it. */
export type Admit = (call: Call) => Limited | undefined;

/** Accepts joins beyond their IP address's limit as a `burst`: a lecture hall looks like a script. */
export type AdmitJoin = (call: Call) => Limited | "burst" | undefined;

/**
 * Limits requests by the visitor's IP address. An untrusted loopback peer counts only against the global
 * limit: it may be a reverse proxy missing from TRUSTED_PROXIES.
 */
export function limitJoins(
	settings: Pick<Settings, "limits" | "trustedProxies" | "trustedHeader">,
	log: Log,
): { admit: Admit; admitJoin: AdmitJoin } {
	const { limits, trustedProxies, trustedHeader } = settings;
	const limiter = createLimiter(limits, () => performance.now());
	const clientOf = clientAddress(trustedProxies);
	const mayLog = onceInTenMinutes();

	function clientIn(call: Call): string | undefined {
		const forwardedFor = call.header(trustedHeader.toLowerCase());
		const client = clientOf(call.peer, forwardedFor);
		if (client === undefined) return undefined;
		const { address, peerIsTrusted } = client;
		if (!peerIsTrusted && forwardedFor !== null && mayLog("proxy")) {
			const message =
				`A join has the header ${trustedHeader}, but its sender is not in TRUSTED_PROXIES. If this is your ` +
				"proxy, all its visitors share one limit (none if it is on this machine): set TRUSTED_PROXIES " +
				"to its IP address, or to private. Otherwise, ignore this.";
			log("error", "proxy not trusted", { message });
		}
		return peerIsTrusted || !isLoopback(address) ? address : undefined;
	}

	return {
		admit: (call) => limiter.admit(clientIn(call)),
		admitJoin(call) {
			const found = limiter.admitJoin(clientIn(call));
			if (found === "burst" && mayLog("burst")) {
				const message =
					"Too many people joined from one IP address or IPv6 network. They are on the waitlist, flagged " +
					"`burst`, and get no email until `waitlist confirm --flag burst`. If this is your proxy's " +
					`address, make the proxy add the visitor's address to ${trustedHeader}.`;
				log("info", "burst", { message });
			}
			return found;
		},
	};
}

export function createLimiter(limits: Limits, now: () => number) {
	const meterOf = (name: keyof Limits) => limits[name] && createMeter(limits[name]);
	const meters = { address: meterOf("address"), network: meterOf("network") };
	const everybody = { scope: "global", key: "", meter: meterOf("global") } as const;
	const burst = meterOf("burst");

	const metersOf = (client: string | undefined) =>
		(client === undefined ? [] : clientKeys(client)).map(([scope, key]) => ({
			scope,
			key,
			meter: meters[scope],
		}));

	type Counted = readonly { scope: LimitScope; key: string; meter: Meter | undefined }[];

	function limitedBy(counted: Counted): Limited | undefined {
		const waits = counted.map(({ scope, key, meter }) => ({
			scope,
			retryAfter: Math.ceil((meter?.waitMs(key, now()) ?? 0) / 1000),
		}));
		const [longest] = waits.sort((one, other) => other.retryAfter - one.retryAfter);
		return longest && longest.retryAfter > 0 ? longest : undefined;
	}

	function countBy(counted: Counted): Limited | undefined {
		const limited = limitedBy(counted);
		if (!limited) for (const { key, meter } of counted) meter?.count(key, now());
		return limited;
	}

	return {
		admit: (client: string | undefined) => countBy([...metersOf(client), everybody]),
		admitJoin(client: string | undefined): Limited | "burst" | undefined {
			const own = metersOf(client);
			const limited = limitedBy(own);
			if (!limited) return countBy([...own, everybody]);
			const { scope, retryAfter } = limited;
			const found = countBy([{ scope, key: own.at(-1)!.key, meter: burst }, everybody]);
			if (!found) return "burst";
			if (found.scope === "global") return found;
			// After its own wait, the next join no longer counts as a burst.
			return { scope, retryAfter: Math.min(retryAfter, found.retryAfter) };
		},
		get size() {
			return [...Object.values(meters), burst].reduce((sum, meter) => sum + (meter?.size ?? 0), 0);
		},
	};
}

/** Two generations take at most 15 MB (tests/server/http/limits.test.ts). */
const GENERATION_KEYS = 32_000;

type Meter = ReturnType<typeof createMeter>;

/**
 * Generic cell rate algorithm (ITU-T I.371): stores when a key's allowance is fully restored. The young
 * generation replaces the old one when it is full or a period old, so a key is forgotten at most two periods
 * after its last request.
 */
export function createMeter({ count, periodMs }: Rate) {
	const costMs = periodMs / count;
	let young = new Map<string, number>();
	let old = new Map<string, number>();
	let turning: NodeJS.Timeout | undefined;
	const completeAt = (key: string) => young.get(key) ?? old.get(key) ?? 0;

	function turn(): void {
		clearTimeout(turning);
		turning = undefined;
		old = young;
		young = new Map();
		if (old.size > 0) turnLater();
	}

	/** Uses a timer, because IP addresses must be forgotten even without further requests. */
	function turnLater(): void {
		turning ??= setTimeout(turn, periodMs).unref();
	}

	function remember(key: string, at: number): void {
		if (young.size >= GENERATION_KEYS && !young.has(key)) turn();
		young.set(key, at);
		turnLater();
	}

	return {
		waitMs(key: string, nowMs: number): number {
			const at = completeAt(key);
			const waitMs = at + costMs - periodMs - nowMs;
			// Ignores rounding errors of fractional costs.
			if (waitMs < 0.5) return 0;
			remember(key, at);
			return waitMs;
		},
		count(key: string, nowMs: number): void {
			remember(key, Math.max(completeAt(key), nowMs) + costMs);
		},
		get size(): number {
			return young.size + old.size;
		},
	};
}
