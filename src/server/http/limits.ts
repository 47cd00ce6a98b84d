import { type Log, onceInTenMinutes } from "../log.ts";
import type { Limits, Settings } from "../settings.ts";
import type { Call } from "./call.ts";
import { type ClientScope, clientAddress, clientKeys, isLoopback } from "./client-address.ts";
import { createMeter, type Meter } from "./meter.ts";
import { watchProxies } from "./proxy-watch.ts";

/** Whose limit was reached. */
export type LimitScope = ClientScope | "global";

/** A try that came too soon. */
export interface Limited<Scope extends LimitScope = LimitScope> {
	scope: Scope;
	/** Whole seconds after which a try is admitted, and not a second earlier. */
	retryAfter: number;
}

/** A join over the limit of its address or network that is admitted all the same. */
export interface InBurst {
	scope: ClientScope;
}

/** Decides whether a visitor may try something now. */
export interface Limiter {
	/**
	 * Counts a try, unless it came too soon: a limited visitor uses up no allowance, not even their
	 * own.
	 *
	 * @param client the visitor's IP address, which is kept in memory only; undefined for a visitor who
	 *   counts against the global limit only
	 */
	admit(client: string | undefined): Limited | undefined;
	/**
	 * The same for a join, which is not refused at the limit of its address or network: a lecture hall
	 * behind one address looks like a script. The limit on bursts bounds both.
	 */
	admitJoin(client: string | undefined): Limited | InBurst | undefined;
	/** Addresses and networks in memory. */
	readonly size: number;
}

/** Counts a try, or says that it comes too soon. */
export type Admit = (call: Call) => Limited | undefined;

/** Counts a join, or says that it comes too soon, or that it is one of a burst. */
export type AdmitJoin = (call: Call) => Limited | InBurst | undefined;

const BURST_MESSAGE =
	"More people joined from one address, or one IPv6 network, than its limit allows. They are on the " +
	"waitlist, flagged `burst`, and get no email until `waitlist confirm --flag burst`. `waitlist stats` " +
	"says how many they are.";

/**
 * Limits tries as the settings say, by the address of the visitor behind our own proxies.
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
): { admit: Admit; admitJoin: AdmitJoin } {
	const now = () => performance.now();
	const limiter = createLimiter(limits, now);
	const clientOf = clientAddress(trustedProxies);
	const watch = watchProxies(log, trustedHeader);
	const header = trustedHeader.toLowerCase();
	const mayLog = onceInTenMinutes(now);

	function decide<Found extends { scope: LimitScope }>(
		call: Call,
		ask: (client: string | undefined) => Found | undefined,
	): Found | undefined {
		const forwardedFor = call.header(header);
		const client = clientOf(call.peer, forwardedFor);
		if (client === undefined) return ask(undefined);
		const counts = client.peerIsTrusted || !isLoopback(client.address);
		const found = ask(counts ? client.address : undefined);
		watch(client, forwardedFor !== null, found !== undefined && found.scope !== "global");
		return found;
	}

	return {
		admit: (call) => decide(call, limiter.admit),
		admitJoin(call) {
			const found = decide(call, limiter.admitJoin);
			if (found && !isLimited(found) && mayLog("burst")) {
				log("info", "burst", { message: BURST_MESSAGE });
			}
			return found;
		},
	};
}

/** Whether a join came too soon, and is not one of a burst. */
export function isLimited(found: Limited | InBurst): found is Limited {
	return "retryAfter" in found;
}

/**
 * Limits tries by address, by network and globally, and joins by the size of a burst as well.
 *
 * @param now monotonic milliseconds
 */
export function createLimiter(limits: Limits, now: () => number): Limiter {
	const meters = {
		address: limits.address && createMeter(limits.address),
		network: limits.network && createMeter(limits.network),
		global: limits.global && createMeter(limits.global),
		/**
		 * Counts bursts by the widest key of a client. Only clients over another limit are in it,
		 * so it stays small.
		 */
		burst: limits.burst && createMeter(limits.burst),
	};

	function waitFor<Scope extends LimitScope>(
		scope: Scope,
		meter: Meter | undefined,
		key: string,
		nowMs: number,
	): Limited<Scope> | undefined {
		const retryAfter = Math.ceil((meter?.waitMs(key, nowMs) ?? 0) / 1000);
		return retryAfter > 0 ? { scope, retryAfter } : undefined;
	}

	/**
	 * Finds what keeps a client from trying now: the longest wait of its own limits, and the global
	 * limit.
	 */
	function look(keys: ClientKeys, nowMs: number) {
		let own: Limited<ClientScope> | undefined;
		for (const [scope, key] of keys) own = longer(own, waitFor(scope, meters[scope], key, nowMs));
		return { own, all: waitFor("global", meters.global, "", nowMs) };
	}

	function count(keys: ClientKeys, nowMs: number): undefined {
		for (const [scope, key] of keys) meters[scope]?.count(key, nowMs);
		meters.global?.count("", nowMs);
	}

	return {
		admit(client) {
			const [keys, nowMs] = [keysOf(client), now()];
			const { own, all } = look(keys, nowMs);
			return longer<Limited>(own, all) ?? count(keys, nowMs);
		},
		admitJoin(client) {
			const [keys, nowMs] = [keysOf(client), now()];
			const { own, all } = look(keys, nowMs);
			if (!own) return all ?? count(keys, nowMs);
			const widest = keys.at(-1)![1];
			const full = waitFor(own.scope, meters.burst, widest, nowMs);
			// The shorter wait counts, because a place in the burst lets the next join in as well
			// as the client's own.
			const limited = longer<Limited>(full && shorter(own, full), all);
			if (limited) return limited;
			meters.burst?.count(widest, nowMs);
			meters.global?.count("", nowMs);
			return { scope: own.scope };
		},
		get size() {
			const { address, network, burst } = meters;
			return (address?.size ?? 0) + (network?.size ?? 0) + (burst?.size ?? 0);
		},
	};
}

type ClientKeys = ReturnType<typeof clientKeys>;

/** The keys of a client, the widest scope last. */
const keysOf = (client: string | undefined): ClientKeys =>
	client === undefined ? [] : clientKeys(client);

/** The longer of two waits, the first of equal ones. */
const longer = <Wait extends Limited>(one: Wait | undefined, other: Wait | undefined) =>
	other && other.retryAfter > (one?.retryAfter ?? 0) ? other : one;

const shorter = <Wait extends Limited>(one: Wait, other: Wait) =>
	other.retryAfter < one.retryAfter ? other : one;
