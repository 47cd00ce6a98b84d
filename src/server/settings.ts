import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { builtOrigin } from "#shared/built-origin.ts";
import { parseDrain, parseHost, parsePort, parseTimeZone } from "./settings/listening.ts";
import {
	type Mailbox,
	type MailServer,
	parseBounces,
	parseFrom,
	parseOrigin,
	parseSmtpUrl,
} from "./settings/mail.ts";
import { type Network, parseHeader, parseNetworks, privateNetworks } from "./settings/networks.ts";
import { type OfficeSettings, parseOfficeOrigin, parseOfficePort } from "./settings/office.ts";
import { parseRamp, parseRate, parseVisitorRate, type Rate } from "./settings/rates.ts";
import {
	parseMailgun,
	parsePostmark,
	parseResend,
	parseTopic,
	type ReportSettings,
} from "./settings/reports.ts";
import { parseApiKeys, parseErasureKey } from "./settings/secrets.ts";
import {
	parseTold,
	parseWebhookBody,
	parseWebhookSecrets,
	type WebhookSettings,
} from "./settings/telling.ts";
import { Unusable } from "./settings/unusable.ts";

export { privateNetworks };

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
	/** IANA time zone in which commands and admin pages show times. */
	timeZone: string;
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
	/** Where the founder's page listens. Undefined: there is none. */
	office: OfficeSettings | undefined;
	/** Address of the chat that gets the digest. Undefined: there is no digest. */
	notify: string | undefined;
	/** Where events go. Undefined: no other system is told. */
	webhook: WebhookSettings | undefined;
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

/** Where the waitlist is kept: an absolute path of an SQLite file, or the URL of a PostgreSQL. */
export type DatabaseSettings = { kind: "sqlite"; file: string } | { kind: "postgres"; url: string };

/** How often visitors may try to join. An undefined rate is no limit. */
export interface Limits {
	/** From one IPv4 address or one IPv6 /64: what a provider gives one customer. */
	address: Rate | undefined;
	/** From one IPv6 /48: what a hoster gives one customer. */
	network: Rate | undefined;
	/** Joins beyond these two that are taken and marked: from one IPv4 address or one IPv6 /48. */
	burst: Rate | undefined;
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
	WAITLIST_BURST_LIMIT: "2000/10m",
	WAITLIST_GLOBAL_LIMIT: "1000000/1h",
	WAITLIST_TIME_ZONE: "UTC",
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
	WAITLIST_OFFICE_PORT: "",
	WAITLIST_OFFICE_ORIGIN: "",
	WAITLIST_NOTIFY_URL: "",
	WAITLIST_WEBHOOK_URL: "",
	WAITLIST_WEBHOOK_SECRET: "",
	WAITLIST_WEBHOOK_BODY: "thin",
};

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
	/**
	 * Returns undefined after a problem. Nothing reads it, because all problems are thrown together
	 * at the end.
	 */
	function read<Value>(name: keyof typeof defaults, parse: (text: string) => Value): Value {
		try {
			return parse(environment[name]?.trim() || defaults[name]);
		} catch (error) {
			if (!(error instanceof Unusable)) throw error;
			problems.push(`${name} ${error.message}.`);
			return undefined as Value;
		}
	}

	const isSet = (name: string) => Boolean(environment[name]?.trim());
	/** Refuses settings that something else would have to be set for. */
	function refuseWithout(needed: string, isOfIt: (name: string) => boolean): void {
		if (isSet(needed)) return;
		for (const name of Object.keys(environment).filter((name) => isOfIt(name) && isSet(name))) {
			problems.push(`${name} has no effect without ${needed}: set both, or neither.`);
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
			burst: read("WAITLIST_BURST_LIMIT", parseVisitorRate),
			global: read("WAITLIST_GLOBAL_LIMIT", parseRate),
		},
		timeZone: read("WAITLIST_TIME_ZONE", parseTimeZone),
		metricsPort: read("WAITLIST_METRICS_PORT", (text) =>
			text === "" ? undefined : parsePort(text),
		),
		drainMs: read("WAITLIST_DRAIN_SECONDS", parseDrain),
		erasureKey: read("WAITLIST_ERASURE_KEY", parseErasureKey),
		erasures: read("WAITLIST_ERASURES", (text) =>
			text === "" ? undefined : resolve(folder, text),
		),
		apiKeys: read("WAITLIST_API_KEY", parseApiKeys),
		mail: isSet("SMTP_URL")
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
		office: isSet("WAITLIST_OFFICE_PORT")
			? {
					port: read("WAITLIST_OFFICE_PORT", parseOfficePort),
					origin: read("WAITLIST_OFFICE_ORIGIN", parseOfficeOrigin),
				}
			: undefined,
		notify: isSet("WAITLIST_NOTIFY_URL") ? read("WAITLIST_NOTIFY_URL", parseTold) : undefined,
		webhook: isSet("WAITLIST_WEBHOOK_URL")
			? {
					url: read("WAITLIST_WEBHOOK_URL", parseTold),
					secrets: read("WAITLIST_WEBHOOK_SECRET", parseWebhookSecrets),
					body: read("WAITLIST_WEBHOOK_BODY", parseWebhookBody),
				}
			: undefined,
	};
	for (const name of Object.keys(environment)) {
		if (name.startsWith("WAITLIST_") && !Object.hasOwn(defaults, name)) {
			problems.push(`${name} is not a setting of this server.`);
		}
	}
	refuseWithout("SMTP_URL", (name) => /^WAITLIST_(?:MAIL|REPORTS)_/.test(name));
	refuseWithout("WAITLIST_OFFICE_PORT", (name) => name === "WAITLIST_OFFICE_ORIGIN");
	refuseWithout("WAITLIST_WEBHOOK_URL", (name) => /^WAITLIST_WEBHOOK_/.test(name));
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
