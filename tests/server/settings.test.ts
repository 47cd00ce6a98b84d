import { describe, expect, it } from "vitest";
import { describeMailServer } from "../../src/server/settings/mail.ts";
import { defaults, describeDatabase, readSettings } from "../../src/server/settings.ts";

const settingsOf = (environment: Record<string, string>, built = "") => {
	try {
		return readSettings(environment, "/srv/orbit", built);
	} catch (error) {
		return { problems: (error as Error).message.split("\n") };
	}
};

describe("settings", () => {
	it("all have defaults", () => {
		expect(settingsOf({})).toEqual({
			host: "127.0.0.1",
			port: 3000,
			database: { kind: "sqlite", file: "/srv/orbit/data/waitlist.db" },
			trustedProxies: [],
			trustedHeader: "X-Forwarded-For",
			limits: {
				address: { count: 20, periodMs: 600_000 },
				network: { count: 200, periodMs: 600_000 },
				burst: { count: 2000, periodMs: 600_000 },
				global: { count: 1_000_000, periodMs: 3_600_000 },
			},
			timeZone: "UTC",
			metricsPort: undefined,
			secret: undefined,
			suppressionFile: undefined,
			apiKeys: [],
			mail: undefined,
			admin: undefined,
			digestUrl: undefined,
			webhook: undefined,
		});
	});

	it("are at most 22", () => {
		expect(Object.keys(defaults).length).toBeLessThanOrEqual(22);
	});

	it("treat an empty variable as absent", () => {
		expect(settingsOf({ HOST: "", PORT: " ", DATABASE_URL: "" })).toEqual(settingsOf({}));
	});

	it.each([
		["file:here.db", { kind: "sqlite", file: "/srv/orbit/here.db" }],
		["file:///var/lib/wait%20list.db", { kind: "sqlite", file: "/var/lib/wait list.db" }],
		[
			"postgresql:///waitlist?host=/run/postgresql",
			{ kind: "postgres", url: "postgresql:///waitlist?host=/run/postgresql" },
		],
	])("find the database of %s", (url, database) => {
		expect(settingsOf({ DATABASE_URL: url })).toMatchObject({ database });
	});

	it("read limits, proxies and the rest", () => {
		const settings = settingsOf({
			TRUSTED_PROXIES: "127.0.0.1, ::1,10.0.0.0/8,",
			TRUSTED_HEADER: "Fly-Client-IP",
			WAITLIST_ADDRESS_LIMIT: "5/12h",
			WAITLIST_METRICS_PORT: "9464",
			WAITLIST_ADMIN_PORT: "9465",
			WAITLIST_ADMIN_ORIGIN: "http://localhost:9000",
			WAITLIST_SECRET: "0123456789abcdef0123456789abcdef",
			WAITLIST_SUPPRESSION_FILE: "data/suppressions",
			WAITLIST_API_KEY: `${"a".repeat(32)}, ${"~!9/+=".repeat(6)}`,
		});
		expect(settings).toMatchObject({
			trustedProxies: [
				{ address: "127.0.0.1", prefix: 32, family: "ipv4" },
				{ address: "::1", prefix: 128, family: "ipv6" },
				{ address: "10.0.0.0", prefix: 8, family: "ipv4" },
			],
			trustedHeader: "Fly-Client-IP",
			limits: {
				address: { count: 5, periodMs: 12 * 3_600_000 },
				network: { count: 50, periodMs: 12 * 3_600_000 },
				burst: { count: 500, periodMs: 12 * 3_600_000 },
				global: { count: 1_000_000, periodMs: 3_600_000 },
			},
			metricsPort: 9464,
			admin: { port: 9465, origin: "http://localhost:9000" },
			secret: "0123456789abcdef0123456789abcdef",
			suppressionFile: "/srv/orbit/data/suppressions",
			apiKeys: ["a".repeat(32), "~!9/+=".repeat(6)],
		});
	});

	it.each([
		[
			{ WAITLIST_ADMIN_PORT: "9465", WAITLIST_ADMIN_ORIGIN: "http://admin.orbit.example" },
			'WAITLIST_ADMIN_ORIGIN must be the origin at which a browser opens the admin pages, by https and without a path, as in https://admin.orbit.example, or http://localhost:9000, but it is "http://admin.orbit.example".',
		],
		[{ PORT: "65536" }, 'PORT must be a whole number from 0 to 65535, but it is "65536".'],
		[
			{ DATABASE_URL: "postgres://orbit:se[ret@" },
			"DATABASE_URL must be a whole PostgreSQL address, as in postgres://user:password@host:5432/database (with %-escapes for signs that URLs use).",
		],
		[
			{ TRUSTED_PROXIES: "127.0.0.1, nginx" },
			'TRUSTED_PROXIES must be IP addresses or networks with commas between them, as in 127.0.0.1, 10.0.0.0/8, or private for all networks that the internet does not route, but one is "nginx".',
		],
		[
			{ TRUSTED_PROXIES: "0.0.0.0/0" },
			"TRUSTED_PROXIES must not hold 0.0.0.0/0: everybody could claim to be anybody.",
		],
		[
			{ WAITLIST_ADDRESS_LIMIT: "20/13h" },
			'WAITLIST_ADDRESS_LIMIT must have a period of 12 hours at most, because the privacy policy says that IP addresses are forgotten within 24 hours, but it is "20/13h".',
		],
		[
			{ WAITLIST_TIME_ZONE: "Moon/Base" },
			'WAITLIST_TIME_ZONE must be the name of a time zone, as in Europe/Berlin, but it is "Moon/Base".',
		],
		[
			{ WAITLIST_SECRET: "hunter2" },
			"WAITLIST_SECRET must be a secret of at least 32 characters, as openssl rand -hex 32 makes one.",
		],
		[{ WAITLIST_PORT: "1" }, "WAITLIST_PORT is not a setting of this server."],
	])("refuse %j in one sentence", (environment, problem) => {
		expect(settingsOf(environment as Record<string, string>)).toEqual({ problems: [problem] });
	});

	it.each([
		"hunter2",
		`${"a".repeat(32)},${"b".repeat(31)}`,
		`${"a".repeat(32)},${"b".repeat(32)},${"c".repeat(32)}`,
		"ä".repeat(32),
	])("refuse the key %s without repeating it", (WAITLIST_API_KEY) => {
		expect(settingsOf({ WAITLIST_API_KEY })).toEqual({
			problems: [
				"WAITLIST_API_KEY must be one secret of at least 32 characters, as openssl rand -hex 32 makes one, or two with a comma between them, each of letters, digits and signs of ASCII.",
			],
		});
	});

	it("are described without the password", () => {
		const describe = (url: string) => describeDatabase({ kind: "postgres", url });
		expect(describe("postgres://orbit:secret@db.example:5432/wait%20list?password=secret")).toBe(
			"PostgreSQL at db.example:5432, database wait list",
		);
		expect(describe("postgres:///waitlist?host=/run/postgresql")).toBe(
			"PostgreSQL at /run/postgresql, database waitlist",
		);
	});
});

