import { Unusable } from "./unusable.ts";

/** Where the founder's page is. */
export interface OfficeSettings {
	/** Loopback port. */
	port: number;
	/** Where a browser opens it, if a proxy is in front: `https://office.orbit.example`. */
	origin: string | undefined;
}

/**
 * Reads WAITLIST_OFFICE_PORT. The system may not choose it: the command that prints the link to sign in
 * runs in another process, and must know it too.
 *
 * @throws Unusable
 */
export function parseOfficePort(text: string): number {
	if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65535) return Number(text);
	throw new Unusable(`must be a whole number from 1 to 65535, but it is ${JSON.stringify(text)}`);
}

/**
 * Reads WAITLIST_OFFICE_ORIGIN. Elsewhere than on this machine it must have TLS: browsers say only to such
 * origins where a request comes from (`Sec-Fetch-Site`), and cookies would travel in the clear.
 *
 * @throws Unusable
 */
export function parseOfficeOrigin(text: string): string | undefined {
	if (text === "") return undefined;
	if (URL.canParse(text) && new URL(text).origin === text) {
		const { protocol, hostname } = new URL(text);
		if (protocol === "https:") return text;
		if (protocol === "http:" && ["localhost", "127.0.0.1"].includes(hostname)) return text;
	}
	throw new Unusable(
		"must be the origin at which a browser opens the office, by https and without a path, as in " +
			`https://office.orbit.example, or http://localhost:9000, but it is ${JSON.stringify(text)}`,
	);
}
