import { isIP } from "node:net";
import { canonicalEmail } from "#shared/email.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { Unusable } from "./unusable.ts";

/** The SMTP server that takes the emails. */
export interface MailServer {
	/** Name or IP address, in ASCII and without brackets. */
	host: string;
	port: number;
	/** Whether TLS begins with the connection (`smtps:`), not after it (STARTTLS). */
	implicitTls: boolean;
	/** Undefined: nobody signs in. */
	login: { user: string; password: string } | undefined;
}

/** A mail address for people, all in ASCII but for the name. */
export interface Mailbox {
	/** May be empty. */
	name: string;
	address: string;
}

/** Ports for submission: with STARTTLS (RFC 6409, 3.1), and with TLS from the start (RFC 8314, 3.3). */
const SMTP_PORTS: Record<string, number> = { "smtp:": 587, "smtps:": 465 };

/** Parses SMTP_URL. The message does not repeat the value: it holds a password. */
export function parseSmtpUrl(text: string): MailServer {
	const unusable = new Unusable(
		"must be a whole SMTP address, as in smtps://user:password@smtp.example:465 or " +
			"smtp://user:password@smtp.example:587, with %-escapes for signs that URLs use, without a " +
			"path, and with both user and password or neither",
	);
	if (!URL.canParse(text)) throw unusable;
	const url = new URL(text);
	const port = url.port === "" ? SMTP_PORTS[url.protocol] : Number(url.port);
	const host = /^\[.*\]$/.test(url.hostname)
		? url.hostname.slice(1, -1)
		: asciiDomain(decode(url.hostname, unusable));
	const user = decode(url.username, unusable);
	const password = decode(url.password, unusable);
	if (!(url.protocol in SMTP_PORTS) || !port || host === "") throw unusable;
	if (
		!/^\/?$/.test(url.pathname) ||
		url.search ||
		url.hash ||
		(user === "") !== (password === "")
	) {
		throw unusable;
	}
	return {
		host,
		port,
		implicitTls: url.protocol === "smtps:",
		login: user === "" ? undefined : { user, password },
	};
}

/** Undoes %-escapes. Control characters would be commands of their own to a mail server. */
function decode(text: string, unusable: Unusable): string {
	try {
		const decoded = decodeURIComponent(text);
		if (!/\p{Cc}/u.test(decoded)) return decoded;
	} catch {}
	throw unusable;
}

/** Parses WAITLIST_MAIL_FROM. */
export function parseFrom(text: string): Mailbox {
	const [, named = "", inner = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
	const name = named
		.trim()
		.replace(/^"(.*)"$/, "$1")
		.replace(/\\(.)/g, "$1");
	const address = asciiAddress(inner);
	if (address !== undefined && !/\p{Cc}/u.test(name)) return { name, address };
	throw new Unusable(
		"must be the address that emails come from, as in Orbit <hello@orbit.example> or " +
			"hello@orbit.example, because SMTP_URL is set",
		text || undefined,
	);
}

/** An address that any mail server understands, with the domain in its ASCII spelling. */
function asciiAddress(text: string): string | undefined {
	const checked = canonicalEmail(text, asciiDomain);
	if ("error" in checked) return undefined;
	const local = checked.email.slice(0, checked.email.indexOf("@"));
	if (!/^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(local)) return undefined;
	return local + checked.key.slice(checked.key.indexOf("@"));
}

/**
 * Parses SITE_ORIGIN. Emails and pages must lead to the same site: what the build was told counts as
 * well.
 */
export function parseOrigin(text: string, built: string): string {
	const origin = text || built;
	if (text !== "" && built !== "" && text !== built) {
		throw new Unusable(
			`is ${JSON.stringify(text)}, but the site was built with ${JSON.stringify(built)}: build it ` +
				"again, or set both to the same",
		);
	}
	if (URL.canParse(origin) && /^https:/.test(origin) && new URL(origin).origin === origin) {
		return origin;
	}
	throw new Unusable(
		"must be the origin that emails link to, by https and without a path, as in " +
			"https://orbit.example, because SMTP_URL is set",
		origin || undefined,
	);
}

/** Names a mail server for people, without who signs in: some providers' user names are secrets. */
export function describeMailServer({ host, port, implicitTls, login }: MailServer): string {
	const address = `${implicitTls ? "smtps" : "smtp"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
	return login ? `${address}, user and password set (hidden)` : `${address}, without a password`;
}
