import { type Command, InvalidArgumentError } from "commander";
import type { Finding } from "../../database/database.ts";
import { openToRead } from "../../files/files.ts";
import { despiteGapAsText, refuseInGap } from "../../mail/emails/gaps.ts";
import { countLettersOf } from "../../mail/emails/letter-counts.ts";
import type { Operation } from "../../registrations/operation.ts";
import { findPeople } from "../../registrations/registrations.ts";
import { DAY_MS } from "../../time.ts";
import { formatOf, readLines } from "../../transfer/import-formats.ts";
import { lastBackup } from "../../transfer/last-backup.ts";
import { type AskedWave, addWave } from "../../waves/add-wave.ts";
import { refuseWithoutImprint } from "../../waves/imprint.ts";
import { beforeTheWave } from "../../waves/launch.ts";
import { type Plan, planWave } from "../../waves/plan-wave.ts";
import { DOMAIN_INVALID, readDomain, type Selection } from "../../waves/selection.ts";
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
} from "../terminal/command.ts";
import { backlogAsText, pauseAsText } from "../terminal/letters-as-text.ts";

/** What `invite` and `write` let the operator choose. */
export interface Chosen {
	source?: string;
	domain?: string;
	file?: string;
	unconfirmed?: boolean;
	despiteGap?: boolean;
	/** False by `--no-imprint`. */
	imprint?: boolean;
	dryRun?: boolean;
	yes?: boolean;
	json?: boolean;
}

/** Adds the options that `invite` and `write` have in common. */
export function addWaveOptions(command: Command): Command {
	return command
		.requiredOption("--wave <name>", "its name: the same again adds what is missing", waveName)
		.option("--source <label>", "those who joined through this site", sourceLabel)
		.option("--domain <domain>", "those whose address is there, as in example.com", domain)
		.option("--file <file>", "those whose addresses stand there, as `import` reads them")
		.option("--unconfirmed", "also those who have not confirmed their address")
		.option("--at <time>", "not before, as in 2026-11-21 or 2026-11-21T09:30Z", time)
		.option("--despite-gap", DESPITE_GAP_HELP)
		.option("--no-imprint", "go on where the letter names no postal address, or no imprint")
		.option("--dry-run", "only show numbers, a letter, and how long it takes")
		.option("--yes", "do not ask")
		.option("--json", JSON_HELP);
}

function domain(text: string): string {
	const domain = readDomain(text);
	if (domain !== undefined) return domain;
	throw new InvalidArgumentError(DOMAIN_INVALID);
}

/** What the operator can do about it. */
const DESPITE_IMPRINT = "Or use --no-imprint, which sends them all the same.";

/** A wave before it goes out, and what is not there that it needs. */
interface AskedPlan extends Plan {
	open: Finding[];
}

/**
 * Shows what a wave would be, asks the operator, and adds its letters, a page at a time: a kill leaves
 * some, and the same again adds the others.
 *
 * @param seed of the order of chance; by time without it
 */
