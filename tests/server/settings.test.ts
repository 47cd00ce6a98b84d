import { expect, it } from "vitest";
import { defaultSettings, readSettings } from "../../src/server/settings.ts";

const settingsOf = (environment: Record<string, string>, built = "") => {
	try {
		return readSettings(environment, "/srv/orbit", built);
	} catch (error) {
		return { problems: (error as Error).message.split("\n") };
	}
};

const KEY = "0123456789abcdef0123456789abcdef";
const PASSWORD = "s:e/c@r%t";
const mail = {
	SMTP_URL: `smtps://apikey:${encodeURIComponent(PASSWORD)}@smtp.example`,
	WAITLIST_MAIL_FROM: "Orbit <hello@orbit.example>",
	SITE_ORIGIN: "https://orbit.example",
};
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 0xfb).toString("base64")}`;
const hook = "https://events.example/orbit?key=1";
const webhook = { WAITLIST_WEBHOOK_URL: hook, WAITLIST_WEBHOOK_SECRET: secretOf(32) };
const complete = { ...mail, ...webhook, WAITLIST_ADMIN_PORT: "9465" };

const allBursts = { count: 1_000_000, periodMs: 3_600_000 };

it("settings all have defaults, and are at most 22", () => {
	expect(Object.keys(defaultSettings).length).toBeLessThanOrEqual(22);
	const ten = (count: number) => ({ count, periodMs: 600_000 });
	expect(settingsOf({})).toEqual({
		host: "127.0.0.1",
		port: 3000,
		database: { kind: "sqlite", file: "/srv/orbit/data/waitlist.db" },
		trustedProxies: [],
		trustedHeader: "X-Forwarded-For",
		limits: { address: ten(20), network: ten(200), burst: ten(2000), allBursts },
		timeZone: "UTC",
		apiKeys: [],
	});
	expect(settingsOf({ HOST: "", PORT: " ", DATABASE_URL: "" })).toEqual(settingsOf({}));
});

it.each([
	["file:here.db", { kind: "sqlite", file: "/srv/orbit/here.db" }],
	["file:///var/lib/waitlist.db", { kind: "sqlite", file: "/var/lib/waitlist.db" }],
	[
		"postgresql:///waitlist?host=/run/postgresql",
		{ kind: "postgres", url: "postgresql:///waitlist?host=/run/postgresql" },
	],
])("settings find the database of %s", (url, database) => {
	expect(settingsOf({ DATABASE_URL: url })).toMatchObject({ database });
});

it("settings read limits, proxies and the rest", () => {
	const half = (count: number) => ({ count, periodMs: 12 * 3_600_000 });
	const settings = settingsOf({
		TRUSTED_PROXIES: "127.0.0.1, ::1,10.0.0.0/8,",
		TRUSTED_HEADER: "Fly-Client-IP",
		WAITLIST_ADDRESS_LIMIT: "5/12h",
		WAITLIST_METRICS_PORT: "9464",
		WAITLIST_ADMIN_PORT: "9465",
		WAITLIST_ADMIN_ORIGIN: "http://localhost:9000",
		WAITLIST_SECRET: KEY,
		WAITLIST_SUPPRESSION_FILE: "data/suppressions",
		WAITLIST_API_KEY: `${"a".repeat(32)}, ${"~!9/+=".repeat(6)}`,
		WAITLIST_DIGEST_URL: "http://localhost:4000/x",
		...webhook,
	});
	expect(settings).toMatchObject({
		trustedProxies: [
			{ address: "127.0.0.1", prefix: 32, family: "ipv4" },
			{ address: "::1", prefix: 128, family: "ipv6" },
			{ address: "10.0.0.0", prefix: 8, family: "ipv4" },
		],
		trustedHeader: "Fly-Client-IP",
		limits: { address: half(5), network: half(50), burst: half(500), allBursts },
		metricsPort: 9464,
		admin: { port: 9465, origin: "http://localhost:9000" },
		secret: KEY,
		suppressionFile: "/srv/orbit/data/suppressions",
		apiKeys: ["a".repeat(32), "~!9/+=".repeat(6)],
		digestUrl: "http://localhost:4000/x",
		webhook: { url: hook, secrets: [secretOf(32).slice("whsec_".length)] },
	});
	const two = { ...webhook, WAITLIST_WEBHOOK_SECRET: `${secretOf(24)}, ${secretOf(64)}` };
	expect(settingsOf(two)).toMatchObject({ webhook: { secrets: { length: 2 } } });
});

it.each([
	["WAITLIST_WEBHOOK_SECRET", "WAITLIST_WEBHOOK_URL"],
	["WAITLIST_FEEDBACK", "SMTP_URL"],
	["WAITLIST_SEND_RATE", "SMTP_URL"],
	["WAITLIST_ADMIN_ORIGIN", "WAITLIST_ADMIN_PORT"],
])("settings that need another are refused without it: %s without %s", (name, needed) => {
	expect(settingsOf({ [name]: "x" })).toEqual({
		problems: [`${name} has no effect without ${needed}: set both, or neither.`],
	});
});

const requireMail = (changes: Record<string, string>, built?: string) => {
	const read = settingsOf({ ...mail, ...changes }, built);
	return "problems" in read ? undefined : read.mail;
};

it("settings of email name the server, the sender and the site", () => {
	expect(requireMail({})).toEqual({
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
	const built = "https://built.example";
	expect(requireMail({ SITE_ORIGIN: "" }, built)).toMatchObject({ origin: built });
});

it("settings of email include a rate, a warm-up and a server without a password", () => {
	expect(requireMail({ SMTP_URL: "smtp://[::1]:2525/", WAITLIST_SEND_RATE: "0" })).toMatchObject({
		server: { host: "::1", port: 2525, implicitTls: false, login: undefined },
		rate: undefined,
	});
	expect(requireMail({ WAITLIST_WARMUP: "200, 500,1000/1d" })).toMatchObject({
		warmUp: [200, 500, 1000],
	});
	expect(requireMail({ SMTP_URL: "smtp://mail.bücher.example" })).toMatchObject({
		server: { host: "mail.xn--bcher-kva.example", port: 587 },
	});
});

it.each([
	["hello@orbit.example", "", "hello@orbit.example"],
	['"Orbit, Inc." <hello@orbit.example>', "Orbit, Inc.", "hello@orbit.example"],
	["Jörg & Söhne <hello@söhne.example>", "Jörg & Söhne", "hello@xn--shne-5qa.example"],
])("settings of email read the sender %s", (text, name, address) => {
	expect(requireMail({ WAITLIST_MAIL_FROM: text })).toMatchObject({ from: { name, address } });
});

it("settings of email name one or more feedback providers, and the certificate host of SES", () => {
	const feedbackOf = (text: string) => requireMail({ WAITLIST_FEEDBACK: text })!.feedback;
	expect(feedbackOf(`resend:whsec_${KEY}`)).toEqual({ resend: KEY });
	expect(feedbackOf(`postmark:orbit:${KEY}:x, mailgun:${KEY}`)).toEqual({
		postmark: { user: "orbit", password: `${KEY}:x` },
		mailgun: KEY,
	});
	for (const [arn, host] of [
		["arn:aws:sns:eu-west-1:123456789012:emails", "sns.eu-west-1.amazonaws.com"],
		["arn:aws-cn:sns:cn-north-1:123456789012:emails", "sns.cn-north-1.amazonaws.com.cn"],
	]) {
		expect(feedbackOf(`ses:${arn}`)).toEqual({ ses: { arn, host } });
	}
});

const problemsOf = (environment: Record<string, string>, built?: string) =>
	(settingsOf(environment, built) as { problems?: string[] }).problems;

it.each([
	["WAITLIST_ADMIN_ORIGIN", "http://admin.orbit.example", "must be the admin pages' https origin"],
	["DATABASE_URL", "file://data/waitlist.db", "must name a local file after file:"],
	["PORT", "65536", "must be a whole number from 0 to 65535, but"],
	["WAITLIST_ADDRESS_LIMIT", "20/13h", "must have a period of at most 12 hours, because"],
	["WAITLIST_TIME_ZONE", "Moon/Base", "must be a time zone such as Europe/Berlin, but"],
	["WAITLIST_MAIL_FROM", "A\r\nBcc: b@c.d <a@b.c>", "must be the sender's address (required with"],
	["WAITLIST_WARMUP", "500,200/1d", "must be a list of increasing daily limits"],
	["SITE_ORIGIN", "https://orbit.example/", "must be the https origin that emails link to"],
	["TRUSTED_PROXIES", "nginx", "must be comma-separated IP addresses or networks"],
])("an unusable value of %s is repeated in one sentence: %s", (name, value, start) => {
	const [problem, ...others] = problemsOf({ ...complete, [name]: value })!;
	expect(others).toEqual([]);
	expect(problem!.startsWith(`${name} ${start}`), problem).toBe(true);
	expect(problem!.endsWith(` is ${JSON.stringify(value)}.`), problem).toBe(true);
});

it("an unusable value is an unknown setting, a proxy network of all addresses, or an origin other than the build's", () => {
	expect(problemsOf({ WAITLIST_PORT: "1" })).toEqual([
		"WAITLIST_PORT is not a setting: check the spelling, or remove it.",
	]);
	expect(problemsOf({ TRUSTED_PROXIES: "0.0.0.0/0" })).toEqual([
		"TRUSTED_PROXIES must not contain 0.0.0.0/0: any visitor could claim any IP address.",
	]);
	expect(problemsOf(mail, "https://built.example")).toEqual([
		'SITE_ORIGIN is "https://orbit.example", but the site was built with "https://built.example": rebuild it, or set both to the same origin.',
	]);
});

const hooks = ["http://events.example/", "http://127.0.0.1.evil.example/", "events.example"];
hooks.push("https://user:hidden@events.example/", "https://events.example/#hidden");
const keys = ["hunter2", "ä".repeat(32), `${KEY},${KEY.slice(1)}`, `${KEY},${KEY},${KEY}`];
const secrets = ["", `v1,${secretOf(32)}`, secretOf(23), secretOf(32).slice(0, -1)];
secrets.push("whsec_0123456789abcdef-0123456789abcdef", Array(3).fill(secretOf(32)).join());
const servers = ["mx.example", "smtp://apikey@mx.example", "smtp://mx.example?secure=true"];
servers.push(`smtp://apikey:%zz${PASSWORD}@mx.example`, "smtp://mx.example:99999");
servers.push(`smtp://apikey:%0d%0aRSET${encodeURIComponent(PASSWORD)}@mx.example`);
servers.push("smtp://mx.example:0");
const ses = ["aws:sns:evil.example/eu-west-1:123456789012", "aws:sns:eu-west-1:12345"];
ses.push("constructor:sns:eu-west-1:123456789012");
it.each<[string, string, string[]]>([
	["DATABASE_URL", "must be a PostgreSQL URL such as", ["postgres://orbit:se[ret@"]],
	["WAITLIST_SECRET", "must be a secret of at least 32 characters ", ["hunter2"]],
	["WAITLIST_API_KEY", "must be an ASCII secret of at least 32 characters", keys],
	["SMTP_URL", "must be an SMTP URL such as", servers],
	["WAITLIST_DIGEST_URL", "must be an https URL without user", hooks],
	["WAITLIST_WEBHOOK_URL", "must be an https URL without user", hooks],
	["WAITLIST_WEBHOOK_SECRET", "must be whsec_ followed by the base64 of 24 to 64 bytes", secrets],
	["WAITLIST_FEEDBACK", "must start with a mail provider", [KEY, "constructor:x"]],
	["WAITLIST_FEEDBACK", "must be ses: followed by ", ses.map((arn) => `ses:arn:${arn}:emails`)],
	[
		"WAITLIST_FEEDBACK",
		"must be postmark: followed by ",
		[`postmark:${KEY}-a`, "postmark:orbit:short"],
	],
	["WAITLIST_FEEDBACK", "must be resend: followed by ", [`resend:${KEY}-secret`]],
	["WAITLIST_FEEDBACK", "must be mailgun: followed by ", ["mailgun:hunter2"]],
])("an unusable value of %s is refused without repeating it: %s", (name, start, values) => {
	for (const value of values) {
		const problems = problemsOf({ ...complete, [name]: value });
		expect(problems, value).toEqual([expect.stringMatching(`^${name} ${start}.*\\.$`)]);
		if (value) expect(problems![0]).not.toContain(value);
	}
});
