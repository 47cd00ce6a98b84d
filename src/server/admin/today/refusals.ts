import { hash, randomUUID } from "node:crypto";
import type { Call } from "../../http/call.ts";
import { clientAddress, clientKeys } from "../../http/client-address.ts";
import type { Settings } from "../../settings.ts";
import { HOUR_MS } from "../../time.ts";

/** Joins that a limit refused, as this process has seen them. */
export interface Refused {
	/** When it began to count, ISO 8601. */
	since: string;
	/** Since then. */
	all: number;
	/** In the current hour of UTC. */
	hour: number;
	/** From how many IPv4 addresses and IPv6 /48 those of this hour came; never more than MOST_NETWORKS. */
	networks: number;
}

/** Counts refused joins. */
export interface Refusals {
	/** The same decision, counted. */
	watch<Found extends object>(
		admit: (call: Call) => Found | undefined,
	): (call: Call) => Found | undefined;
	read(): Refused;
}

/** Networks that are told apart: whoever rotates through more takes no more memory. */
export const MOST_NETWORKS = 10_000;

/**
 * Counts the joins that limits refuse, for whoever looks after the waitlist. Networks are told apart by
 * hashes with a salt of the hour, because the limits alone may hold an IP address (promise 32).
 *
 * @param now ms since 1970
 */
export function countRefusals(
	{ trustedProxies, trustedHeader }: Pick<Settings, "trustedProxies" | "trustedHeader">,
	now: () => number = Date.now,
): Refusals {
	const clientOf = clientAddress(trustedProxies);
	const header = trustedHeader.toLowerCase();
	const since = new Date(now()).toISOString();
	const networks = new Set<string>();
	let salt = "";
	let [all, hour, hourOf] = [0, 0, -1];

	function turn(): void {
		const current = Math.floor(now() / HOUR_MS);
		if (current === hourOf) return;
		hourOf = current;
		hour = 0;
		salt = randomUUID();
		networks.clear();
	}

	return {
		watch: (admit) => (call) => {
			const found = admit(call);
			// What is admitted with a mark has no time after which it may try again.
			if (!found || !("retryAfter" in found)) return found;
			turn();
			all += 1;
			hour += 1;
			if (networks.size >= MOST_NETWORKS) return found;
			const client = clientOf(call.peer, call.header(header));
			const network = client && clientKeys(client.address).at(-1)![1];
			if (network) networks.add(hash("sha256", salt + network));
			return found;
		},
		read() {
			turn();
			return { since, all, hour, networks: networks.size };
		},
	};
}
