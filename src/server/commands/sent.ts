import { type Command, Option } from "commander";
import { canonicalEmail } from "#shared/email.ts";
import type { Database } from "../database/database.ts";
import { openToRead, reasonOf } from "../files/files.ts";
import { countAssumed } from "../mail/emails/email-counts.ts";
import { findGap, type Gap, settleGap } from "../mail/emails/gaps.ts";
import {
	markByIds,
	markByKeys,
	peopleByEmail,
	takeBackAssumed,
} from "../mail/emails/sent-emails.ts";
import { VALID_DAYS, type Wave, type WaveKind } from "../mail/wave/wave.ts";
import { findWave, saveWave } from "../mail/wave/waves.ts";
import { NotFound } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { findPeople } from "../registrations/registrations.ts";
import { asciiDomain } from "../text/ascii-domain.ts";
import { formatOf, type ImportFormat, type Line, readLines } from "../transfer/import-formats.ts";
import {
	EXIT,
	JSON_HELP,
	notFoundAsText,
	number,
	print,
	waveName,
	withDatabase,
} from "./terminal/command.ts";

const KINDS: readonly WaveKind[] = ["invitation", "news"];

/** Adds `waitlist sent`: emails went out, as the mail provider's log says. */
export function addSent(program: Command): void {
	program
		.command("sent")
		.summary("mark emails as sent, by the mail provider's log")
		.description(
			"After a restore, marks unknown emails as sent. The file has an address or a message id in each " +
				"line, or is CSV with a column `email`, `recipient` or `message-id`. An address marks all " +
				"unknown emails to it, with --wave only the email of that wave.",
		)
		.option("--file <file>", "what the provider accepted since the backup, or - for standard input")
		.addOption(
			new Option("--format <format>", "by default from the file's name").choices(
				Object.keys(readLines),
			),
		)
		.option(
			"--wave <name>",
			"emails of this wave, also those that the backup did not have",
			waveName,
		)
		.addOption(
			new Option("--as <kind>", "what the wave was, where the backup did not have it").choices(
				KINDS,
			),
		)
		.option("--complete", "nothing else was sent: what was assumed waits again, held")
		.option("--json", JSON_HELP)
		.action(async ({ file, format, wave, as, complete = false, json }, command: Command) => {
			if (file === undefined && !complete) command.error("error: name a --file, or use --complete");
			if (file === undefined && wave !== undefined) command.error("error: --wave needs a --file");
			if (wave === undefined && as !== undefined) command.error("error: --as needs a --wave");
			await withDatabase(async (operation) => {
				const log = file === undefined ? [] : await readLog(file, format ?? formatOf(file));
				const ofWave = wave === undefined ? undefined : await findSentWave(operation, wave, as);
				const marked = await markAsSent(operation, log, ofWave);
				const notSent = complete ? { notSent: await settle(operation) } : {};
				const unknown = await countAssumed(operation.database);
				const gap = await findGap(operation.database);
				const result = { ...marked, ...notSent, unknown };
				print(json, result, () =>
					[...(file === undefined ? [] : markedAsText(result)), ...restAsText(result, gap)].join(
						"\n",
					),
				);
				if (marked.notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

/**
 * Reads addresses and message ids, each once.
 *
 * @throws Error with a sentence for the operator when the file or a line cannot be read
 */
async function readLog(file: string, format: ImportFormat): Promise<string[]> {
	const input = file === "-" ? process.stdin : await openToRead(file);
	const log = new Set<string>();
	try {
		for await (const lines of readLines[format](input)) {
			for (const line of lines) log.add(textOf(line));
		}
	} catch (error) {
		throw new Error(`${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
	}
	log.delete("");
	return [...log];
}

/** @throws Error that names the line, to end a sentence with */
function textOf(line: Line): string {
	const { messageId, email } = "fields" in line ? line.fields : {};
	const text = messageId || email;
	if (typeof text === "string") return text.trim();
	throw new Error(`line ${line.line} has neither an address nor a message id`);
}

/**
 * Finds the wave whose emails went out. A wave that was made after the backup is added with a time before the
 * end of the gap, so that its codes redeem.
 *
 * @throws NotFound unless its kind is given
 */
function findSentWave(
	{ database, now }: Operation,
	name: string,
	kind: WaveKind | undefined,
): Promise<Wave> {
	return database.transact(async (tx) => {
		const there = await findWave(tx, name);
		if (there) return there;
		if (!kind) {
			throw new NotFound(
				`There is no wave ${name}: see \`waitlist waves\`. If it was made after the backup, say ` +
					"what it was: --as invitation, or --as news.",
			);
		}
		const time = (await findGap(tx))?.from ?? now.toISOString();
		const wave: Wave = {
			name,
			kind,
			state: "open",
			askedAt: time,
			changedAt: time,
			size: 0,
			startsAt: time,
			validDays: kind === "news" ? 0 : VALID_DAYS,
			subject: "",
			message: "",
		};
		await saveWave(tx, wave);
		return wave;
	}, undefined);
}

/** The id of an email, alone or in its Message-ID. */
const MESSAGE_ID = /^<?([0-9a-f]{32})(?:@[^<>]*)?>?$/i;

const idOf = (text: string) => MESSAGE_ID.exec(text)?.[1]?.toLowerCase();

/** What was marked by a log. */
interface Marked {
	/** Emails that are known as sent from now on. */
	marked: number;
	/** People on the waitlist without an unknown email: it is known as sent, or there is none. */
	unchanged: number;
	/** Lines that are neither an address on the waitlist nor the id of an email. */
	notFound: string[];
}

/** People in one transaction: few, so that joins between two transactions do not wait. */
const PAGE_ROWS = 500;

async function markAsSent(
	{ database, now, progress }: Operation,
	log: readonly string[],
	wave: Wave | undefined,
): Promise<Marked> {
	const result: Marked = { marked: 0, unchanged: 0, notFound: [] };
	for (let n = 0; n < log.length; n += PAGE_ROWS) {
		const page = await peopleOf(database, log.slice(n, n + PAGE_ROWS));
		const marked = await database.transact(
			async (tx, { ids, keys }) => [
				...(await markByIds(tx, ids, now)),
				...(await markByKeys(tx, keys, wave, now)),
			],
			page,
		);
		const known = new Set(marked);
		const others = new Set([...page.keys, ...page.keysOfIds].filter((key) => !known.has(key)));
		result.marked += marked.length;
		result.unchanged += others.size;
		result.notFound.push(...page.notFound);
		progress.show("read", n, log.length);
	}
	progress.end();
	return result;
}

/** Tells message ids from addresses, which may look alike: the email of an id is there. */
async function peopleOf(database: Database, log: readonly string[]) {
	const ids = log.flatMap((text) => idOf(text) ?? []);
	const found = await peopleByEmail(database, ids);
	const others = log.filter((text) => !found.has(idOf(text) ?? ""));
	const isAddress = (text: string) => "key" in canonicalEmail(text, asciiDomain);
	const { keys, notFound } = await findPeople(database, others.filter(isAddress));
	return {
		ids: [...found.keys()],
		keysOfIds: [...found.values()],
		keys,
		notFound: [...notFound, ...others.filter((text) => !isAddress(text))],
	};
}

/** All that was sent is marked. @returns how many emails were not sent, and wait again, held */
function settle({ database, now }: Operation): Promise<number> {
	return database.transact(async (tx) => {
		await settleGap(tx, now);
		return (await tx.all(takeBackAssumed(now))).length;
	}, undefined);
}

const markedAsText = ({ marked, unchanged, notFound }: Marked): string[] => [
	`emails marked as sent: ${number(marked)}`,
	`people without an unknown email: ${number(unchanged)}`,
	...notFoundAsText(notFound),
];

/** Says what became of the emails that the log did not mention, and what comes next. */
function restAsText(
	{ notSent, unknown }: { notSent?: number; unknown: number },
	gap: Gap | undefined,
): string[] {
	if (notSent !== undefined) {
		return [
			`emails that were not sent, held until \`waitlist resume\`: ${number(notSent)}`,
			"Everything is known now: `invite` and `news` go on as before.",
		];
	}
	if (!gap && unknown === 0) return [];
	return [
		`emails that are still unknown: ${number(unknown)}`,
		"When all of the log is marked: `waitlist sent --complete`.",
	];
}
