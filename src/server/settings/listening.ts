import { Unusable } from "./unusable.ts";

/** Where the founder's pages are. */
export interface AdminSettings {
	/** Loopback port. */
	port: number;
	/** Where a browser opens them, if a proxy is in front: `https://admin.orbit.example`. */
	origin: string | undefined;
}

export function parseHost(text: string): string {
	if (/^[\w.:%-]+$/.test(text)) return text;
	throw new Unusable("must be a host name or an IP address", text);
}

/** Parses a port; 0 lets the system choose, where `least` allows that. */
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
	if (URL.canParse(text) && new URL(text).origin === text) {
		const { protocol, hostname } = new URL(text);
		if (protocol === "https:") return text;
		if (protocol === "http:" && ["localhost", "127.0.0.1"].includes(hostname)) return text;
	}
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