const PASSWORD = "s:e/c@r%t";
const emails = {
	SMTP_URL: `smtps://apikey:${encodeURIComponent(PASSWORD)}@smtp.example`,
	WAITLIST_MAIL_FROM: "Orbit <hello@orbit.example>",
	SITE_ORIGIN: "https://orbit.example",
};
const mailOf = (changes: Record<string, string>, built?: string) => {
	const read = settingsOf({ ...emails, ...changes }, built);
	return "problems" in read ? read : read.mail;
};

describe("settings of emails", () => {
	it("name the server, the sender and the site", () => {
		expect(mailOf({})).toEqual({
			server: {
				host: "smtp.example",
				port: 465,
				implicitTls: true,
				login: { user: "apikey", password: PASSWORD },
			},
			from: { name: "Orbit", address: "hello@orbit.example" },
			rate: { count: 100, periodMs: 3_600_000 },
			origin: "https://orbit.example",
			feedback: {},
		});
	});

	it("may be a rate and a server that asks for no password", () => {
		expect(mailOf({ SMTP_URL: "smtp://[::1]:2525/", WAITLIST_MAIL_RATE: "0" })).toMatchObject({
			server: { host: "::1", port: 2525, implicitTls: false, login: undefined },
			rate: undefined,
		});
		expect(mailOf({ WAITLIST_MAIL_WARM_UP: "200, 500,1000/1d" })).toMatchObject({
			ramp: [200, 500, 1000],
		});
		expect(mailOf({ SMTP_URL: "smtp://mail.bücher.example" })).toMatchObject({
			server: { host: "mail.xn--bcher-kva.example", port: 587 },
		});
	});

	it.each([
		["hello@orbit.example", "", "hello@orbit.example"],
		['"Orbit, Inc. \\"Mail\\"" <hello@orbit.example>', 'Orbit, Inc. "Mail"', "hello@orbit.example"],
		["Jörg & Söhne <hello@söhne.example>", "Jörg & Söhne", "hello@xn--shne-5qa.example"],
	])("read the sender %s", (text, name, address) => {
		expect(mailOf({ WAITLIST_MAIL_FROM: text })).toMatchObject({ from: { name, address } });
	});

	it.each([
		"smtp.example",
		"smtp://apikey@smtp.example",
		`smtp://apikey:%zz${PASSWORD}@smtp.example`,
		`smtp://apikey:%0d%0aRSET${encodeURIComponent(PASSWORD)}@smtp.example`,
		"smtp://smtp.example?secure=true",
		"smtp://smtp.example:99999",
		"smtp://smtp.example:0",
	])("refuse the server %s without repeating it", (url) => {
		expect(mailOf({ SMTP_URL: url })).toEqual({
			problems: [
				"SMTP_URL must be a whole SMTP address, as in smtps://user:password@smtp.example:465 or smtp://user:password@smtp.example:587, with %-escapes for signs that URLs use, without a path, and with both user and password or neither.",
			],
		});
	});

	it.each([
		[
			{ WAITLIST_MAIL_FROM: "Orbit\r\nBcc: eve@example.com <hello@orbit.example>" },
			'WAITLIST_MAIL_FROM must be the address that emails come from, as in Orbit <hello@orbit.example> or hello@orbit.example, because SMTP_URL is set, but it is "Orbit\\r\\nBcc: eve@example.com <hello@orbit.example>".',
		],
		[
			{ WAITLIST_MAIL_WARM_UP: "500,200/1d" },
			'WAITLIST_MAIL_WARM_UP must be emails a day that rise from step to step, as in 200,500,1000,2000,5000/1d, but it is "500,200/1d".',
		],
		[
			{ SITE_ORIGIN: "https://orbit.example/" },
			'SITE_ORIGIN must be the origin that emails link to, by https and without a path, as in https://orbit.example, because SMTP_URL is set, but it is "https://orbit.example/".',
		],
	])("refuse %j in one sentence", (changes, problem) => {
		expect(mailOf(changes as Record<string, string>)).toEqual({ problems: [problem] });
	});

	it("take the origin that the site was built with, and refuse two", () => {
		expect(mailOf({ SITE_ORIGIN: "" }, "https://built.example")).toMatchObject({
			origin: "https://built.example",
		});
		expect(mailOf({}, "https://built.example")).toEqual({
			problems: [
				'SITE_ORIGIN is "https://orbit.example", but the site was built with "https://built.example": build it again, or set both to the same.',
			],
		});
	});

	it("are described without user and password", () => {
		const described = [emails.SMTP_URL, "smtp://[::1]:25"].map((url) => {
			const mail = mailOf({ SMTP_URL: url });
			return mail && "server" in mail && describeMailServer(mail.server);
		});
		expect(described).toEqual([
			"smtps://smtp.example:465, user and password set (hidden)",
			"smtp://[::1]:25, without a password",
		]);
	});
});
