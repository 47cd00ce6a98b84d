import { BlockList, isIP, isIPv4 } from "node:net";
import type { Network } from "../settings/networks.ts";

/** Where a request came from. Addresses are as {@link plainAddress} writes them. */
export interface Client {
	/** The visitor's address: the best that is known. */
	address: string;
	/** Whether the peer of the connection is one of our own proxies. */
	peerIsTrusted: boolean;
	/** Whether that address is one of our own proxies: they named no visitor. */
	isProxy: boolean;
}

/**
 * Finds the visitor behind reverse proxies. Each proxy appends to `X-Forwarded-For`, so the list is
 * read from the right for as long as the writer of an entry is trusted. Entries further left came
 * from strangers, who can write anything. A header that names the visitor alone is a list of one.
 *
 * @returns a function from the peer of the connection and the header to the visitor; undefined where
 *   there is no peer, as in a call without a network
 */
export function clientAddress(
	trustedProxies: readonly Network[],
): (peer: string | undefined, forwardedFor: string | null) => Client | undefined {
	const isTrusted = membership(trustedProxies);
	return (peer, forwardedFor) => {
		let address = peer === undefined ? undefined : plainAddress(peer);
		if (address === undefined) return undefined;
		const peerIsTrusted = isTrusted(address);
		let isProxy = peerIsTrusted;
		const claims = forwardedFor?.split(",") ?? [];
		while (claims.length > 0 && isProxy) {
			const claim = plainAddress(claims.pop()!.trim());
			// Not an address: nothing to the left of it can be believed.
			if (claim === undefined) break;
			address = claim;
			isProxy = isTrusted(address);
		}
		return { address, peerIsTrusted, isProxy };
	};
}

/** Whether an address, as `plainAddress` writes it, is in one of the networks. */
export function membership(networks: readonly Network[]): (address: string) => boolean {
	// Even an empty list makes an object of each address, which took 5 % of a join.
	if (networks.length === 0) return () => false;
	const list = new BlockList();
	for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
	return (address) => list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** The bare address: no port, no zone, IPv4 not mapped into IPv6. Undefined if it is no address. */
export function plainAddress(text: string): string | undefined {
	if (isIPv4(text)) return text;
	const host = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
	const address = host.replace(/%.*$/, "");
	if (!isIP(address)) return undefined;
	return /^[0:]+:ffff:/i.test(address) ? unmapped(address) : address;
}

/** The IPv4 address in an IPv6 address of ::ffff:0:0/96 (RFC 4291, 2.5.5.2), in any spelling. */
function unmapped(address: string): string {
	const groups = ipv6Groups(address);
	if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return address;
	const numbers = groups.slice(6).map((group) => Number.parseInt(group, 16));
	return numbers.flatMap((number) => [number >> 8, number & 0xff]).join(".");
}

/** Whose share a client is counted in: its own address's, or that of its IPv6 network. */
export type ClientScope = "address" | "network";

/**
 * The keys that a client is counted by, the narrowest first. One visitor has an IPv4 address or an
 * IPv6 /64; a hoster gives one customer an IPv6 /48. No two scopes share a key.
 *
 * Copies the key. In V8 a substring is a view, so a remembered key would keep its whole 16 kB
 * header.
 *
 * @param address as {@link plainAddress} writes it
 */
export function clientKeys(address: string): readonly (readonly [ClientScope, string])[] {
	if (isIPv4(address)) return [["address", address.split(".").join(".")]];
	const groups = ipv6Groups(address);
	return [
		["address", groups.slice(0, 4).join(":")],
		["network", groups.slice(0, 3).join(":")],
	];
}

/** Whether it is this machine: an operator at the keyboard, or a proxy missing in TRUSTED_PROXIES. */
export function isLoopback(address: string): boolean {
	return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}

/** The eight groups of an IPv6 address, the same for every spelling of it. */
function ipv6Groups(address: string): string[] {
	// The last two groups may be written as dotted IPv4.
	const hex = address.includes(".")
		? address.replace(
				/(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
				(_, a, b, c, d) => `${(a * 256 + +b).toString(16)}:${(c * 256 + +d).toString(16)}`,
			)
		: address;
	const groupsIn = (text = "") => (text === "" ? [] : text.split(":"));
	const [head, tail] = hex.split("::");
	const [left, right] = [groupsIn(head), groupsIn(tail)];
	const zeros = Array<string>(8 - left.length - right.length).fill("0");
	return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}
