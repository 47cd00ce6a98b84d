import { isIP } from "node:net";
import { Unusable } from "./unusable.ts";

/** The IP addresses whose first `prefix` bits are the same. */
export interface Network {
	address: string;
	prefix: number;
	family: "ipv4" | "ipv6";
}

/** Parses TRUSTED_PROXIES. */
export function parseNetworks(text: string): Network[] {
	return text
		.split(",")
		.map((item) => item.trim())
		.filter((item) => item !== "")
		.flatMap((item) => (item === "private" ? privateNetworks : parseNetwork(item)));
}

function parseNetwork(text: string): Network {
	const [, address = "", digits] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	const version = isIP(address);
	const bits = version === 4 ? 32 : 128;
	const prefix = digits === undefined ? bits : Number(digits);
	if (version === 0 || prefix > bits) {
		throw new Unusable(
			"must be IP addresses or networks with commas between them, as in 127.0.0.1, 10.0.0.0/8, " +
				`or private for all networks that the internet does not route, but one is ${JSON.stringify(text)}`,
		);
	}
	if (prefix === 0) {
		throw new Unusable(
			`must not hold ${text}: whoever is trusted may claim to be anybody, and that is everybody`,
		);
	}
	return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

/**
 * The networks that `private` in TRUSTED_PROXIES stands for: addresses that the internet does not
 * route, from which a proxy in the same container network, cluster or machine connects. They are
 * loopback, RFC 1918, RFC 6598, link-local (RFC 3927, RFC 4291) and unique local (RFC 4193).
 */
const privateNetworks = [
	"127.0.0.0/8",
	"::1",
	"10.0.0.0/8",
	"172.16.0.0/12",
	"192.168.0.0/16",
	"100.64.0.0/10",
	"169.254.0.0/16",
	"fe80::/10",
	"fc00::/7",
].map(parseNetwork);

/** Parses TRUSTED_HEADER. */
export function parseHeader(text: string): string {
	if (/^[a-z][a-z\d-]*$/i.test(text)) return text;
	throw new Unusable(
		"must be the name of the header in which trusted proxies name the visitor, as in " +
			"X-Forwarded-For or X-Real-IP",
		text,
	);
}
