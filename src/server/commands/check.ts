import { Resolver } from "node:dns/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { canonicalEmail } from "#shared/email.ts";
import { asciiDomain } from "../ascii-domain.ts";
import type { Finding } from "../database/database.ts";
import { sentenceOf } from "../files/files.ts";
import { checkMail } from "../mail/smtp/check-mail.ts";
import type { Operation } from "../registrations/operation.ts";
import { countRegistrations } from "../registrations/people.ts";
import { checkProofs } from "../registrations/proofs/check-proofs.ts";
import { inOrderOfKey, mendTimes } from "../registrations/registrations.ts";
import { describeMailServer } from "../settings/mail.ts";
import { describeTold } from "../settings/telling.ts";
import { type defaults, describeDatabase, readSettings, type Settings } from "../settings.ts";
import { latestCredible } from "../time.ts";
import { lastBackup } from "../transfer/last-backup.ts";
import { beforeTheWave } from "../waves/launch.ts";
import { checkReceiver } from "../webhooks/check-receiver.ts";
import { EXIT, JSON_HELP, print, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist check`: whether everything is as it should be. */
export function addCheck(program: Command): void {
	program
		.command("check")
		.description("check integrity, durability, disk, clock, every row, and show the settings")
		.option(
			"--mend",
			"first give now as the time to those who joined in the future, by a wrong clock",
		)
		.option("--mail", "also check the mail server and what DNS says about letters: sends nothing")
		.addOption(
			new Option("--launch", "also check --mail, and whatever else a first wave needs").implies({
				mail: true,
			}),
		)
		.addOption(
			new Option("--selector <name>", "the name of your DKIM key, to check it").implies({
				mail: true,
			}),
		)
		.addOption(
			new Option("--resolver <address>", "the DNS server to ask, as in 127.0.0.1:53")
				.argParser(parseResolver)
				.implies({ mail: true }),
		)
		.option("--json", JSON_HELP)
		.action(async ({ mend = false, mail = false, launch = false, selector, resolver, json }) => {
			const settings = readSettings(process.env, process.cwd());
			const findings: Finding[] = [];
			const ofWave: Finding[] = [];
			try {
				await withDatabase(async (operation) => {
					if (mend) await mendTimes(operation);
					findings.push(...(await check(operation)));
					if (launch)
						ofWave.push(
							...beforeTheWave(operation, await lastBackup(operation.database.query), "invitation"),
						);
				});
			} catch (error) {
				// Mail is set up before the server has run for the first time.
				if (!mail) throw error;
				findings.push({ name: "waitlist", ok: false, found: sentenceOf(error) });
			}
			if (mail) findings.push(...(await checkLetters(settings, resolver, selector)));
			findings.push(...ofWave);
			if (settings.webhook) findings.push(await checkReceiver(settings.webhook));
			const shown = settingsForPeople(settings);
			print(json, { findings, settings: shown }, () =>
				[
					...findings.map(({ name, ok, found }) => `${ok ? "✓" : "✗"} ${name}: ${found}`),
					"",
					...(mail && !launch ? ["Before the first wave: `waitlist check --launch`.", ""] : []),
					...Object.entries(shown).map(([name, value]) => `${name}: ${value}`),
				].join("\n"),
			);
			if (findings.some(({ ok }) => !ok)) process.exitCode = EXIT.problem;
		});
}

/** Checks everything that can be wrong, each row included. */
async function check({ database, places, now, progress }: Operation): Promise<Finding[]> {
	const findings = await database.check();
	const total = await countRegistrations(database.query);
	let read = 0;
	let wrongKeys = 0;
	let refused = 0;
	let future = 0;
	const latest = latestCredible(now);
	for await (const page of inOrderOfKey(database.query)) {
		for (const { key, email, createdAt } of page) {
			const address = canonicalEmail(email, asciiDomain);
			if (!("key" in address)) refused += 1;
			else if (address.key !== key) wrongKeys += 1;
			if (createdAt > latest) future += 1;
		}
		read += page.length;
		progress.show("checked", read, total);
	}
	progress.end();
	return [
		...findings,
		...(await checkProofs(database, places)),
		{
			name: "rows",
			ok: wrongKeys === 0,
			found:
				(wrongKeys === 0 ? `${read}, all keys right` : `${wrongKeys} of ${read} have a wrong key`) +
				(refused > 0 ? `; today’s rule refuses ${refused}, which stay` : ""),
		},
		{
			name: "clock",
			ok: future === 0 && now.getUTCFullYear() >= 2025,
			found:
				future === 0
					? now.toISOString()
					: `${future} joined after ${now.toISOString()}: if the clock is right now, use check --mend`,
		},
	];
}

async function checkLetters(
	{ mail }: Settings,
	resolver = createResolver(),
	selector?: string,
): Promise<Finding[]> {
	if (mail) return checkMail(mail, resolver, selector);
	const found = "no letters are sent: set SMTP_URL, WAITLIST_MAIL_FROM and SITE_ORIGIN";
	return [{ name: "mail server", ok: false, found }];
}

/** Patient enough for a slow DNS server, and for a lost packet. */
function createResolver(): Resolver {
	return new Resolver({ timeout: 2000, tries: 2 });
}

function parseResolver(text: string): Resolver {
	const resolver = createResolver();
	try {
		resolver.setServers([text]);
	} catch {
		throw new InvalidArgumentError("It must be an IP address, as in 127.0.0.1 or 127.0.0.1:53.");
	}
	return resolver;
}

/** The settings in force by the names of their variables, without any secret. */
function settingsForPeople(settings: Settings): Record<keyof typeof defaults, string> {
	const rate = (limit: Settings["limits"]["address"]) =>
		limit ? `${limit.count} in ${limit.periodMs / 1000} s` : "no limit";
	const hidden = (secret: unknown) => (secret === undefined ? "not set" : "set (hidden)");
	const { mail, notify, webhook } = settings;
	return {
		HOST: settings.host,
		PORT: String(settings.port),
		DATABASE_URL: describeDatabase(settings.database),
		TRUSTED_PROXIES:
			settings.trustedProxies.map(({ address, prefix }) => `${address}/${prefix}`).join(", ") ||
			"none",
		TRUSTED_HEADER: settings.trustedHeader,
		WAITLIST_ADDRESS_LIMIT: rate(settings.limits.address),
		WAITLIST_NETWORK_LIMIT: rate(settings.limits.network),
		WAITLIST_BURST_LIMIT: rate(settings.limits.burst),
		WAITLIST_GLOBAL_LIMIT: rate(settings.limits.global),
		WAITLIST_TIME_ZONE: settings.timeZone,
		WAITLIST_METRICS_PORT: settings.metricsPort === undefined ? "none" : `${settings.metricsPort}`,
		WAITLIST_DRAIN_SECONDS: String(settings.drainMs / 1000),
		WAITLIST_ERASURE_KEY: hidden(settings.erasureKey),
		WAITLIST_ERASURES: settings.erasures ?? "not set",
		WAITLIST_API_KEY: ["not set: no code is redeemed", "set (hidden)", "two set (hidden)"][
			settings.apiKeys.length
		]!,
		SMTP_URL: mail ? describeMailServer(mail.server) : "not set: no letters are sent",
		WAITLIST_MAIL_FROM: mail ? `${mail.from.name} <${mail.from.address}>`.trimStart() : "not set",
		WAITLIST_MAIL_RATE: mail ? rate(mail.rate) : "not set",
		WAITLIST_MAIL_RAMP: mail?.ramp ? `${mail.ramp.join(", ")} a day` : "not set",
		WAITLIST_MAIL_BOUNCES: mail?.bounces ?? "not set",
		SITE_ORIGIN: mail?.origin ?? "not set",
		WAITLIST_REPORTS_SES: mail?.reports.ses?.arn ?? "not set",
		WAITLIST_REPORTS_POSTMARK: hidden(mail?.reports.postmark),
		WAITLIST_REPORTS_RESEND: hidden(mail?.reports.resend),
		WAITLIST_REPORTS_MAILGUN: hidden(mail?.reports.mailgun),
		WAITLIST_OFFICE_PORT: settings.office ? `${settings.office.port}` : "none",
		WAITLIST_OFFICE_ORIGIN: settings.office?.origin ?? "not set",
		WAITLIST_NOTIFY_URL: notify ? describeTold(notify) : "not set: no digest is sent",
		WAITLIST_WEBHOOK_URL: webhook ? describeTold(webhook.url) : "not set: no events are sent",
		WAITLIST_WEBHOOK_SECRET: ["not set", "set (hidden)", "two set (hidden)"][
			webhook?.secrets.length ?? 0
		]!,
		WAITLIST_WEBHOOK_BODY: webhook?.body ?? "not set",
	};
}
