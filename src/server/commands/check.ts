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
import { describeSettings, readSettings, type Settings } from "../settings.ts";
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
			const shown = describeSettings(process.env, settings);
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
