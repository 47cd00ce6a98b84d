import { isIP } from "node:net";
import { Unusable } from "./unusable.ts";

export interface AdminSettings {
	port: number;
	/** The origin of a proxy in front: `https://admin.orbit.example`. */
	origin: string | undefined;
}

export function parseHost(text: string): string {
	if (/^[\w.:%-]+$/.test(text)) return text;
	throw new Unusable("must be a host name or an IP address", text);
}

/** Parses a port; 0 lets the system choose. */
export function parsePort(text: string, least: 0 | 1 = 0): number {
	if (/^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= 65535) return Number(text);
	throw new Unusable(`must be a whole number from ${least} to 65535`, text);
}

/**
 * Parses WAITLIST_ADMIN_ORIGIN. It must have TLS, except on this machine: browsers send `Sec-Fetch-Site`
 * only to secure origins, and cookies would travel unencrypted.
 */
export function parseAdminOrigin(text: string): string | undefined {
	if (text === "") return undefined;
	const isOrigin = URL.canParse(text) && new URL(text).origin === text;
	if (isOrigin && /^https:|^http:\/\/(?:localhost|127\.0\.0\.1)(?::|$)/.test(text)) return text;
	throw new Unusable(
		"must be the origin at which a browser opens the admin pages, by https and without a path, as in " +
			"https://admin.orbit.example, or http://localhost:9000",
		text,
	);
}

export function parseTimeZone(text: string): string {
	// Every command starts here, and the names of zones take 8 MB.
	if (text === "UTC") return text;
	try {
		return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
	} catch {
		throw new Unusable("must be the name of a time zone, as in Europe/Berlin", text);
	}
}

/** The IP addresses whose first `prefix` bits are the same. */
export interface Network {
	address: string;
	prefix: number;
	family: "ipv4" | "ipv6";
}

/**
 * `private` in TRUSTED_PROXIES: addresses that the internet does not route, of a proxy in the same
 * container network, cluster or machine. They are loopback, RFC 1918, RFC 6598, link-local (RFC 3927,
 * RFC 4291) and unique local (RFC 4193).
 */
const PRIVATE =
	"127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,169.254.0.0/16,fe80::/10,fc00::/7";

export const parseNetworks = (text: string): Network[] =>
	text
		.split(",")
		.flatMap((item) => (item.trim() === "private" ? PRIVATE.split(",") : item.trim()))
		.filter((item) => item !== "")
		.map(parseNetwork);

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
		throw new Unusable(`must not hold ${text}: everybody could claim to be anybody`);
	}
	return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

export function parseHeader(text: string): string {
	if (/^[a-z][a-z\d-]*$/i.test(text)) return text;
	throw new Unusable(
		"must be the name of the header in which trusted proxies name the visitor, as in " +
			"X-Forwarded-For or X-Real-IP",
		text,
	);
}
