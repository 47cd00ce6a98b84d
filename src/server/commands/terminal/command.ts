import { createInterface } from "node:readline/promises";
import { InvalidArgumentError } from "commander";
import { openDatabase } from "../../database/open-database.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../../mail/wave/wave.ts";
import { COMMAND, noteInAudit } from "../../registrations/audit.ts";
import type { Operation, Progress } from "../../registrations/operation.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/source.ts";
import { placesOf } from "../../secret.ts";
import { type MailSettings, readSettings, type Settings } from "../../settings.ts";
import { printable } from "../../text/printable.ts";
import { parseTime, showTimesIn } from "../../time.ts";

/** How the command ends, for scripts. An error ends it with 1, and `NotFound` with 3. */
export const EXIT = { done: 0, problem: 1, wrongUse: 2, notFound: 3 };

/** Opens the database of the settings, works with it, and closes it. */
export async function withDatabase(
	work: (operation: Operation) => Promise<void>,
	{ create = false } = {},
): Promise<void> {
	const operation = readOperation();
	const database = await openDatabase(operation.settings.database, { create });
	try {
		await work({ database, ...operation });
	} finally {
		await database.close();
	}
}

/** What a command needs besides its database. */
export function readOperation(): Omit<Operation, "database"> {
	const settings = readSettings(process.env, process.cwd());
	showTimesIn(settings.timeZone);
	const places = placesOf(settings, settings.database);
	const now = new Date();
	const note: Operation["note"] = (action, details = "") => [
		noteInAudit({ session: COMMAND, action, details }, now),
	];
	return { settings, now, places, progress: progressOnTerminal(), note };
}

/** @throws Error with a sentence for the operator where mail is off */
export function mailOf({ mail }: Settings): MailSettings {
	if (mail) return mail;
	throw new Error("No email is sent from here: set SMTP_URL, WAITLIST_MAIL_FROM and SITE_ORIGIN.");
}

/** Ten times a second is as often as a person can read. */
const EVERY_MS = 100;

/** Shows progress on standard error if that is a terminal. Standard output is for results only. */
function progressOnTerminal(): Progress {
	if (!process.stderr.isTTY) return { show: () => {}, end: () => {} };
	let shownAt = 0;
	return {
		show(done, n, total) {
			const now = performance.now();
			if (now - shownAt < EVERY_MS) return;
			shownAt = now;
			const percent = total > 0 ? ` (${Math.floor((100 * n) / total)} %)` : "";
			process.stderr.write(`\r\x1b[K${done} ${number(n)}${percent}`);
		},
		end() {
			process.stderr.write("\r\x1b[K");
		},
	};
}

/** The help of `--json`, which every command has. */
export const JSON_HELP = "print JSON instead of text";

/** The help of `--despite-gap`, which every command has that chooses new people to write to. */
export const DESPITE_GAP_HELP = "although a restore is not settled yet";

/** Prints a result for a program or for a person. */
export function print(json: boolean | undefined, result: object, asText: () => string): void {
	console.log(printable(json ? JSON.stringify(result, null, "\t") : asText()));
}

/** Writes to standard error what is not a result, because standard output is for results only. */
export function tell(text: string): void {
	console.error(printable(text));
}

/** Names the addresses that are not on the waitlist. */
export function notFoundAsText(emails: readonly string[]): string[] {
	return emails.map((email) => `Not on the waitlist: ${email}`);
}

/** A number as the operator reads it: `1,000,000`. */
export const number = (n: number) => n.toLocaleString("en");

/** Asks on a terminal. Elsewhere the answer is no. */
export async function operatorAgrees(question: string): Promise<boolean> {
	if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
	const terminal = createInterface({ input: process.stdin, output: process.stderr });
	const answer = await terminal
		.question(printable(`${question} [y/N] `))
		.finally(() => terminal.close());
	return /^y(es)?$/i.test(answer.trim());
}

/** Reads the value of an option that counts something. */
export const wholeNumber = wholeNumberUpTo(99_999);

/** The same for larger numbers. */
export function wholeNumberUpTo(most: number): (text: string) => number {
	return (text) => {
		if (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= most) return Number(text);
		throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
	};
}

/** Reads the value of an option that says for how long, as in `14d`. Gives days. */
export function days(text: string): number {
	const [, number] = /^([1-9]\d{0,3})d$/.exec(text) ?? [];
	if (number) return Number(number);
	throw new InvalidArgumentError("It must be a number of days from 1d to 9999d, as in 14d.");
}

/** Reads the value of an option that names where people joined. */
export function sourceLabel(text: string): string {
	if (isSourceLabel(text)) return text;
	throw new InvalidArgumentError(SOURCE_INVALID);
}

/** Reads the value of an option that is a time, in WAITLIST_TIME_ZONE if it names no zone. */
export function time(text: string): string {
	const { timeZone } = readSettings(process.env, process.cwd());
	const parsed = parseTime(text, timeZone);
	if (parsed !== undefined) return parsed;
	throw new InvalidArgumentError(
		"It must be a day or a time, as in 2026-11-21 or 2026-11-21T09:30Z.",
	);
}

/** Reads the value of an option that names a wave. */
export function waveName(text: string): string {
	if (isWaveName(text)) return text;
	throw new InvalidArgumentError(WAVE_NAME_INVALID);
}
