import { resolve } from "node:path";
import { builtOrigin } from "#shared/built-origin.ts";
import { describeMailServer, readMailSettings } from "./settings/mail.ts";
import * as values from "./settings/values.ts";

export type { MailSettings } from "./settings/mail.ts";
export { type DatabaseSettings, describeDatabase, type JoinLimits } from "./settings/values.ts";

export type Settings = ReturnType<typeof readSettings>;

export const defaultSettings = {
	HOST: "127.0.0.1",
	PORT: "3000",
	DATABASE_URL: "file:data/waitlist.db",
	SITE_ORIGIN: "",
	TRUSTED_PROXIES: "",
	TRUSTED_HEADER: "X-Forwarded-For",
	SMTP_URL: "",
	WAITLIST_MAIL_FROM: "",
	WAITLIST_SEND_RATE: "100/1h",
	WAITLIST_WARMUP: "",
	WAITLIST_FEEDBACK: "",
	WAITLIST_API_KEY: "",
	WAITLIST_ADMIN_PORT: "",
	WAITLIST_ADMIN_ORIGIN: "",
	WAITLIST_TIME_ZONE: "UTC",
	WAITLIST_DIGEST_URL: "",
	WAITLIST_WEBHOOK_URL: "",
	WAITLIST_WEBHOOK_SECRET: "",
	WAITLIST_ADDRESS_LIMIT: "20/10m",
	WAITLIST_METRICS_PORT: "",
	WAITLIST_SECRET: "",
	WAITLIST_SUPPRESSION_FILE: "",
};

type Name = keyof typeof defaultSettings;
type Environment = Readonly<Record<string, string | undefined>>;

/** Each setting on the left is required by settings with the prefix on the right. */
const needs = [
	["SMTP_URL", "WAITLIST_MAIL_FROM"],
	["SMTP_URL", "WAITLIST_SEND_RATE"],
	["SMTP_URL", "WAITLIST_WARMUP"],
	["SMTP_URL", "WAITLIST_FEEDBACK"],
	["WAITLIST_ADMIN_PORT", "WAITLIST_ADMIN_ORIGIN"],
	["WAITLIST_WEBHOOK_URL", "WAITLIST_WEBHOOK_"],
] as const;

/** @throws Error that names all problems, one sentence per line */
export function readSettings(environment: Environment, folder: string, built = builtOrigin) {
	const problems: string[] = [];
	const isSet = (name: string) => Boolean(environment[name]?.trim());
	const read: values.ReadSetting = (name, parse) => {
		try {
			return parse(environment[name]?.trim() || defaultSettings[name as Name]);
		} catch (error) {
			if (!(error instanceof values.InvalidSetting)) throw error;
			problems.push(`${name} ${error.message}.`);
			return undefined as never;
		}
	};
	const readIfSet = <Value>(name: Name, parse: (text: string) => Value) =>
		isSet(name) ? read(name, parse) : undefined;

	const settings = {
		host: read("HOST", (text) => text),
		port: read("PORT", values.parsePort),
		database: read("DATABASE_URL", (text) => values.parseDatabaseUrl(text, folder)),
		trustedProxies: read("TRUSTED_PROXIES", values.parseNetworks),
		trustedHeader: read("TRUSTED_HEADER", values.parseHeaderName),
		limits: read("WAITLIST_ADDRESS_LIMIT", values.parseLimits),
		timeZone: read("WAITLIST_TIME_ZONE", values.parseTimeZone),
		metricsPort: readIfSet("WAITLIST_METRICS_PORT", values.parsePort),
		/** Set only if the key is not in a file next to the database. */
		secret: readIfSet("WAITLIST_SECRET", values.parseSecret),
		suppressionFile: readIfSet("WAITLIST_SUPPRESSION_FILE", (text) => resolve(folder, text)),
		apiKeys: read("WAITLIST_API_KEY", values.parseApiKeys),
		mail: isSet("SMTP_URL") ? readMailSettings(read, built) : undefined,
		admin: isSet("WAITLIST_ADMIN_PORT")
			? {
					// Not 0: the command that prints the sign-in link must know the port.
					port: read("WAITLIST_ADMIN_PORT", (text) => values.parsePort(text, 1)),
					origin: read("WAITLIST_ADMIN_ORIGIN", values.parseAdminOrigin),
				}
			: undefined,
		digestUrl: readIfSet("WAITLIST_DIGEST_URL", values.parseWebhookUrl),
		webhook: isSet("WAITLIST_WEBHOOK_URL")
			? {
					url: read("WAITLIST_WEBHOOK_URL", values.parseWebhookUrl),
					secrets: read("WAITLIST_WEBHOOK_SECRET", values.parseWebhookSecrets),
				}
			: undefined,
	};
	for (const name of Object.keys(environment)) {
		if (name.startsWith("WAITLIST_") && !Object.hasOwn(defaultSettings, name)) {
			problems.push(`${name} is not a setting: check the spelling, or remove it.`);
		}
		for (const [needed, start] of needs) {
			if (!name.startsWith(start) || !isSet(name) || isSet(needed)) continue;
			problems.push(`${name} has no effect without ${needed}: set both, or neither.`);
		}
	}
	if (problems.length > 0) throw new Error(problems.join("\n"));
	return settings;
}

const SECRETS: readonly string[] = [
	"WAITLIST_SECRET",
	"WAITLIST_API_KEY",
	"WAITLIST_FEEDBACK",
	"WAITLIST_DIGEST_URL",
	"WAITLIST_WEBHOOK_URL",
	"WAITLIST_WEBHOOK_SECRET",
] satisfies Name[];

export function describeSettings(
	environment: Environment,
	{ database, mail }: Settings,
): Record<string, string> {
	const described = Object.entries(defaultSettings).map(([name, usual]) => {
		const value = environment[name]?.trim() || usual;
		if (value === "") return [name, "not set"];
		return [name, SECRETS.includes(name) ? "set (hidden)" : value];
	});
	return {
		...Object.fromEntries(described),
		DATABASE_URL: values.describeDatabase(database),
		...(mail && { SMTP_URL: describeMailServer(mail.server), SITE_ORIGIN: mail.origin }),
	};
}

export const readListenAddress = (
	{ HOST, PORT }: Environment,
	defaultPort: number,
): Pick<Settings, "host" | "port"> =>
	readSettings({ HOST, PORT: PORT?.trim() || String(defaultPort) }, "");
