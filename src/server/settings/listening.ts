import { Unusable } from "./unusable.ts";

/**
 * Reads HOST.
 *
 * @throws Unusable
 */
export function parseHost(text: string): string {
	if (/^[\w.:%-]+$/.test(text)) return text;
	throw new Unusable(`must be a host name or an IP address, but it is ${JSON.stringify(text)}`);
}

/**
 * Reads the number of a port; 0 lets the system choose.
 *
 * @throws Unusable
 */
export function parsePort(text: string): number {
	if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
	throw new Unusable(`must be a whole number from 0 to 65535, but it is ${JSON.stringify(text)}`);
}

/**
 * Reads WAITLIST_DRAIN_SECONDS. Gives ms.
 *
 * @throws Unusable
 */
export function parseDrain(text: string): number {
	if (/^[0-5]$/.test(text)) return Number(text) * 1000;
	throw new Unusable(
		`must be a whole number of seconds from 0 to 5, but it is ${JSON.stringify(text)}`,
	);
}

/**
 * Reads WAITLIST_TIME_ZONE.
 *
 * @throws Unusable
 */
export function parseTimeZone(text: string): string {
	try {
		return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
	} catch {
		throw new Unusable(
			`must be the name of a time zone, as in Europe/Berlin, but it is ${JSON.stringify(text)}`,
		);
	}
}
