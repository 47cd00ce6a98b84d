import { type Command, InvalidArgumentError } from "commander";
import type { Finding } from "../../database/database.ts";
import { openToRead } from "../../files/files.ts";
import { countEmailsOf } from "../../mail/emails/email-counts.ts";
import { despiteGapAsText, refuseInGap } from "../../mail/emails/gaps.ts";
import { VALID_DAYS } from "../../mail/wave/wave.ts";
import { findPeople } from "../../registrations/registrations.ts";
import { daysAfter, isoOf, shownTime } from "../../time.ts";
import { formatOf, readLines } from "../../transfer/import-formats.ts";
import { lastBackup } from "../../transfer/last-backup.ts";
import { type AskedWave, addWave } from "../../waves/add-wave.ts";
import { writeExample } from "../../waves/example-email.ts";
import { refuseWithoutImprint } from "../../waves/imprint.ts";
import { beforeTheWave } from "../../waves/launch.ts";
import { type Plan, planWave } from "../../waves/plan-wave.ts";
import { DOMAIN_INVALID, readDomain, type Selection } from "../../waves/selection.ts";
import { sendTestEmail } from "../../waves/test-email.ts";
import {
	DESPITE_GAP_HELP,
	EXIT,
	JSON_HELP,
	mailOf,
	notFoundAsText,
	number,
	operatorAgrees,
	print,
	sourceLabel,
	tell,
	time,
	waveName,
	withDatabase,
} from "./command.ts";
import { backlogAsText, pauseAsText } from "./emails-as-text.ts";

/** What `invite` and `news` let the founder choose. */
export interface Chosen {
	wave: string;
	source?: string;
	domain?: string;
	file?: string;
	unconfirmed?: boolean;
	at?: string;
	despiteGap?: boolean;
	/** False by `--no-imprint`. */
	imprint?: boolean;
	dryRun?: boolean;
	test?: string;
	yes?: boolean;
	json?: boolean;
}

/** Adds the options that `invite` and `news` have in common. */
export const addWaveOptions = (command: Command): Command =>
	command
		.requiredOption("--wave <name>", "its name, as in beta-1", waveName)
		.option("--source <label>", "only people from this source", sourceLabel)
		.option("--domain <domain>", "only addresses there, as in example.com", domain)
		.option("--file <file>", "only addresses in a file, as `import` reads them")
		.option("--unconfirmed", "also people who have not confirmed")
		.option("--at <time>", "not before, as in '2026-11-21 09:30'", time)
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--no-imprint", "go on without postal address or imprint")
		.option("--dry-run", "only show who, what, and how long it takes")
		.option("--test <address>", "only send the email to yourself")
		.option("--yes", "do not ask")
		.option("--json", JSON_HELP);

function domain(text: string): string {
	const domain = readDomain(text);
	if (domain !== undefined) return domain;
	throw new InvalidArgumentError(DOMAIN_INVALID);
}

/** The latest time whose year has four digits. */
const LATEST_MS = Date.parse("9999-12-31T23:59Z");

const DESPITE_IMPRINT = "Or use --no-imprint, which sends them all the same.";

/** A wave before it goes out, and what is not there that it needs. */
interface AskedPlan extends Plan {
	open: Finding[];
}

/**
 * Shows what a wave would be, asks, and adds its emails, a page at a time: a kill leaves some, and the same
 * again adds the others.
 */
