import type { Command, OptionValues } from "commander";
import { countEmailsOf } from "../mail/emails/overview.ts";
import { VALID_DAYS } from "../mail/waves.ts";
import { findPeople } from "../registrations/registrations.ts";
import { figure } from "../text/figure.ts";
import { daysAfter } from "../time.ts";
import type { AskedWave } from "../waves/add-wave.ts";
import { sendTestEmail, writeExample } from "../waves/example-email.ts";
import { readMessage } from "../waves/message.ts";
import { describePlan, type Plan, planWave } from "../waves/plan-wave.ts";
import { sendWave } from "../waves/send-wave.ts";
import {
	DESPITE_GAP_HELP,
	days,
	EXIT,
	founderAgrees,
	mailOf,
	notFoundAsText,
	print,
	readAddresses,
	sourceLabel,
	table,
	tell,
	time,
	waveName,
	wholeNumberUpTo,
	withDatabase,
} from "./command.ts";

export function addWave(program: Command): void {
	const invite = program
		.command("invite")
		.argument("<number>", "", wholeNumberUpTo(99_999_999))
		.description(
			"invite those who joined first and confirmed, until the wave has so many: once each",
		);
	addOptions(invite)
		.option("--expires <days>", "how long a code is good once sent (default: 14d)", days)
		.option("--message <file>", "your words; {code}, {link} and {expires} are filled in")
		.action(async (size: number, { expires, message, ...chosen }, command: Command) => {
			const wave = {
				name: chosen.wave,
				kind: "invitation" as const,
				size,
				...(expires !== undefined && { validDays: expires }),
				...(message !== undefined && { message: await readMessage(message, "invitation") }),
			};
			await send(wave, { ...chosen, uninvited: true }, command);
		});
	const news = program
		.command("news")
		.description("email news to everybody who has confirmed, or to some: once each")
		.requiredOption("--message <file>", "a line `Subject: …`, an empty line, and Markdown");
	addOptions(news)
		.option("--uninvited", "only people whom no wave has invited")
		.action(async ({ message: file, ...chosen }, command: Command) => {
			const message = await readMessage(file, "news");
			await send({ name: chosen.wave, kind: "news", size: 0, message }, chosen, command);
		});
}

const addOptions = (command: Command): Command =>
	command
		.requiredOption("--wave <name>", "its name, as in beta-1", waveName)
		.option("--source <label>", "only people from this source", sourceLabel)
		.option("--file <file>", "only addresses in a file, as `import` reads them")
		.option("--unconfirmed", "also people who have not confirmed")
		.option("--at <time>", "not before, as in '2026-11-21 09:30'", time)
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--no-imprint", "go on without postal address or imprint")
		.option("--dry-run", "only show who, what, and how long it takes")
		.option("--test <address>", "only send the email to yourself")
		.option("--yes", "do not ask");

/** Shows the plan of a wave, asks, and adds its emails. */
async function send(about: AskedWave, chosen: OptionValues, command: Command): Promise<void> {
	const { source, file, at, test, json, unconfirmed = false, uninvited = false } = chosen;
	const asked: AskedWave = { ...about, ...(at !== undefined && { startsAt: at }) };
	const { name, kind, message } = asked;
	await withDatabase(async (operation) => {
		const { database, settings, now } = operation;
		const mail = mailOf(settings);
		if (test !== undefined) {
			const expiresAt = daysAfter(now.getTime(), asked.validDays ?? VALID_DAYS);
			const example = writeExample({ kind, wave: name, expiresAt, ...message }, mail, now);
			await sendTestEmail(mail, example, kind, test);
			print(json, { sent: test }, () => `Sent to ${test}, and to nobody else.`);
			return;
		}
		const people =
			file === undefined ? undefined : await findPeople(database, await readAddresses(file));
		const selection = {
			unconfirmed,
			uninvited,
			...(source !== undefined && { source }),
			...(people && { keys: people.keys }),
		};
		const plan = await planWave(operation, asked, selection, mail);
		const notFound = people?.notFound ?? [];
		if (notFound.length > 0) process.exitCode = EXIT.notFound;
		const asText = () => [...planAsText(plan, now), ...notFoundAsText(notFound)].join("\n");
		if (chosen.dryRun) {
			const { example, ...numbers } = plan;
			const letter = { subject: example.subject, text: example.text };
			print(json, { ...numbers, letter, notFound }, asText);
			return;
		}
		if (!chosen.yes && plan.adding > 0) {
			if (!process.stdin.isTTY) {
				command.error("error: nobody can be asked here: look at --dry-run, then say --yes");
			}
			tell(asText());
			if (!(await founderAgrees("Send these emails?"))) throw new Error("Nothing was sent.");
		}
		const { despiteGap, imprint } = chosen;
		const despite = { despiteGap, noImprint: !imprint };
		const added = await sendWave(operation, asked, selection, plan, despite);
		const emails = await countEmailsOf(database, name);
		print(json, { wave: name, added, emails, takesMs: plan.takesMs, notFound }, () =>
			[
				`${name}: ${figure(added)} added, which makes ${figure(emails)}.`,
				...notFoundAsText(notFound),
				...describePlan(plan, now).warnings,
				...(plan.open.length > 0
					? [`Points that are open: ${plan.open.length}. See \`waitlist check --launch\`.`]
					: []),
				`\`waitlist waves ${name}\` shows what becomes of them, \`waitlist pause ${name}\` stops them.`,
			].join("\n"),
		);
	});
}

function planAsText(plan: Plan, now: Date): string[] {
	const { wave, emails, adding, open, example } = plan;
	const { who, when, warnings } = describePlan(plan, now);
	return [
		`Wave ${wave.name}: ${figure(adding)} more ${wave.kind === "news" ? "emails" : "invitations"}. It has ${figure(emails)}.`,
		...table(who),
		...when.map(([name, value]) => `  ${name}: ${value}`),
		...warnings,
		...open.map(({ name, found }) => `✗ ${name}: ${found}`),
		"",
		`Subject: ${example.subject}`,
		"",
		example.text,
	];
}
