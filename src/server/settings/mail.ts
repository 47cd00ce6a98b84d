import { isIP } from "node:net";
import { canonicalizeEmail } from "#shared/email.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { type FeedbackSettings, parseFeedback } from "./feedback.ts";
import {
	InvalidSetting,
	isOrigin,
	parseRate,
	parseWarmUp,
	type Rate,
	type ReadSetting,
} from "./values.ts";

export interface MailSettings {
	server: MailServer;
	from: { name: string; address: string };
	rate: Rate | undefined;
	/** Warm-up: daily limits for the first days on which emails are sent. */
	warmUp: readonly number[] | undefined;
	origin: string;
	feedback: FeedbackSettings;
}

export interface MailServer {
	/** ASCII host name, or IP address without brackets. */
	host: string;
	port: number;
	/** Whether TLS starts with the connection (`smtps:`) instead of STARTTLS. */
	implicitTls: boolean;
	login: { user: string; password: string } | undefined;
}

export const readMailSettings = (read: ReadSetting, built: string): MailSettings => ({
	server: read("SMTP_URL", parseSmtpUrl),
	from: read("WAITLIST_MAIL_FROM", parseFrom),
	rate: read("WAITLIST_SEND_RATE", parseRate),
	warmUp: read("WAITLIST_WARMUP", parseWarmUp),
	origin: read("SITE_ORIGIN", (text) => parseOrigin(text, built)),
	feedback: read("WAITLIST_FEEDBACK", parseFeedback),
});

/** Submission ports: STARTTLS (RFC 6409, 3.1) and implicit TLS (RFC 8314, 3.3). */
const SMTP_PORTS: Record<string, number> = { "smtp:": 587, "smtps:": 465 };

function parseSmtpUrl(text: string): MailServer {
	const unusable = new InvalidSetting(
		"must be an SMTP URL such as smtps://user:password@smtp.example:465 or " +
			"smtp://user:password@smtp.example:587, with special characters percent-encoded, without a " +
			"path, and with both user and password or neither",
	);
	/** Percent-decodes. Control characters could inject SMTP commands. */
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
	const name = named.trim().replace(/^"(.*)"$/, "$1");
	const checked = canonicalizeEmail(inner, asciiDomain);
	if (!("error" in checked) && !/\p{Cc}/u.test(name)) {
		const [local = ""] = checked.email.split("@");
		const [, domain = ""] = checked.key.split("@");
		if (/^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(local)) return { name, address: `${local}@${domain}` };
	}
	throw new InvalidSetting(
		"must be the sender's address (required with SMTP_URL), such as Orbit <hello@orbit.example> or " +
			"hello@orbit.example",
		text || undefined,
	);
}

/** Emails and pages must link to the same site, so the build's origin is the only valid one. */
function parseOrigin(text: string, built: string): string {
	const origin = text || built;
	if (text !== "" && built !== "" && text !== built) {
		throw new InvalidSetting(
			`is ${JSON.stringify(text)}, but the site was built with ${JSON.stringify(built)}: rebuild it, ` +
				"or set both to the same origin",
		);
	}
	if (isOrigin(origin) && origin.startsWith("https:")) return origin;
	throw new InvalidSetting(
		"must be the https origin that emails link to (required with SMTP_URL), without a path, such as " +
			"https://orbit.example",
		origin || undefined,
	);
}

/** Hides the user too: some providers' user names are secrets. */
export function describeMailServer({ host, port, implicitTls, login }: MailServer): string {
	const address = `${implicitTls ? "smtps" : "smtp"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
	return login ? `${address}, user and password set (hidden)` : `${address}, without a password`;
}
