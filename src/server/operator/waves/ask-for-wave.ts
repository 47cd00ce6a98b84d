import { domainToASCII } from "node:url";
import { type Command, InvalidArgumentError } from "commander";
import { DAY_MS, daysAfter } from "../../days.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../join/fields.ts";
import { countToSend } from "../../letters/outbox.ts";
import { isWaveName, WAVE_NAME_INVALID, type Wave } from "../../letters/wave.ts";
import type { Rate } from "../../settings.ts";
import { findPeople } from "../database/registrations.ts";
import { findWave } from "../database/waves.ts";
import { writeExample } from "../example-letter.ts";
import { time } from "../export.ts";
import { openToRead } from "../files/files.ts";
import { formatOf } from "../import.ts";
import { readLines } from "../import-formats.ts";
import {
	EXIT,
	JSON_HELP,
	mailOf,
	notFoundAsText,
	number,
	type Operation,
	operatorAgrees,
	print,
} from "../operation.ts";
import { type AskedWave, addLetters, countLettersOf, keepWave, waveOf } from "./add-wave.ts";
import { countEligible, type Eligibility, pagesOf, type Selection } from "./selection.ts";

/** What `invite` and `write` let the operator choose. */
export interface Chosen {
	source?: string;
	domain?: string;
	file?: string;
	unconfirmed?: boolean;
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
		.option("--dry-run", "only show numbers, a letter, and how long it takes")
		.option("--yes", "do not ask")
		.option("--json", JSON_HELP);
}

function waveName(text: string): string {
	if (isWaveName(text)) return text;
	throw new InvalidArgumentError(WAVE_NAME_INVALID);
}

function sourceLabel(text: string): string {
	if (isSourceLabel(text)) return text;
	throw new InvalidArgumentError(SOURCE_INVALID);
}

function domain(text: string): string {
	const ascii = domainToASCII(text.replace(/^@/, "").toLowerCase());
	if (ascii.includes(".")) return ascii;
	throw new InvalidArgumentError("It must be a domain, as in example.com.");
}

/** A wave before it goes out, in numbers. */
interface Plan extends Eligibility {
	wave: Wave;
	/** Letters that the wave has. */
	letters: number;
	/** Letters that it would get now. */
	adding: number;
	/** How long the rate makes it take until the last one is out, in ms; 0 without a rate. */
	takesMs: number;
	/** A letter of it, as a person gets it. */
	letter: { subject: string; text: string };
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
	const { dryRun = false, yes = false, json, source, domain } = chosen;
	mailOf(operation.settings);
	const people =
		chosen.file === undefined ? undefined : await findPeople(database, await emailsIn(chosen.file));
	const selection: Selection = {
		...{ unconfirmed: chosen.unconfirmed ?? false, uninvited },
		...(source === undefined ? {} : { source }),
		...(domain === undefined ? {} : { domain }),
		...(people === undefined ? {} : { keys: people.keys }),
	};
	const plan = await planWave(operation, asked, selection);
	const notFound = people?.notFound ?? [];
	const order = seed === undefined ? {} : { seed };
	const planAsText = () =>
		[planText(plan, selection, seed, operation.now), ...notFoundAsText(notFound)].join("\n");
	if (notFound.length > 0) process.exitCode = EXIT.notFound;
	if (dryRun) {
		print(json, { ...plan, ...order, notFound }, planAsText);
		return;
	}
	if (!yes && plan.adding > 0) {
		if (!process.stdin.isTTY) {
			command.error("error: nobody can be asked here: look at --dry-run, then say --yes");
		}
		console.error(planAsText());
		if (!(await operatorAgrees("Send these letters?"))) {
			throw new Error("Nothing was sent.");
		}
	}
	const added = await addWave(operation, asked, selection, seed);
	const letters = await countLettersOf(database, asked);
	const { takesMs } = plan;
	print(json, { wave: asked.name, added, letters, takesMs, ...order, notFound }, () =>
		[
			`${asked.name}: ${number(added)} added, which makes ${number(letters)}.`,
			...(seed === undefined ? [] : [`The seed of their order: ${seed}`]),
			...notFoundAsText(notFound),
			`See \`waitlist waves ${asked.name}\`, and \`waitlist pause ${asked.name}\` to stop them.`,
		].join("\n"),
	);
}

async function emailsIn(file: string): Promise<string[]> {
	const emails: string[] = [];
	for await (const line of readLines[formatOf(file)](await openToRead(file))) {
		const email = "fields" in line ? line.fields.email : undefined;
		if (typeof email !== "string")
			throw new Error(`${file}, line ${line.line}: no address is there.`);
		if (email !== "") emails.push(email);
	}
	return emails;
}

async function planWave(
	{ database, settings, now }: Operation,
	asked: AskedWave,
	selection: Selection,
): Promise<Plan> {
	const mail = mailOf(settings);
	const there = await findWave(database.query, asked.name);
	const wave = waveOf(asked, there, now);
	const letters = there ? await countLettersOf(database, wave) : 0;
	const eligibility = await countEligible(database, wave, selection);
	const lacks = asked.size === 0 ? Number.POSITIVE_INFINITY : Math.max(0, asked.size - letters);
	const adding = Math.min(lacks, eligibility.eligible);
	const [before] = await database.query<{ letters: number }>(`SELECT ${countToSend()} AS letters`);
	const takesMs = adding === 0 ? 0 : durationOf(before!.letters + adding, mail.rate);
	const start = Math.max(now.getTime(), Date.parse(wave.startsAt));
	const expiresAt = daysAfter(start, wave.validDays);
	const { subject, text } = writeExample({ ...wave, wave: wave.name, expiresAt }, mail, now);
	return { wave, letters, ...eligibility, adding, takesMs, letter: { subject, text } };
}

function durationOf(letters: number, rate: Rate | undefined): number {
	return rate ? Math.ceil((letters / rate.count) * rate.periodMs) : 0;
}

/** @returns how many letters were added */
async function addWave(
	{ database, now, progress }: Operation,
	asked: AskedWave,
	selection: Selection,
	seed: string | undefined,
): Promise<number> {
	const wave = await keepWave(database, asked, now);
	let added = 0;
	for await (const keys of pagesOf(database, wave, selection, seed)) {
		while (keys.length > 0) {
			const more = await addLetters(database, asked, selection, keys, now);
			if (more === undefined) {
				progress.end();
				return added;
			}
			added += more;
			progress.show("added", added, asked.size);
		}
	}
	progress.end();
	return added;
}

function planText(
	plan: Plan,
	{ uninvited }: Selection,
	seed: string | undefined,
	now: Date,
): string {
	const { wave, letters, adding, takesMs, letter } = plan;
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
			`${number(plan.flagged)} marked by the trap, ${number(plan.left)} left, ` +
			`${number(plan.bounced)} bounced, ${number(plan.had)} ${before} before, ` +
			`${number(plan.unconfirmed)} not confirmed.`,
		...(isLater ? [`No letter goes out before ${wave.startsAt}.`] : []),
		...(takesMs > 0
			? [
					`By WAITLIST_MAIL_RATE the last one is out ${inAbout(takesMs)}` +
						`${isLater ? ", counted from then" : ""}.`,
				]
			: []),
		...(wave.validDays > 0
			? [`A code is good for ${wave.validDays} days after its letter was sent.`]
			: []),
		"",
		`Subject: ${letter.subject}`,
		"",
		letter.text,
	].join("\n");
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
