import { Resolver } from "node:dns/promises";
import { type Command, Option, type OptionValues } from "commander";
import { brand } from "#brand";
import type { CheckResult } from "../database/database.ts";
import { readLastBackup } from "../database/notes.ts";
import { failureSentence } from "../files/files.ts";
import { checkMail } from "../mail/smtp/check-mail.ts";
import { checkWebhook } from "../numbers.ts";
import { checkSuppressionList } from "../registrations/suppression/suppression-list.ts";
import { maskWebhookUrl } from "../settings/values.ts";
import { describeSettings, readSettings, type Settings } from "../settings.ts";
import { checkBeforeWave } from "../waves/launch.ts";
import { renderExample, sendTestEmail } from "../waves/message.ts";
import { chatSender } from "../webhooks/digest.ts";
import { retryFailedEvents } from "../webhooks/event.ts";
import { isAccepted } from "../webhooks/post.ts";
import { EXIT_CODES, printResult, requireMail, withDatabase } from "./command.ts";

export function addCheckCommand(program: Command): void {
	const alsoMail = { mail: true };
	program
		.command("check")
		.description("check database, disk, suppression list and events, and show the settings")
		.option("--mail", "also sign in to the mail server, and look at DNS: sends nothing")
		.addOption(new Option("--to <address>", "also send a test email to yourself").implies(alsoMail))
		.addOption(new Option("--launch", "also check what a first wave needs").implies(alsoMail))
		.addOption(new Option("--selector <name>", "also check this DKIM key").implies(alsoMail))
		.addOption(
			new Option("--resolver <address>", "the DNS server, such as 127.0.0.1:53").implies(alsoMail),
		)
		.option("--digest", "also send a test message to the team's chat")
		.option("--replay", "retry failed webhook events first")
		.action(async (options) => {
			const settings = readSettings(process.env, process.cwd());
			const findings = await findAll(options, settings);
			const shown = describeSettings(process.env, settings);
			printResult(options.json, {
				json: { findings, settings: shown },
				text: [
					...findings.map(({ name, ok, found }) => `${ok ? "✓" : "✗"} ${name}: ${found}`),
					"",
					...Object.entries(shown).map(([name, value]) => `${name}: ${value}`),
				],
				exit: findings.every(({ ok }) => ok) ? EXIT_CODES.done : EXIT_CODES.problem,
			});
		});
}

async function findAll(options: OptionValues, settings: Settings): Promise<CheckResult[]> {
	const { mail, to, launch, selector, resolver: address, digest, replay } = options;
	const findings: CheckResult[] = [];
	try {
		await withDatabase(async (operation) => {
			const { database, places, now } = operation;
			findings.push(...(await database.check()));
			findings.push(...(await checkSuppressionList(database, places)));
			if (replay) await database.transact(retryFailedEvents, now.toISOString());
			findings.push(...(await checkWebhook(database)));
			if (!launch) return;
			findings.push(...checkBeforeWave(operation, await readLastBackup(database), "invitation"));
		});
	} catch (error) {
		// Goes on: the database may still be missing when the founder sets up mail.
		findings.push({ name: "waitlist", ok: false, found: failureSentence(error) });
	}
	if (mail && settings.mail) {
		// Enough for a slow DNS server and a lost packet.
		const resolver = new Resolver({ timeout: 2000, tries: 2 });
		if (address !== undefined) resolver.setServers([address]);
		findings.push(...(await checkMail(settings.mail, resolver, selector)));
	} else if (mail) {
		const found = "no email is sent: set SMTP_URL, WAITLIST_MAIL_FROM and SITE_ORIGIN";
		findings.push({ name: "mail server", ok: false, found });
	}
	if (to !== undefined) findings.push(await tryEmail(settings, to));
	if (digest) findings.push(await tryDigest(settings));
	return findings;
}

async function attempt(
	name: string,
	found: string,
	work: () => Promise<void>,
): Promise<CheckResult> {
	try {
		await work();
		return { name, ok: true, found };
	} catch (error) {
		return { name, ok: false, found: failureSentence(error) };
	}
}

function tryEmail(settings: Settings, to: string): Promise<CheckResult> {
	const found = `sent to ${to}: check whether it lands in the inbox or in spam (its links do not work)`;
	return attempt("test email", found, () => {
		const mail = requireMail(settings);
		return sendTestEmail(mail, renderExample({ kind: "confirm" }, mail, new Date()), "confirm", to);
	});
}

const tryDigest = ({ digestUrl }: Settings) =>
	attempt("digest", `sent a test to ${digestUrl && maskWebhookUrl(digestUrl)}`, async () => {
		if (!digestUrl) throw new Error("no chat is set up: set WAITLIST_DIGEST_URL");
		const posted = await chatSender(digestUrl)(`Test message from the ${brand.product} waitlist.`);
		if (!isAccepted(posted))
			throw new Error(`${maskWebhookUrl(digestUrl)} did not accept the message: ${posted.code}`);
	});
