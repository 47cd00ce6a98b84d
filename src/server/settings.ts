import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { builtOrigin } from "#shared/built-origin.ts";
import { parseBounces, parseFrom, parseOrigin, parseSmtpUrl } from "./settings/mail.ts";
import { parseNetwork, parseNetworks } from "./settings/networks.ts";
import { parseRamp, parseRate, parseVisitorRate } from "./settings/rates.ts";
import {
	parseMailgun,
	parsePostmark,
	parseResend,
	parseTopic,
	type ReportSettings,
} from "./settings/reports.ts";
import { parseApiKeys, parseErasureKey } from "./settings/secrets.ts";
import { Unusable } from "./settings/unusable.ts";

/** What the operator decides: the environment, checked. */
export interface Settings {
	/** Name or address to listen on. */
	host: string;
	/** Port to listen on; 0 lets the system choose. */
	port: number;
	database: DatabaseSettings;
	/** Our own reverse proxies. What they say about a visitor's address and TLS is believed. */
	trustedProxies: readonly Network[];
	/** The header in which they name the visitor, as in `X-Forwarded-For`. */
	trustedHeader: string;
	limits: Limits;
	/** Loopback port of the metrics; undefined turns them off. */
	metricsPort: number | undefined;
	/** How long `/readyz` says no before the server stops accepting: time for the load balancer. */
	drainMs: number;
	/** The secret that proofs of erasure are made with, if the operator has set one. */
	erasureKey: string | undefined;
	/** The file that keeps proofs of erasure outside the database, if the operator has named one. */
	erasures: string | undefined;
	/** The API keys of the product's own server, which redeems invitations. None: nobody can. */
	apiKeys: readonly string[];
	/** How letters are sent. Undefined: none are. */
	mail: MailSettings | undefined;
}

/** How letters are sent, and where their links lead. */
export interface MailSettings {
	server: MailServer;
	/** Whom letters come from. */
	from: Mailbox;
	/** How many letters may go out; undefined is no limit. */
	rate: Rate | undefined;
	/** Letters a day, a step for each day on which letters went out; undefined is no ramp. */
	ramp: readonly number[] | undefined;
	/** The address that bounces come back to, with the letter's id put in. Undefined: `from`'s own. */
	bounces: string | undefined;
	/** Origin of the links in letters, by https: `https://orbit.example`. */
	origin: string;
	/** Which providers may report bounces and complaints. */
	reports: ReportSettings;
}

/** The SMTP server that takes the letters. */
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

/** Where the waitlist is kept: an absolute path of an SQLite file, or the URL of a PostgreSQL. */
export type DatabaseSettings = { kind: "sqlite"; file: string } | { kind: "postgres"; url: string };

/** The IP addresses whose first `prefix` bits are the same. */
export interface Network {
	address: string;
	prefix: number;
	family: "ipv4" | "ipv6";
}

/** A number of requests in each period, at once or spread over it. */
export interface Rate {
	count: number;
	periodMs: number;
}

/** How often visitors may try to join. An undefined rate is no limit. */
export interface Limits {
	/** From one IPv4 address or one IPv6 /64: what a provider gives one customer. */
	address: Rate | undefined;
	/** From one IPv6 /48: what a hoster gives one customer. */
	network: Rate | undefined;
	/** From everywhere together. */
	global: Rate | undefined;
}

/**
 * The values of variables that are absent or empty. The server is reachable from this machine only,
 * unless HOST says otherwise. The global limit is far above an honest launch, and bounds what a
 * botnet can write in a night.
 */