export async function sendWave(
	about: Omit<AskedWave, "name" | "startsAt">,
	{
		chosen,
		uninvited,
		random,
		command,
	}: { chosen: Chosen; uninvited: boolean; random: boolean; command: Command },
): Promise<void> {
	const { wave: name, source, domain, at, test, despiteGap, imprint = true, json } = chosen;
	const { dryRun = false, yes = false } = chosen;
	const asked: AskedWave = { ...about, name, ...(at === undefined ? {} : { startsAt: at }) };
	const seed = random ? name : undefined;
	await withDatabase(async (operation) => {
		const { database, settings, now } = operation;
		const mail = mailOf(settings);
		if (test !== undefined) {
			const expiresAt = daysAfter(now.getTime(), asked.validDays ?? VALID_DAYS);
			const example = { kind: asked.kind, wave: name, expiresAt, ...asked.message };
			await sendTestEmail(mail, writeExample(example, mail, now), asked.kind, test);
			print(json, { sent: test }, () => `Sent to ${test}, and to nobody else.`);
			return;
		}
		const people =
			chosen.file === undefined
				? undefined
				: await findPeople(database, await emailsIn(chosen.file));
		const selection: Selection = {
			unconfirmed: chosen.unconfirmed ?? false,
			uninvited,
			...(source === undefined ? {} : { source }),
			...(domain === undefined ? {} : { domain }),
			...(people === undefined ? {} : { keys: people.keys }),
		};
		const needed = beforeTheWave(operation, await lastBackup(database), asked.kind);
		const plan = {
			...(await planWave(operation, asked, selection, mail)),
			open: needed.filter(({ ok }) => !ok),
		};
		const notFound = people?.notFound ?? [];
		const planAsText = () =>
			[planText(plan, selection, random, now), ...notFoundAsText(notFound)].join("\n");
		if (notFound.length > 0) process.exitCode = EXIT.notFound;
		if (dryRun) {
			const { example, ...numbers } = plan;
			const letter = { subject: example.subject, text: example.text };
			print(json, { ...numbers, letter, notFound }, planAsText);
			return;
		}
		if (!despiteGap) await refuseInGap(database);
		if (imprint && plan.adding > 0) refuseWithoutImprint(plan.open, DESPITE_IMPRINT);
		if (!yes && plan.adding > 0) {
			if (!process.stdin.isTTY) {
				command.error("error: nobody can be asked here: look at --dry-run, then say --yes");
			}
			tell(planAsText());
			const despite = plan.open.length > 0 ? " all the same" : "";
			if (!(await operatorAgrees(`Send these emails${despite}?`))) {
				throw new Error("Nothing was sent.");
			}
		}
		const note = operation.note("wave sent", `${name}: ${plan.adding}`);
		const added = await addWave(operation, asked, selection, seed, { note });
		const letters = await countEmailsOf(database, name);
		print(json, { wave: name, added, letters, takesMs: plan.takesMs, notFound }, () =>
			[
				`${name}: ${number(added)} added, which makes ${number(letters)}.`,
				...notFoundAsText(notFound),
				...(plan.open.length > 0
					? [`Points that are open: ${plan.open.length}. See \`waitlist check --launch\`.`]
					: []),
				...stoppedAsText(plan),
				`\`waitlist waves ${name}\` shows what becomes of them, \`waitlist pause ${name}\` stops them.`,
			].join("\n"),
		);
	});
}

async function emailsIn(file: string): Promise<string[]> {
	const emails: string[] = [];
	for await (const lines of readLines[formatOf(file)](await openToRead(file))) {
		for (const line of lines) {
			const email = "fields" in line ? line.fields.email : undefined;
			if (typeof email !== "string") {
				throw new Error(`${file}, line ${line.line}: no address is there.`);
			}
			if (email !== "") emails.push(email);
		}
	}
	return emails;
}

function planText(plan: AskedPlan, { uninvited }: Selection, random: boolean, now: Date): string {
	const { wave, letters, adding, waiting, takesMs, gap, example } = plan;
	const isNews = wave.kind === "news";
	const what = isNews ? "emails" : "invitations";
	const before = [...(isNews ? ["had it"] : []), ...(uninvited ? ["invited"] : [])].join(" or ");
	const size = wave.size === 0 ? "to everybody selected" : `${number(wave.size)} ${what}`;
	const starts = Math.max(Date.parse(wave.startsAt), now.getTime());
	const order = random ? "by chance" : "in the order in which they joined";
	return [
		`Wave ${wave.name}: ${size}. It has ${number(letters)}, and gets ${number(adding)} more, ${order}.`,
		`Of ${number(plan.selected)} people ${number(plan.eligible)} can get one. The others: ` +
			`${number(plan.flagged)} flagged, ${number(plan.burst)} in a burst, ${number(plan.left)} unsubscribed, ` +
			`${number(plan.bounced)} bounced, ${number(plan.had)} ${before} before, ` +
			`${number(plan.unconfirmed)} not confirmed.`,
		...(starts > now.getTime() ? [`No email goes out before ${shownTime(wave.startsAt)}.`] : []),
		...backlogAsText(waiting),
		...(takesMs > 0
			? [
					`With these the last one goes out on ${shownTime(isoOf(Math.min(starts + takesMs, LATEST_MS)))}.`,
				]
			: []),
		...stoppedAsText(plan),
		...(gap ? [despiteGapAsText(gap)] : []),
		...(wave.validDays > 0
			? [`A code is good for ${wave.validDays} days after its email was sent.`]
			: []),
		"",
		...openPointsAsText(plan.open),
		`Subject: ${example.subject}`,
		"",
		example.text,
	].join("\n");
}

/** Says what is open before a wave; nothing where all is there. */
function openPointsAsText(open: readonly Finding[]): string[] {
	if (open.length === 0) return [];
	return [
		`Before this wave ${open.length === 1 ? "one point is" : `${open.length} points are`} open:`,
		...open.map(({ name, found }) => `✗ ${name}: ${found}`),
		"",
	];
}

/** Why the emails do not go out, and what lets them. */
function stoppedAsText({ wave: { name, state }, pause }: Plan): string[] {
	return [
		...(state === "paused"
			? [`${name} is paused: no email of it goes out until \`waitlist resume ${name}\`.`]
			: []),
		...(pause ? [pauseAsText(pause)] : []),
	];
}