export async function askForWave(
	operation: Operation,
	asked: AskedWave,
	{
		chosen,
		uninvited,
		seed,
		command,
	}: {
		chosen: Chosen;
		uninvited: boolean;
		seed: string | undefined;
		command: Command;
	},
): Promise<void> {
	const { database } = operation;
	const { despiteGap = false, imprint = true, dryRun = false, yes = false } = chosen;
	const { json, source, domain } = chosen;
	const mail = mailOf(operation.settings);
	const people =
		chosen.file === undefined ? undefined : await findPeople(database, await emailsIn(chosen.file));
	const selection: Selection = {
		unconfirmed: chosen.unconfirmed ?? false,
		uninvited,
		...(source === undefined ? {} : { source }),
		...(domain === undefined ? {} : { domain }),
		...(people === undefined ? {} : { keys: people.keys }),
	};
	const plan = {
		...(await planWave(operation, asked, selection, mail)),
		open: beforeTheWave(operation, await lastBackup(database.query), asked.kind).filter(
			({ ok }) => !ok,
		),
	};
	const notFound = people?.notFound ?? [];
	const order = seed === undefined ? {} : { seed };
	const planAsText = () =>
		[planText(plan, selection, seed, operation.now), ...notFoundAsText(notFound)].join("\n");
	if (notFound.length > 0) process.exitCode = EXIT.notFound;
	if (dryRun) {
		print(json, { ...plan, ...order, notFound }, planAsText);
		return;
	}
	if (!despiteGap) await refuseInGap(database.query);
	if (imprint && plan.adding > 0) refuseWithoutImprint(plan.open, DESPITE_IMPRINT);
	if (!yes && plan.adding > 0) {
		if (!process.stdin.isTTY) {
			command.error("error: nobody can be asked here: look at --dry-run, then say --yes");
		}
		tell(planAsText());
		const despite = plan.open.length > 0 ? " all the same" : "";
		if (!(await operatorAgrees(`Send these letters${despite}?`))) {
			throw new Error("Nothing was sent.");
		}
	}
	const added = await addWave(operation, asked, selection, seed);
	const letters = await countLettersOf(database.query, asked.name);
	const { takesMs } = plan;
	print(json, { wave: asked.name, added, letters, takesMs, ...order, notFound }, () =>
		[
			`${asked.name}: ${number(added)} added, which makes ${number(letters)}.`,
			...(seed === undefined ? [] : [`The seed of their order: ${seed}`]),
			...notFoundAsText(notFound),
			...(plan.open.length > 0
				? [`Points that are open: ${plan.open.length}. See \`waitlist check --launch\`.`]
				: []),
			...stoppedAsText(plan),
			`\`waitlist waves ${asked.name}\` shows what becomes of them, \`waitlist pause ${asked.name}\` stops them.`,
		].join("\n"),
	);
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

function planText(
	plan: AskedPlan,
	{ uninvited }: Selection,
	seed: string | undefined,
	now: Date,
): string {
	const { wave, letters, adding, waiting, takesMs, gap, letter } = plan;
	const isNews = wave.kind === "news";
	const what = isNews ? "letters" : "invitations";
	const before = [...(isNews ? ["had it"] : []), ...(uninvited ? ["invited"] : [])].join(" or ");
	const size = wave.size === 0 ? "to everybody selected" : `${number(wave.size)} ${what}`;
	const isLater = Date.parse(wave.startsAt) > now.getTime();
	const order =
		seed === undefined ? "in the order in which they joined" : `by chance, seed ${seed}`;
	return [
		`Wave ${wave.name}: ${size}. It has ${number(letters)}, and gets ${number(adding)} more, ${order}.`,
		`Of ${number(plan.selected)} people ${number(plan.eligible)} can get one. The others: ` +
			`${number(plan.flagged)} flagged, ${number(plan.burst)} in a burst that was not ` +
			`released, ${number(plan.left)} left, ` +
			`${number(plan.bounced)} bounced, ${number(plan.had)} ${before} before, ` +
			`${number(plan.unconfirmed)} not confirmed.`,
		...(isLater ? [`No letter goes out before ${wave.startsAt}.`] : []),
		...backlogAsText(waiting),
		...(takesMs > 0
			? [
					`With these letters the last one is out ${inAbout(takesMs)} at today's rate` +
						`${isLater ? ", counted from then" : ""}.`,
				]
			: []),
		...stoppedAsText(plan),
		...(gap ? [despiteGapAsText(gap)] : []),
		...(wave.validDays > 0
			? [`A code is good for ${wave.validDays} days after its letter was sent.`]
			: []),
		"",
		...openPointsAsText(plan.open),
		`Subject: ${letter.subject}`,
		"",
		letter.text,
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

/** Why the letters do not go out, and what lets them. */
function stoppedAsText({ wave: { name, state }, pause }: Plan): string[] {
	return [
		...(state === "paused"
			? [`${name} is paused: no letter of it goes out until \`waitlist resume ${name}\`.`]
			: []),
		...(pause ? [pauseAsText(pause)] : []),
	];
}

/** `in about 5 hours`. */
function inAbout(ms: number): string {
	const [unit, unitMs] = (
		[
			["day", DAY_MS],
			["hour", 3_600_000],
			["minute", 60_000],
		] as const
	).find(([, size]) => ms >= 2 * size) ?? ["minute", 60_000];
	return new Intl.RelativeTimeFormat("en")
		.format(Math.ceil(ms / unitMs), unit)
		.replace("in", "in about");
}