export const defaults = {
	HOST: "127.0.0.1",
	PORT: "3000",
	DATABASE_URL: "file:data/waitlist.db",
	TRUSTED_PROXIES: "",
	TRUSTED_HEADER: "X-Forwarded-For",
	WAITLIST_ADDRESS_LIMIT: "20/10m",
	WAITLIST_NETWORK_LIMIT: "200/10m",
	WAITLIST_GLOBAL_LIMIT: "1000000/1h",
	WAITLIST_METRICS_PORT: "",
	WAITLIST_DRAIN_SECONDS: "0",
	WAITLIST_ERASURE_KEY: "",
	WAITLIST_ERASURES: "",
	WAITLIST_API_KEY: "",
	SMTP_URL: "",
	WAITLIST_MAIL_FROM: "",
	WAITLIST_MAIL_RATE: "100/1h",
	WAITLIST_MAIL_RAMP: "",
	WAITLIST_MAIL_BOUNCES: "",
	SITE_ORIGIN: "",
	WAITLIST_REPORTS_SES: "",
	WAITLIST_REPORTS_POSTMARK: "",
	WAITLIST_REPORTS_RESEND: "",
	WAITLIST_REPORTS_MAILGUN: "",
};

/**
 * The networks that `private` in TRUSTED_PROXIES stands for: addresses that the internet does not
 * route, from which a proxy in the same container network, cluster or machine connects. They are
 * loopback, RFC 1918, RFC 6598, link-local (RFC 3927, RFC 4291) and unique local (RFC 4193).
 */
