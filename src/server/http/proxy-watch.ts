import type { Log } from "../log.ts";
import { privateNetworks } from "../settings/networks.ts";
import { type Client, isLoopback, membership } from "./client-address.ts";

/** Where a peer is that TRUSTED_PROXIES does not name, and what to do if it is a proxy of ours. */
const places = {
	"this machine": {
		effect: "the limits by address are off for all its visitors",
		remedy: "set TRUSTED_PROXIES=127.0.0.1,::1",
	},
	"a private network": {
		effect: "all its visitors count as one burst, which gets no letters and is soon refused",
		remedy: "set TRUSTED_PROXIES=private, or to its address",
	},
	"the internet": {
		effect: "all its visitors count as one burst, which gets no letters and is soon refused",
		remedy: "set TRUSTED_PROXIES to its addresses or networks",
	},
};

const isPrivate = membership(privateNetworks);

/**
 * Tells the operator that the settings of a proxy are wrong, because visitors would be marked or
 * refused for no visible reason. It logs once for each place that an unknown proxy may be at, and
 * once more when the first limit is reached. Its sentences hold also where a stranger made the
 * header up.
 *
 * @param header in which our proxies name the visitor
 * @returns a function to call with every join: who sent it, whether it had that header, and whether
 *   the limit of its address or network was reached
 */
export function watchProxies(
	log: Log,
	header: string,
): (client: Client, isForwarded: boolean, isOver: boolean) => void {
	const said = new Set<string>();
	const once = (event: string, message: string) => {
		if (said.has(message)) return;
		said.add(message);
		log("error", event, { message });
	};

	return ({ address, peerIsTrusted, isProxy }, isForwarded, isOver) => {
		if (peerIsTrusted) {
			if (!isProxy || !isOver) return;
			once(
				"proxy names no visitor",
				"A join was over its limit that came through a proxy in TRUSTED_PROXIES without the visitor's " +
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
		if (!isOver) return;
		once(
			"proxy not trusted",
			`A join from ${place} was over its limit. It has ${header}, but TRUSTED_PROXIES does not name its sender. ${advice}`,
		);
	};
}
