import { isIP } from "node:net";
import type { Network } from "../settings.ts";
import { Unusable } from "./unusable.ts";

/**
 * Reads TRUSTED_PROXIES.
 *
 * @param named what `private` stands for
 * @throws Unusable
 */
export function parseNetworks(text: string, named: readonly Network[]): Network[] {
	return text
		.split(",")
		.map((item) => item.trim())
		.filter((item) => item !== "")
		.flatMap((item) => (item === "private" ? named : parseNetwork(item)));
}

/** @throws Unusable */
export function parseNetwork(text: string): Network {
	const [, address = "", digits] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	const version = isIP(address);
	const bits = version === 4 ? 32 : 128;
	const prefix = digits === undefined ? bits : Number(digits);
	if (version === 0 || prefix > bits) {
		throw new Unusable(
			"must be IP addresses or networks with commas between them, as in 127.0.0.1, 10.0.0.0/8, " +
				"or private for all networks that the internet does not route, " +
				`but one is ${JSON.stringify(text)}`,
		);
	}
	if (prefix === 0) {
		throw new Unusable(
			`must not hold ${text}: whoever is trusted may claim to be anybody, and that is everybody`,
		);
	}
	return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}