export const privateNetworks = [
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

/**
 * Reads the variables named in {@link defaults}.
 *
 * @param environment names and values. Unknown names are ignored, except those that start with
 *   `WAITLIST_`, which can only be meant for this server.
 * @param folder where a relative database path starts
 * @param built the SITE_ORIGIN that the site was built with, or ""
 * @throws Error that names every problem at once, one sentence a line
 */
export function readSettings(
	environment: Readonly<Record<string, string | undefined>>,
	folder: string,
	built = builtOrigin,
): Settings {
	const problems: string[] = [];
	/** After a problem it returns undefined, which nobody sees: the settings are not returned. */
	function read<Value>(name: keyof typeof defaults, parse: (text: string) => Value): Value {
		try {
			return parse(environment[name]?.trim() || defaults[name]);
		} catch (error) {
			if (!(error instanceof Unusable)) throw error;
			problems.push(`${name} ${error.message}.`);
			return undefined as Value;
		}
	}

	const settings: Settings = {
		host: read("HOST", parseHost),
		port: read("PORT", parsePort),
		database: read("DATABASE_URL", (text) => parseDatabaseUrl(text, folder)),
		trustedProxies: read("TRUSTED_PROXIES", (text) => parseNetworks(text, privateNetworks)),
		trustedHeader: read("TRUSTED_HEADER", parseHeader),
		limits: {
			address: read("WAITLIST_ADDRESS_LIMIT", parseVisitorRate),
			network: read("WAITLIST_NETWORK_LIMIT", parseVisitorRate),
			global: read("WAITLIST_GLOBAL_LIMIT", parseRate),
		},
		metricsPort: read("WAITLIST_METRICS_PORT", (text) =>
			text === "" ? undefined : parsePort(text),
		),
		drainMs: read("WAITLIST_DRAIN_SECONDS", parseDrain),
		erasureKey: read("WAITLIST_ERASURE_KEY", parseErasureKey),
		erasures: read("WAITLIST_ERASURES", (text) =>
			text === "" ? undefined : resolve(folder, text),
		),
		apiKeys: read("WAITLIST_API_KEY", parseApiKeys),
		mail: environment.SMTP_URL?.trim()
			? {
					server: read("SMTP_URL", parseSmtpUrl),
					from: read("WAITLIST_MAIL_FROM", parseFrom),
					rate: read("WAITLIST_MAIL_RATE", parseRate),
					ramp: read("WAITLIST_MAIL_RAMP", parseRamp),
					bounces: read("WAITLIST_MAIL_BOUNCES", parseBounces),
					origin: read("SITE_ORIGIN", (text) => parseOrigin(text, built)),
					reports: {
						ses: read("WAITLIST_REPORTS_SES", parseTopic),
						postmark: read("WAITLIST_REPORTS_POSTMARK", parsePostmark),
						resend: read("WAITLIST_REPORTS_RESEND", parseResend),
						mailgun: read("WAITLIST_REPORTS_MAILGUN", parseMailgun),
					},
				}
			: undefined,
	};
	for (const name of Object.keys(environment)) {
		if (name.startsWith("WAITLIST_") && !Object.hasOwn(defaults, name)) {
			problems.push(`${name} is not a setting of this server.`);
		}
		const isOfMail = /^WAITLIST_(?:MAIL|REPORTS)_/.test(name);
		if (isOfMail && environment[name]?.trim() && !settings.mail) {
			problems.push(`${name} has no effect without SMTP_URL: set both, or neither.`);
		}
	}
	if (problems.length > 0) throw new Error(problems.join("\n"));
	return settings;
}

/** Names a database for people, without its password: the name ends up in logs. */
export function describeDatabase(database: DatabaseSettings): string {
	if (database.kind === "sqlite") return database.file;
	const { host, pathname, searchParams } = new URL(database.url);
	const server = host || searchParams.get("host") || "the default server";
	return `PostgreSQL at ${server}, database ${decodeURIComponent(pathname.slice(1)) || "by default"}`;
}

function parseHost(text: string): string {
	if (/^[\w.:%-]+$/.test(text)) return text;
	throw new Unusable(`must be a host name or an IP address, but it is ${JSON.stringify(text)}`);
}

function parsePort(text: string): number {
	if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
	throw new Unusable(`must be a whole number from 0 to 65535, but it is ${JSON.stringify(text)}`);
}

/**
 * Reads the address of a database: the server's own, or one to move to.
 *
 * @throws Error whose message continues a sentence that starts with the name of the variable
 */
export function parseDatabaseUrl(text: string, folder: string): DatabaseSettings {
	if (/^postgres(ql)?:\/\//.test(text)) {
		// The message does not repeat the value: it may hold a password.
		if (URL.canParse(text)) return { kind: "postgres", url: text };
		throw new Unusable(
			"must be a whole PostgreSQL address, as in postgres://user:password@host:5432/database " +
				"(with %-escapes for signs that URLs use)",
		);
	}
	if (!text.startsWith("file:")) {
		throw new Unusable(
			"must be file: and the path of an SQLite file, as in file:data/waitlist.db, " +
				"or the postgres:// address of a PostgreSQL",
		);
	}
	const path = text.slice("file:".length);
	if (path.startsWith("//")) {
		try {
			return { kind: "sqlite", file: fileURLToPath(text) };
		} catch {
			throw new Unusable(`must name a file of this machine, but it is ${JSON.stringify(text)}`);
		}
	}
	if (path === "" || path.endsWith("/") || /[?#\0]/.test(path) || path === ":memory:") {
		throw new Unusable(
			`must name a file after file:, without ? or #, but it is ${JSON.stringify(text)}`,
		);
	}
	return { kind: "sqlite", file: resolve(folder, path) };
}

function parseHeader(text: string): string {
	if (/^[a-z][a-z\d-]*$/i.test(text)) return text;
	throw new Unusable(
		"must be the name of the header in which trusted proxies name the visitor, as in " +
			`X-Forwarded-For or X-Real-IP, but it is ${JSON.stringify(text)}`,
	);
}

function parseDrain(text: string): number {
	if (/^[0-5]$/.test(text)) return Number(text) * 1000;
	throw new Unusable(
		`must be a whole number of seconds from 0 to 5, but it is ${JSON.stringify(text)}`,
	);
}

/**
 * Reads HOST and PORT alone, for the servers that engineers start.
 *
 * @param port what holds where PORT is absent or empty
 * @throws Error with a sentence for each problem
 */
export function readAddress(
	{ HOST, PORT }: Readonly<Record<string, string | undefined>>,
	port: number,
): Pick<Settings, "host" | "port"> {
	return readSettings({ HOST, PORT: PORT?.trim() || String(port) }, "");
}
