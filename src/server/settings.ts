import { isIP } from "node:net";
import { resolve } from "node:path";
import { domainToASCII, fileURLToPath } from "node:url";
import { builtOrigin } from "#shared/built-origin.ts";
import { canonicalEmail } from "#shared/email.ts";
import { addressHours } from "#shared/retention.ts";

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
	/** The keys of the product's own server, which redeems invitations. None: nobody can. */
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
	/** The address that bounces come back to, with the letter's id put in. Undefined: `from`'s own. */
	bounces: string | undefined;
	/** Origin of the links in letters, by https: `https://orbit.example`. */
	origin: string;
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
	WAITLIST_MAIL_BOUNCES: "",
	SITE_ORIGIN: "",
};

/** A variable has an unusable value. The message continues a sentence that starts with its name. */
class Unusable extends Error {}

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
		trustedProxies: read("TRUSTED_PROXIES", parseNetworks),
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
		erasureKey: read("WAITLIST_ERASURE_KEY", parseKey),
		erasures: read("WAITLIST_ERASURES", (text) =>
			text === "" ? undefined : resolve(folder, text),
		),
		apiKeys: read("WAITLIST_API_KEY", parseApiKeys),
		mail: environment.SMTP_URL?.trim()
			? {
					server: read("SMTP_URL", parseSmtpUrl),
					from: read("WAITLIST_MAIL_FROM", parseFrom),
					rate: read("WAITLIST_MAIL_RATE", parseRate),
					bounces: read("WAITLIST_MAIL_BOUNCES", parseBounces),
					origin: read("SITE_ORIGIN", (text) => parseOrigin(text, built)),
				}
			: undefined,
	};
	for (const name of Object.keys(environment)) {
		if (name.startsWith("WAITLIST_") && !Object.hasOwn(defaults, name)) {
			problems.push(`${name} is not a setting of this server.`);
		}
		if (name.startsWith("WAITLIST_MAIL_") && environment[name]?.trim() && !settings.mail) {
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

/** Names a mail server for people, without who signs in: some providers' user names are secrets. */
export function describeMailServer({ host, port, implicitTls, login }: MailServer): string {
	const address = `${implicitTls ? "smtps" : "smtp"}://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
	return login ? `${address}, user and password set (hidden)` : `${address}, without a password`;
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

function parseNetworks(text: string): Network[] {
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
				"or private for all networks that the internet does not route, " +
				`but one is ${JSON.stringify(text)}`,
		);
	}
	if (prefix === 0) {
		throw new Unusable(
			`must not hold ${text}: whoever is trusted may claim to be anybody, and that is everybody`,
		);
	}
	return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

function parseHeader(text: string): string {
	if (/^[a-z][a-z\d-]*$/i.test(text)) return text;
	throw new Unusable(
		"must be the name of the header in which trusted proxies name the visitor, as in " +
			`X-Forwarded-For or X-Real-IP, but it is ${JSON.stringify(text)}`,
	);
}

const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function parseRate(text: string): Rate | undefined {
	if (text === "0") return undefined;
	const [, count, periods, unit] = /^([1-9]\d{0,8})\/([1-9]\d{0,3})([smhd])$/.exec(text) ?? [];
	if (!count || !periods || !unit) {
		throw new Unusable(
			"must be a number and a period, as in 20/10m for 20 in ten minutes (s, m, h or d), " +
				`or 0 for no limit, but it is ${JSON.stringify(text)}`,
		);
	}
	return { count: Number(count), periodMs: Number(periods) * unitsMs[unit]! };
}

/** The limiter holds an address for up to two periods: see meter.ts. */
function parseVisitorRate(text: string): Rate | undefined {
	const rate = parseRate(text);
	if (!rate || 2 * rate.periodMs <= addressHours * unitsMs.h!) return rate;
	throw new Unusable(
		`must have a period of ${addressHours / 2} hours at most, because the privacy policy says that ` +
			`IP addresses are forgotten within ${addressHours} hours, but it is ${JSON.stringify(text)}`,
	);
}

function parseDrain(text: string): number {
	if (/^[0-5]$/.test(text)) return Number(text) * 1000;
	throw new Unusable(
		`must be a whole number of seconds from 0 to 5, but it is ${JSON.stringify(text)}`,
	);
}

/** So many characters are too many for anyone to try all secrets. */
export const LEAST_KEY_CHARACTERS = 32;

/** The message does not repeat the value. */
function parseKey(text: string): string | undefined {
	if (text === "") return undefined;
	if (text.length >= LEAST_KEY_CHARACTERS) return text;
	throw new Unusable(
		`must be a secret of at least ${LEAST_KEY_CHARACTERS} characters, as openssl rand -hex 32 makes one`,
	);
}

/** One key, or two while the product's server changes from one to the other. */
const MOST_API_KEYS = 2;

/** What a header can hold, without the comma. */
const API_KEY = /^[!-+\--~]+$/;

/** The message does not repeat the value. */
function parseApiKeys(text: string): string[] {
	if (text === "") return [];
	const keys = text.split(",").map((key) => key.trim());
	const usable = keys.every((key) => key.length >= LEAST_KEY_CHARACTERS && API_KEY.test(key));
	if (usable && keys.length <= MOST_API_KEYS) return keys;
	throw new Unusable(
		`must be one secret of at least ${LEAST_KEY_CHARACTERS} characters, as openssl rand -hex 32 makes one, ` +
			"or two with a comma between them, each of letters, digits and signs of ASCII",
	);
}

/** Ports for submission: with STARTTLS (RFC 6409, 3.1), and with TLS from the start (RFC 8314, 3.3). */
const SMTP_PORTS: Record<string, number> = { "smtp:": 587, "smtps:": 465 };

/** The message does not repeat the value: it holds a password. */
function parseSmtpUrl(text: string): MailServer {
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
		: domainToASCII(decode(url.hostname, unusable));
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

function parseFrom(text: string): Mailbox {
	const [, named = "", inner = text] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? [];
	const name = named
		.trim()
		.replace(/^"(.*)"$/, "$1")
		.replace(/\\(.)/g, "$1");
	const address = asciiAddress(inner);
	if (address !== undefined && !/\p{Cc}/u.test(name)) return { name, address };
	throw new Unusable(
		"must be the address that letters come from, as in Orbit <hello@orbit.example> or " +
			"hello@orbit.example, because SMTP_URL is set" +
			(text === "" ? "" : `, but it is ${JSON.stringify(text)}`),
	);
}

/** So much of a local part's 64 octets is left beside a letter's id and code: see links.ts. */
const BOUNCES_LOCAL_PART_MAX = 14;

function parseBounces(text: string): string | undefined {
	if (text === "") return undefined;
	const address = asciiAddress(text);
	if (address !== undefined && address.indexOf("@") <= BOUNCES_LOCAL_PART_MAX) return address;
	throw new Unusable(
		`must be an address with at most ${BOUNCES_LOCAL_PART_MAX} characters before the at sign, as in ` +
			`bounces@orbit.example, but it is ${JSON.stringify(text)}`,
	);
}

/** An address that any mail server understands, with the domain in its ASCII spelling. */
function asciiAddress(text: string): string | undefined {
	const checked = canonicalEmail(text, domainToASCII);
	if ("error" in checked) return undefined;
	const local = checked.email.slice(0, checked.email.indexOf("@"));
	if (!/^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(local)) return undefined;
	return local + checked.key.slice(checked.key.indexOf("@"));
}

/** Letters and pages must lead to the same site: what the build was told counts as well. */
function parseOrigin(text: string, built: string): string {
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
		"must be the origin that letters link to, by https and without a path, as in " +
			"https://orbit.example, because SMTP_URL is set" +
			(origin === "" ? "" : `, but it is ${JSON.stringify(origin)}`),
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
