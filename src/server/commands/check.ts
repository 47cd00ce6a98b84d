import { Resolver } from "node:dns/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import { brand } from "#brand";
import { canonicalEmail } from "#shared/email.ts";
import type { Finding } from "../database/database.ts";
import { sentenceOf } from "../files/files.ts";
import { checkMail } from "../mail/smtp/check-mail.ts";
import type { Operation } from "../registrations/operation.ts";
import { countRegistrations } from "../registrations/people.ts";
import { inOrderOfKey, mendTimes } from "../registrations/registrations.ts";
import { checkSuppression } from "../registrations/suppression/check-suppression.ts";
import { describeHook } from "../settings/secrets.ts";
import { describeSettings, readSettings, type Settings } from "../settings.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { latestCredible } from "../time.ts";
import { lastBackup } from "../transfer/last-backup.ts";
import { writeExample } from "../waves/example-email.ts";
import { beforeTheWave } from "../waves/launch.ts";
import { sendTestEmail } from "../waves/test-email.ts";
import { openChat } from "../webhooks/digest.ts";
import { isAccepted } from "../webhooks/post.ts";
import { countEvents, readFailed, readWebhook, replayFailed } from "../webhooks/webhook.ts";
import { EXIT, JSON_HELP, mailOf, print, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist check`: whether everything is as it should be. */
export function addCheck(program: Command): void {
	const alsoMail = { mail: true };
	program
		.command("check")
		.summary("check that everything is right, and show the settings")
		.description("Checks integrity, disk, clock and every row, and shows the settings.")
		.option("--mail", "also sign in to the mail server, and look at DNS: sends nothing")
		.addOption(new Option("--to <address>", "also send a test email to yourself").implies(alsoMail))
		.addOption(new Option("--launch", "also whatever a first wave needs").implies(alsoMail))
		.addOption(new Option("--selector <name>", "also your DKIM key").implies(alsoMail))
		.addOption(
			new Option("--resolver <address>", "the DNS server to ask, as in 127.0.0.1:53")
				.argParser(parseResolver)
				.implies(alsoMail),
		)
		.option("--digest", "also send a test message to the team's chat")
		.option("--webhook", "also count the events that wait or failed")
		.addOption(
			new Option("--replay", "send failed events again, also after a 410").implies({
				webhook: true,
			}),
		)
		.option("--mend", "first set joins in the future, by a wrong clock, to now")
		.option("--json", JSON_HELP)
		.action(async (options: Options) => {
			const settings = readSettings(process.env, process.cwd());
			const findings = await findAll(options, settings);
			const shown = describeSettings(process.env, settings);
			print(options.json, { findings, settings: shown }, () =>
				[
					...findings.map(({ name, ok, found }) => `${ok ? "✓" : "✗"} ${name}: ${found}`),
					"",
					...(options.mail && !options.launch
						? ["Before the first wave: `waitlist check --launch`.", ""]
						: []),
					...Object.entries(shown).map(([name, value]) => `${name}: ${value}`),
				].join("\n"),
			);
			if (findings.some(({ ok }) => !ok)) process.exitCode = EXIT.problem;
		});
}

interface Options {
	mail?: boolean;
	to?: string;
	launch?: boolean;
	selector?: string;
	resolver?: Resolver;
	digest?: boolean;
	webhook?: boolean;
	replay?: boolean;
	mend?: boolean;
	json?: boolean;
}

async function findAll(options: Options, settings: Settings): Promise<Finding[]> {
	const { mail, to, launch, selector, resolver, digest, webhook, replay, mend } = options;
	const findings: Finding[] = [];
	const before: Finding[] = [];
	try {
		await withDatabase(async (operation) => {
			if (mend) await mendTimes(operation);
			findings.push(...(await checkRows(operation)));
			if (webhook) findings.push(await checkEvents(operation, replay ?? false));
			if (!launch) return;
			const backup = await lastBackup(operation.database);
			before.push(...beforeTheWave(operation, backup, "invitation"));
		});
	} catch (error) {
		// Mail is set up before the server has run for the first time.
		if (!mail && !digest) throw error;
		findings.push({ name: "waitlist", ok: false, found: sentenceOf(error) });
	}
	if (mail) findings.push(...(await checkMailServer(settings, resolver, selector)));
	if (to !== undefined) findings.push(await tryEmail(settings, to));
	if (digest) findings.push(await tryDigest(settings));
	return [...findings, ...before];
}

/** Checks everything that can be wrong, each row included. */
async function checkRows({ database, places, now, progress }: Operation): Promise<Finding[]> {
	const findings = await database.check();
	const total = await countRegistrations(database);
	let read = 0;
	let wrongKeys = 0;
	let refused = 0;
	let future = 0;
	const latest = latestCredible(now);
	for await (const page of inOrderOfKey(database)) {
		for (const { key, email, joinedAt } of page) {
			const address = canonicalEmail(email, asciiDomain);
			if (!("key" in address)) refused += 1;
			else if (address.key !== key) wrongKeys += 1;
			if (joinedAt > latest) future += 1;
		}
		read += page.length;
		progress.show("checked", read, total);
	}
	progress.end();
	return [
		...findings,
		...(await checkSuppression(database, places)),
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

async function checkMailServer(
	{ mail }: Settings,
	resolver = createResolver(),
	selector?: string,
): Promise<Finding[]> {
	if (mail) return checkMail(mail, resolver, selector);
	const found = "no email is sent: set SMTP_URL, WAITLIST_MAIL_FROM and SITE_ORIGIN";
	return [{ name: "mail server", ok: false, found }];
}

/** Tries something that throws a sentence where it fails. */
async function attempt(name: string, found: string, work: () => Promise<void>): Promise<Finding> {
	try {
		await work();
		return { name, ok: true, found };
	} catch (error) {
		return { name, ok: false, found: sentenceOf(error) };
	}
}

const tryEmail = (settings: Settings, to: string) =>
	attempt("test email", `sent to ${to}: look at where it arrives`, () => {
		const mail = mailOf(settings);
		return sendTestEmail(mail, writeExample({ kind: "confirm" }, mail, new Date()), "confirm", to);
	});

const tryDigest = ({ digestUrl }: Settings) =>
	attempt("digest", `sent a test to ${digestUrl && describeHook(digestUrl)}`, async () => {
		if (!digestUrl) throw new Error("nobody gets one: set WAITLIST_DIGEST_URL");
		const posted = await openChat(digestUrl)(`This is a test of ${brand.product}'s waitlist.`);
		if (!isAccepted(posted))
			throw new Error(`not accepted at ${describeHook(digestUrl)}: ${posted.code}`);
	});

/** How many events wait and how many failed, with the last answer. */
async function checkEvents({ database, now }: Operation, replay: boolean): Promise<Finding> {
	if (replay) await database.transact(replayFailed, now.toISOString());
	const receiver = await readWebhook(database);
	const { waiting, failed } = await countEvents(database);
	const [last] = failed > 0 ? await readFailed(database, 1) : [];
	const found = [
		...(receiver ? [] : ["no server here has WAITLIST_WEBHOOK_URL"]),
		...(receiver?.endedAt ? [`the receiver answered 410 on ${receiver.endedAt}`] : []),
		`${waiting} wait`,
		`${failed} failed${last ? `, the first with ${last.code}: --replay sends them again` : ""}`,
	];
	return {
		name: "events",
		ok: receiver !== undefined && receiver.endedAt === "" && failed === 0,
		found: found.join(", "),
	};
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
