import { isIP } from "node:net";
import { resolve } from "node:path";
import { ipAddressRetentionHours } from "#shared/retention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time.ts";

/** The message continues a sentence that starts with the setting's name. */
export class InvalidSetting extends Error {
	constructor(expected: string, unlessSecret?: string) {
		const found = unlessSecret === undefined ? "" : `, but it is ${JSON.stringify(unlessSecret)}`;
		super(expected + found);
	}
}

export const LEAST_SECRET_CHARACTERS = 32;

export type ReadSetting = <Value>(name: string, parse: (text: string) => Value) => Value;

export type DatabaseSettings = { kind: "sqlite"; file: string } | { kind: "postgres"; url: string };

export function describeDatabase(database: DatabaseSettings): string {
	if (database.kind === "sqlite") return database.file;
	const { host, pathname, searchParams } = new URL(database.url);
	const server = host || searchParams.get("host") || "the default server";
	return `PostgreSQL at ${server}, database ${decodeURIComponent(pathname.slice(1)) || "(default)"}`;
}

export function parseDatabaseUrl(text: string, folder: string): DatabaseSettings {
	if (/^postgres(ql)?:\/\//.test(text)) {
		if (URL.canParse(text)) return { kind: "postgres", url: text };
		throw new InvalidSetting(
			"must be a PostgreSQL URL such as postgres://user:password@host:5432/database, with special " +
				"characters percent-encoded",
		);
	}
	if (!text.startsWith("file:")) {
		throw new InvalidSetting(
			"must be file: followed by the path of an SQLite file, such as file:data/waitlist.db, or a " +
				"postgres:// URL",
		);
	}
	const path = text.slice("file:".length);
	// Refuses `%20` and `file://data/x.db`: paths are not decoded, so they would silently name another file.
	if (path === "" || path.endsWith("/") || /^\/\/[^/]|[?#%\0]/.test(path) || path === ":memory:") {
		throw new InvalidSetting("must name a local file after file:, without ?, # or %", text);
	}
	return { kind: "sqlite", file: resolve(folder, path) };
}

export interface AdminSettings {
	port: number;
	origin: string | undefined;
}

export function parsePort(text: string, least: 0 | 1 = 0): number {
	if (/^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= 65535) return Number(text);
	throw new InvalidSetting(`must be a whole number from ${least} to 65535`, text);
}

export const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

/** Requires TLS: browsers send `Sec-Fetch-Site` only to secure origins, and the cookie is a secret. */
export function parseAdminOrigin(text: string): string | undefined {
	if (text === "") return undefined;
	const isSafe = /^https:|^http:\/\/(?:localhost|127\.0\.0\.1)(?::|$)/.test(text);
	if (isSafe && isOrigin(text)) return text;
	throw new InvalidSetting(
		"must be the admin pages' https origin without a path, such as https://admin.orbit.example, or " +
			"http://localhost:9000",
		text,
	);
}

export function parseTimeZone(text: string): string {
	// Loading the zone names takes 8 MB.
	if (text === "UTC") return text;
	try {
		return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
	} catch {
		throw new InvalidSetting("must be a time zone such as Europe/Berlin", text);
	}
}

export interface TrustedNetwork {
	address: string;
	prefix: number;
	family: "ipv4" | "ipv6";
}

/** Loopback, private (RFC 1918), shared (6598), link-local (3927, 4291) and unique local networks (4193). */
const PRIVATE =
	"127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,169.254.0.0/16,fe80::/10,fc00::/7";

export const parseNetworks = (text: string): TrustedNetwork[] =>
	text
		.split(",")
		.flatMap((item) => (item.trim() === "private" ? PRIVATE.split(",") : item.trim()))
		.filter((item) => item !== "")
		.map(parseNetwork);

function parseNetwork(text: string): TrustedNetwork {
	const [, address = "", digits] = /^([^/]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
	const version = isIP(address);
	const bits = version === 4 ? 32 : 128;
	const prefix = digits === undefined ? bits : Number(digits);
	if (version === 0 || prefix > bits) {
		throw new InvalidSetting(
			"must be comma-separated IP addresses or networks, such as 127.0.0.1, 10.0.0.0/8, or private " +
				`for all private networks, but one is ${JSON.stringify(text)}`,
		);
	}
	if (prefix === 0) {
		throw new InvalidSetting(`must not contain ${text}: any visitor could claim any IP address`);
	}
	return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

export function parseHeaderName(text: string): string {
	if (/^[a-z][a-z\d-]*$/i.test(text)) return text;
	throw new InvalidSetting(
		"must be the header in which trusted proxies send the visitor's IP address, such as " +
			"X-Forwarded-For or X-Real-IP",
		text,
	);
}

export interface Rate {
	count: number;
	periodMs: number;
}

export interface JoinLimits {
	/** Per IPv4 address or IPv6 /64: providers assign one to each customer. */
	address: Rate;
	/** Per IPv6 /48: hosting providers assign one to each customer. */
	network: Rate;
	/** Joins over `address` or `network` that are still accepted, but flagged. */
	burst: Rate;
	/** All bursts together, so that many networks cannot fill the disk. */
	allBursts: Rate;
}

const unitsMs: Record<string, number> = { s: 1000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

export function parseRate(text: string): Rate | undefined {
	if (text === "0") return undefined;
	const [, count, periods, unit] = /^([1-9]\d{0,8})\/([1-9]\d{0,3})([smhd])$/.exec(text) ?? [];
	if (!count || !periods || !unit) {
		throw new InvalidSetting(
			"must be a count and a period, such as 20/10m for 20 per ten minutes (s, m, h or d), " +
				"or 0 for no limit",
			text,
		);
	}
	return { count: Number(count), periodMs: Number(periods) * unitsMs[unit]! };
}

/** Rejects long periods: the limiter remembers an IP address for up to two of them. */
export function parseLimits(text: string): JoinLimits | undefined {
	const address = parseRate(text);
	if (!address) return undefined;
	if (2 * address.periodMs > ipAddressRetentionHours * HOUR_MS) {
		throw new InvalidSetting(
			`must have a period of at most ${ipAddressRetentionHours / 2} hours, because the privacy policy promises to ` +
				`forget IP addresses within ${ipAddressRetentionHours} hours`,
			text,
		);
	}
	const times = (factor: number) => ({ ...address, count: factor * address.count });
	const allBursts = { count: 1_000_000, periodMs: HOUR_MS };
	return { address, network: times(10), burst: times(100), allBursts };
}

export function parseWarmUp(text: string): readonly number[] | undefined {
	if (text === "") return undefined;
	const [, steps] = /^((?:[1-9]\d{0,8},)*[1-9]\d{0,8})\/1d$/.exec(text.replace(/\s/g, "")) ?? [];
	const counts = steps?.split(",").map(Number);
	if (counts?.every((count, n) => count > (counts[n - 1] ?? 0))) return counts;
	throw new InvalidSetting(
		"must be a list of increasing daily limits, such as 200,500,1000,2000,5000/1d",
		text,
	);
}

export function parseWebhookUrl(text: string): string {
	if (URL.canParse(text)) {
		const { protocol, hostname, username, password, hash, href } = new URL(text);
		const isLoopback = /^(?:localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
		const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback);
		if (isSafe && username === "" && password === "" && hash === "") return href;
	}
	throw new InvalidSetting(
		"must be an https URL without user, password or #, such as https://hooks.example/path; http is " +
			"only for this machine, such as http://127.0.0.1:4000/",
	);
}

export const maskWebhookUrl = (url: string) => `${new URL(url).origin}/… (hidden)`;

/** Returns one secret, or two during rotation, in base64. */
export function parseWebhookSecrets(text: string): string[] {
	const secrets = text.split(",").map((secret) => /^whsec_(.*)$/.exec(secret.trim())?.[1] ?? "");
	const isSecret = (base64: string) => {
		const bytes = Buffer.from(base64, "base64");
		// Node skips invalid base64, but receivers may not. Standard Webhooks 1.0 requires 24 to 64 bytes.
		return bytes.toString("base64") === base64 && bytes.length >= 24 && bytes.length <= 64;
	};
	if (secrets.length <= 2 && secrets.every(isSecret)) return secrets;
	throw new InvalidSetting(
		"must be whsec_ followed by the base64 of 24 to 64 bytes (use " +
			'echo "whsec_$(openssl rand -base64 32)"), or two of them separated by a comma',
	);
}

export function parseSecret(text: string): string {
	if (text.length >= LEAST_SECRET_CHARACTERS) return text;
	throw new InvalidSetting(
		`must be a secret of at least ${LEAST_SECRET_CHARACTERS} characters (use openssl rand -hex 32)`,
	);
}

export function parseApiKeys(text: string): string[] {
	if (text === "") return [];
	const keys = text.split(",").map((key) => key.trim());
	const isKey = (key: string) => key.length >= LEAST_SECRET_CHARACTERS && /^[!-~]+$/.test(key);
	if (keys.every(isKey) && keys.length <= 2) return keys;
	throw new InvalidSetting(
		`must be an ASCII secret of at least ${LEAST_SECRET_CHARACTERS} characters without spaces (use openssl rand ` +
			"-hex 32), or two separated by a comma",
	);
}
