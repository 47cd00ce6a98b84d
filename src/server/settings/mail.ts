import { isIP } from "node:net";
import { canonicalEmail } from "#shared/email.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { type FeedbackSettings, parseFeedback } from "./feedback.ts";
import { isOrigin, parseRate, parseWarmUp, type Rate, type Read, Unusable } from "./values.ts";

export interface MailSettings {
	server: MailServer;
	from: { name: string; address: string };
	rate: Rate | undefined;
	/** Warm-up: emails a day, a step for each day on which emails went out. */
	ramp: readonly number[] | undefined;
	origin: string;
	feedback: FeedbackSettings;
}

export interface MailServer {
	/** Name or IP address, in ASCII and without brackets. */
	host: string;
	port: number;
	/** TLS from the start (`smtps:`), not by STARTTLS. */
	implicitTls: boolean;
	login: { user: string; password: string } | undefined;
}

export const readMail = (read: Read, built: string): MailSettings => ({
	server: read("SMTP_URL", parseSmtpUrl),
	from: read("WAITLIST_MAIL_FROM", parseFrom),
	rate: read("WAITLIST_SEND_RATE", parseRate),
	ramp: read("WAITLIST_WARMUP", parseWarmUp),
	origin: read("SITE_ORIGIN", (text) => parseOrigin(text, built)),
	feedback: read("WAITLIST_FEEDBACK", parseFeedback),
});

/** Ports for submission: with STARTTLS (RFC 6409, 3.1), and with TLS from the start (RFC 8314, 3.3). */
const SMTP_PORTS: Record<string, number> = { "smtp:": 587, "smtps:": 465 };

function parseSmtpUrl(text: string): MailServer {
	const unusable = new Unusable(
		"must be a whole SMTP address, as in smtps://user:password@smtp.example:465 or " +
			"smtp://user:password@smtp.example:587, with %-escapes for signs that URLs use, without a " +
			"path, and with both user and password or neither",
	);
	/** Undoes %-escapes. Control characters would be separate commands to a mail server. */
	const decode = (text: string) => {
		try {
			const decoded = decodeURIComponent(text);
			if (!/\p{Cc}/u.test(decoded)) return decoded;
		} catch {}
		throw unusable;
	};
	if (!URL.canParse(text)) throw unusable;
	const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text);
	const host = /^\[.*\]$/.test(hostname) ? hostname.slice(1, -1) : asciiDomain(decode(hostname));
	const number = port === "" ? SMTP_PORTS[protocol] : Number(port);
	const hasMore = !/^\/?$/.test(pathname) || search !== "" || hash !== "";
	if (!(protocol in SMTP_PORTS) || !number || host === "" || hasMore) throw unusable;
	if ((username === "") !== (password === "")) throw unusable;
	return {
		host,
		port: number,
		implicitTls: protocol === "smtps:",
		login: username === "" ? undefined : { user: decode(username), password: decode(password) },
	};
}

function parseFrom(text: string): MailSettings["from"] {
	const [, named = "", inner = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
	const name = named
		.trim()
		.replace(/^"(.*)"$/, "$1")
		.replace(/\\(.)/g, "$1");
	const checked = canonicalEmail(inner, asciiDomain);
	if (!("error" in checked) && !/\p{Cc}/u.test(name)) {
		const [local = ""] = checked.email.split("@");
		const [, domain = ""] = checked.key.split("@");
		if (/^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(local)) return { name, address: `${local}@${domain}` };
	}
	throw new Unusable(
		"must be the address that emails come from, as in Orbit <hello@orbit.example> or " +
			"hello@orbit.example, because SMTP_URL is set",
		text || undefined,
	);
}

/** Emails and pages must lead to the same site, so the build's origin counts too. */
function parseOrigin(text: string, built: string): string {
	const origin = text || built;
	if (text !== "" && built !== "" && text !== built) {
		throw new Unusable(
			`is ${JSON.stringify(text)}, but the site was built with ${JSON.stringify(built)}: build it ` +
				"again, or set both to the same",
		);
	}
	if (isOrigin(origin) && origin.startsWith("https:")) return origin;
	throw new Unusable(
		"must be the origin that emails link to, by https and without a path, as in " +
			"https://orbit.example, because SMTP_URL is set",
		origin || undefined,
	);
}

/** Hides the user, too: some providers' user names are secrets. */
export function describeMailServer({ host, port, implicitTls, login }: MailServer): string {
	const address = `${implicitTls ? "smtps" : "smtp"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
	return login ? `${address}, user and password set (hidden)` : `${address}, without a password`;
}
