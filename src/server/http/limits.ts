import { createLogThrottle, type Log } from "../log.ts";
import type { Rate } from "../settings/values.ts";
import type { JoinLimits, Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { createClientAddressReader, isLoopback, rateLimitKeys } from "./client-address.ts";

/** Counts a request and returns 0. Over the limit, returns the whole seconds to wait. */
export type RateLimiter = (call: Call) => number;

/** Returns `burst` over the limit. Accept the join but flag it: a whole lecture hall may share an IP address. */
export type JoinLimiter = (call: Call) => number | "burst";

/** Limits requests by IP address. Exempts loopback: it may be a proxy that TRUSTED_PROXIES lacks. */
export function createRateLimiters(
	settings: Pick<Settings, "limits" | "trustedProxies" | "trustedHeader">,
	log: Log,
): { admit: RateLimiter; admitJoin: JoinLimiter } {
	const { limits, trustedProxies, trustedHeader } = settings;
	const limiter = limits && createJoinLimiter(limits, () => performance.now());
	const clientOf = createClientAddressReader(trustedProxies);
	const mayLog = createLogThrottle();

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
		admit: (call) => limiter?.admit(clientIn(call)) ?? 0,
		admitJoin(call) {
			const found = limiter?.admitJoin(clientIn(call)) ?? 0;
			if (found === "burst" && mayLog("burst")) {
				const message =
					"Too many people joined from one IP address or IPv6 network. Those over the limit are on the waitlist, " +
					"flagged `burst`, and get no email until you run `waitlist confirm --flag burst`. If this is your proxy's " +
					`address, make the proxy add the visitor's address to ${trustedHeader}.`;
				log("info", "burst", { message });
			}
			return found;
		},
	};
}

export function createJoinLimiter(
	{ address, network, burst, allBursts }: JoinLimits,
	now: () => number,
) {
	const meters = [createRateMeter(address), createRateMeter(network)] as const;
	const bursts = createRateMeter(burst);
	const everybody = { key: "", meter: createRateMeter(allBursts) };
	type Counted = readonly { key: string; meter: Meter }[];

	const countedFor = (client: string | undefined): Counted =>
		(client === undefined ? [] : rateLimitKeys(client)).map((key, n) => ({
			key,
			meter: meters[n]!,
		}));

	function admit(counted: Counted): number {
		const waitMs = Math.max(0, ...counted.map(({ key, meter }) => meter.waitMs(key, now())));
		if (waitMs === 0) for (const { key, meter } of counted) meter.count(key, now());
		return Math.ceil(waitMs / 1000);
	}

	return {
		admit: (client: string | undefined) => admit(countedFor(client)),
		admitJoin(client: string | undefined): number | "burst" {
			const own = countedFor(client);
			const seconds = admit(own);
			if (seconds === 0) return 0;
			const burstSeconds = admit([{ key: own.at(-1)!.key, meter: bursts }, everybody]);
			return burstSeconds === 0 ? "burst" : Math.min(seconds, burstSeconds);
		},
		get size() {
			return [...meters, bursts].reduce((sum, { size }) => sum + size, 0);
		},
	};
}

/** Maximum keys in `young` and in `old`, which take at most 15 MB together (tests/server/http/limits.test.ts). */
const GENERATION_KEYS = 32_000;

type Meter = ReturnType<typeof createRateMeter>;

/** Generic cell rate algorithm (ITU-T I.371): stores when a key's allowance is fully restored. */
export function createRateMeter({ count, periodMs }: Rate) {
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

/** Runs tasks one at a time. @param most maximum queue length: further tasks are rejected */
export function createQueue(most: number) {
	let last: Promise<unknown> = Promise.resolve();
	let waiting = 0;
	return async <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (waiting >= most) throw new Error(`${most} requests are already waiting`);
		waiting += 1;
		const result = last.then(work);
		last = result.catch(() => {});
		return result.finally(() => {
			waiting -= 1;
		});
	};
}
