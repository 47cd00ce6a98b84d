import type { Log } from "../log.ts";
import { privateNetworks } from "../settings.ts";
import { type Client, isLoopback, membership } from "./client-address.ts";

/** Where a peer is that TRUSTED_PROXIES does not name, and what to do if it is a proxy of ours. */
const places = {
	"this machine": {
		effect: "the limits by address are off for all its visitors",
		remedy: "set TRUSTED_PROXIES=127.0.0.1,::1",
	},
	"a private network": {
		effect: "all its visitors count as one and are soon refused",
		remedy: "set TRUSTED_PROXIES=private, or to its address",
	},
	"the internet": {
		effect: "all its visitors count as one and are soon refused",
		remedy: "set TRUSTED_PROXIES to its addresses or networks",
	},
};

const isPrivate = membership(privateNetworks);

/**
 * Tells the operator what is wrong with the settings of a proxy, by which visitors would be refused
 * without a reason that anybody sees: once for each place that an unknown proxy may be at, and again
 * at the first refusal. No sentence blames the operator for a stranger who made the header up.
 *
 * @param header in which our proxies name the visitor
 * @returns a function to call with every join: who sent it, whether it had that header, and
 *   whether its address or network was refused
 */
export function watchProxies(
	log: Log,
	header: string,
): (client: Client, isForwarded: boolean, isRefused: boolean) => void {
	const said = new Set<string>();
	const once = (event: string, message: string) => {
		if (said.has(message)) return;
		said.add(message);
		log("error", event, { message });
	};

	return ({ address, peerIsTrusted, isProxy }, isForwarded, isRefused) => {
		if (peerIsTrusted) {
			if (!isProxy || !isRefused) return;
			once(
				"proxy names no visitor",
				"A join was refused (429) that came through a proxy in TRUSTED_PROXIES without the visitor's " +
					`address: all such visitors count as one. Make the proxy add the address to ${header}.`,
			);
			return;
		}
		if (!isForwarded) return;
		const place = isLoopback(address)
			? "this machine"
			: isPrivate(address)
				? "a private network"
				: "the internet";
		const { effect, remedy } = places[place];
		const advice = `If the sender is your proxy, ${effect}: ${remedy}. If not, a stranger made the header up, and nothing is wrong.`;
		once(
			"proxy not trusted",
			`A join from ${place} has ${header}, but TRUSTED_PROXIES does not name its sender. ${advice}`,
		);
		if (!isRefused) return;
		once(
			"proxy not trusted",
			`A join from ${place} was refused (429). It has ${header}, but TRUSTED_PROXIES does not name its sender. ${advice}`,
		);
	};
}
