import { createInterface } from "node:readline/promises";
import type { Command } from "commander";
import { countWaveEmails, readEmailOverview, waitingAsText } from "../mail/overview.ts";
import { pauseAllEmail, resumeAllEmail } from "../mail/people/actions.ts";
import { CODE_VALID_DAYS, type CountedWave, readCountedWaves } from "../mail/waves.ts";
import type { Operation } from "../registrations/operation.ts";
import { findPeople } from "../registrations/registrations.ts";
import { formatCount, formatNumber } from "../text/format-number.ts";
import { daysAfter, shownTime } from "../time.ts";
import type { WaveRequest } from "../waves/add-wave.ts";
import { sendWave } from "../waves/add-wave.ts";
import { changeWave, describeWave, waveChanges } from "../waves/change-wave.ts";
import {
	EXAMPLE_NOTICE,
	readFounderMessage,
	renderExample,
	sendTestEmail,
} from "../waves/message.ts";
import { describeWavePlan, planWave, type WavePlan } from "../waves/plan-wave.ts";
import {
	alignTable,
	DESPITE_GAP_HELP,
	databaseAction,
	EXIT_CODES,
	notFoundAsText,
	parseDays,
	parseSourceLabel,
	parseTimeOption,
	parseWaveName,
	printToStderr,
	readAddresses,
	requireMail,
	wholeNumberParser,
} from "./command.ts";

export function addWaveCommands(program: Command): void {
	const invite = program
		.command("invite")
		.argument("<number>", "", wholeNumberParser(99_999_999))
		.description("invite confirmed people, earliest first, until the wave has <number> people");
	addOptions(invite)
		.option(
			"--expires <days>",
			"how long a code is valid after it is sent (default: 14d)",
			parseDays,
		)
		.option(
			"--message <file>",
			"your own email: a line `Subject: …`, an empty line, and Markdown; {code}, {link} and {expires} are filled in",
		)
		.action(async (size: number, { message: file, ...options }, command: Command) => {
			const message = file === undefined ? undefined : await readFounderMessage(file, "invitation");
			const { wave: name, expires: validDays } = options;
			const asked = { name, kind: "invitation" as const, size, validDays, message };
			await send(asked)({ ...options, uninvited: true }, command);
		});
	const news = program
		.command("news")
		.description("email news to confirmed people, each once")
		.requiredOption("--message <file>", "a line `Subject: …`, an empty line, and Markdown");
	addOptions(news)
		.option("--uninvited", "only people who haven't been invited")
		.action(async ({ message: file, ...options }, command: Command) => {
			const message = await readFounderMessage(file, "news");
			await send({ name: options.wave, kind: "news", size: 0, message })(options, command);
		});
	program
		.command("waves [name]")
		.description("show the emails and codes of each wave")
		.action(
			databaseAction(async ({ database, now }, name: string | undefined) => {
				const all = await readCountedWaves(database, now);
				const waves = name === undefined ? all : all.filter((wave) => wave.name === name);
				if (waves.length > 0) {
					return { json: { waves }, text: [waves.map(waveAsText).join("\n\n")] };
				}
				return name === undefined
					? { json: { waves }, text: ["No waves. `waitlist invite --help` says how to send one."] }
					: {
							json: { waves },
							text: [`There is no wave ${name}: see \`waitlist waves\`.`],
							exit: EXIT_CODES.notFound,
						};
			}),
		);
	program
		.command("pause [wave]")
		.description("pause a wave, or all email, until `waitlist resume`: codes still work")
		.action(
			databaseAction(async (operation, wave: string | undefined) => {
				if (wave !== undefined) return change("pause")(operation, wave);
				await pauseAllEmail(operation);
				return { json: { paused: true }, text: ["No email is sent until `waitlist resume`."] };
			}),
		);
	program
		.command("resume [wave]")
		.description(
			"resume a wave; or, without a name, all email, which also ends throttling and retries deferred emails",
		)
		.action(
			databaseAction(async (operation, wave: string | undefined) => {
				if (wave !== undefined) return change("resume")(operation, wave);
				const { database, settings, now } = operation;
				const ended = await resumeAllEmail(operation);
				const numbers = await readEmailOverview(database, settings.mail, now);
				const json = { ended, waiting: numbers.waiting.emails };
				return { json, text: ["Email is neither paused nor throttled.", waitingAsText(numbers)] };
			}),
		);
	program
		.command("cancel <wave>")
		.description("cancel a wave permanently: drops unsent emails and voids its codes")
		.action(databaseAction(change("cancel")));
}

const addOptions = (command: Command): Command =>
	command
		.requiredOption("--wave <name>", "its name, such as beta-1", parseWaveName)
		.option("--source <label>", "only people from this source", parseSourceLabel)
		.option("--file <file>", "only addresses in a file, in the formats that `import` reads")
		.option("--unconfirmed", "also people who have not confirmed")
		.option(
			"--at <time>",
			"start sending at this time, such as '2026-11-21 09:30'",
			parseTimeOption,
		)
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--no-imprint", "send even if the postal address or company registration is missing")
		.option("--dry-run", "only show who, what, and how long it takes")
		.option("--test <address>", "only send a test to this address")
		.option("--yes", "don't ask before sending");

const send = (about: WaveRequest) =>
	databaseAction(async (operation, options, command: Command) => {
		const { source, file, at, test, unconfirmed = false, uninvited = false } = options;
		const asked: WaveRequest = { ...about, startsAt: at };
		const { name, kind, message } = asked;
		const { database, settings, now } = operation;
		const mail = requireMail(settings);
		if (test !== undefined) {
			const expiresAt = daysAfter(now.getTime(), asked.validDays ?? CODE_VALID_DAYS);
			const example = renderExample({ kind, wave: name, expiresAt, ...message }, mail, now);
			await sendTestEmail(mail, example, kind, test);
			return {
				json: { sent: test },
				text: [`Sent to ${test}, and to no one else. ${EXAMPLE_NOTICE}`],
			};
		}
		const { keys, notFound } =
			file === undefined ? { notFound: [] } : await findPeople(database, await readAddresses(file));
		const selection = { unconfirmed, uninvited, source, keys };
		const plan = await planWave(operation, asked, selection, mail);
		if (options.dryRun) {
			const { example, ...numbers } = plan;
			const email = { subject: example.subject, text: example.text };
			return { json: { ...numbers, email }, text: planAsText(plan, now), notFound };
		}
		if (!options.yes && plan.adding > 0) {
			if (!process.stdin.isTTY) {
				command.error("error: no terminal to confirm on: review with --dry-run, then add --yes");
			}
			printToStderr([...planAsText(plan, now), ...notFoundAsText(notFound)].join("\n"));
			const terminal = createInterface({ input: process.stdin, output: process.stderr });
			const answer = await terminal
				.question("Send these emails? [y/N] ")
				.finally(() => terminal.close());
			if (!/^y(es)?$/i.test(answer.trim())) throw new Error("Nothing was sent.");
		}
		const { despiteGap, imprint } = options;
		const despite = { despiteGap, noImprint: !imprint };
		const added = await sendWave(operation, asked, selection, plan, despite);
		const emails = await countWaveEmails(database, name);
		const text = [
			`${name}: ${formatCount(added, "email")} added, ${formatNumber(emails)} in total.`,
			...describeWavePlan(plan, now).warnings,
			...(plan.open.length > 0
				? [`Unresolved launch checks: ${plan.open.length}. See \`waitlist check --launch\`.`]
				: []),
			`\`waitlist waves ${name}\` shows its progress, \`waitlist pause ${name}\` pauses it.`,
		];
		return { json: { wave: name, added, emails, takesMs: plan.takesMs }, text, notFound };
	});

function planAsText(plan: WavePlan, now: Date): string[] {
	const { wave, emails, adding, open, example } = plan;
	const { who, when, warnings } = describeWavePlan(plan, now);
	const also = emails > 0 ? `, in addition to ${formatNumber(emails)}` : "";
	return [
		`Wave ${wave.name}: ${formatCount(adding, wave.kind === "news" ? "email" : "invitation")}${also}.`,
		...alignTable(who),
		...when.map(([name, value]) => `  ${name}: ${value}`),
		...warnings,
		...open.map(({ name, found }) => `✗ ${name}: ${found}`),
		"",
		`Subject: ${example.subject}`,
		"",
		example.text,
	];
}

const change = (action: keyof typeof waveChanges) => async (operation: Operation, name: string) => {
	const { state, done } = waveChanges[action];
	const emails = await changeWave(operation, name, action);
	const text = [
		`Emails of ${name} ${done}: ${formatNumber(emails)}`,
		...(action === "pause" ? [`\`waitlist resume ${name}\` resumes it.`] : []),
	];
	return { json: { wave: name, state, emails }, text };
};

function waveAsText(wave: CountedWave): string {
	const { name, kind, startsAt } = wave;
	const { state, emails, codes, ends } = describeWave(wave);
	return [
		`${name}: ${kind}, ${state}, ${emails}, from ${shownTime(startsAt)}${codes}`,
		...alignTable(ends),
		...(state === "paused" ? [`  \`waitlist resume ${name}\` resumes it.`] : []),
	].join("\n");
}
