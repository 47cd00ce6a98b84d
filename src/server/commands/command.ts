import { type Command, InvalidArgumentError } from "commander";
import { openDatabase } from "../database/open-database.ts";
import { failureReason, openToRead } from "../files/files.ts";
import { isWaveName, WAVE_NAME_INVALID } from "../mail/waves.ts";
import { auditStatement, COMMAND_SESSION } from "../registrations/audit.ts";
import type { Operation } from "../registrations/operation.ts";
import { isSourceLabel, SOURCE_INVALID } from "../registrations/registrations.ts";
import { locateSecrets } from "../secret.ts";
import { type MailSettings, readSettings, type Settings } from "../settings.ts";
import { formatNumber } from "../text/format-number.ts";
import { printable } from "../text/printable.ts";
import { parseTime, setShownTimeZone } from "../time.ts";
import { importFormatOf, readLines } from "../transfer/import-formats.ts";

export const EXIT_CODES = { done: 0, problem: 1, wrongUse: 2, notFound: 3 };

interface Result {
	json: object;
	text: readonly string[];
	/** Addresses or lines that match no one: the command prints them last and exits with 3. */
	notFound?: readonly string[];
	exit?: number;
}

/** Arguments, options and command: commander has no types for them. */
type Typed = Parameters<Parameters<Command["action"]>[0]>;

/** Creates a commander action that opens the database, runs `work` and prints its result. */
export const databaseAction =
	(work: (operation: Operation, ...typed: Typed) => Promise<Result | undefined>) =>
	(...typed: Typed): Promise<void> =>
		withDatabase(async (operation) => {
			const result = await work(operation, ...typed);
			if (result) printResult(typed.at(-2).json, result);
		});

export async function withDatabase(
	work: (operation: Operation) => Promise<void>,
	{ create = false } = {},
): Promise<void> {
	const operation = createOperation();
	const database = await openDatabase(operation.settings.database, { create });
	try {
		await work({ database, ...operation });
	} finally {
		await database.close();
	}
}

export function createOperation(): Omit<Operation, "database"> {
	const settings = readSettings(process.env, process.cwd());
	setShownTimeZone(settings.timeZone);
	const now = new Date();
	return {
		settings,
		now,
		places: locateSecrets(settings, settings.database),
		note: (action, details = "") => [
			auditStatement({ session: COMMAND_SESSION, action, details }, now),
		],
	};
}

export function printResult(
	asJson: boolean | undefined,
	{ json, text, notFound, exit }: Result,
): void {
	const lines = [...text, ...notFoundAsText(notFound ?? [])];
	const whole = { ...json, ...(notFound && { notFound }) };
	console.log(printable(asJson ? JSON.stringify(whole, null, "\t") : lines.join("\n")));
	if (notFound && notFound.length > 0) process.exitCode = EXIT_CODES.notFound;
	else if (exit !== undefined) process.exitCode = exit;
}

export const notFoundAsText = (emails: readonly string[]) =>
	emails.map((email) => `Not on the waitlist: ${email}`);

export const printToStderr = (text: string) => console.error(printable(text));

export function requireMail({ mail }: Settings): MailSettings {
	if (mail) return mail;
	throw new Error("Email is off: set SMTP_URL, WAITLIST_MAIL_FROM and SITE_ORIGIN.");
}

export const DESPITE_GAP_HELP =
	"send even though emails from before a restore are unaccounted for: some people may get duplicates";

export const requireAddressesOr =
	(...options: readonly string[]) =>
	(command: Command): void => {
		const isChoosing = options.some((option) => command.opts()[option] !== undefined);
		if (isChoosing !== command.args.length > 0) return;
		const names = options.map((option) => `--${option}`).join(" or ");
		command.error(`error: give addresses, or use ${names}, but not both`);
	};

export function alignTable(rows: readonly (readonly [string, ...(string | number)[]])[]): string[] {
	const texts = rows.map((row) =>
		row.map((cell) => (typeof cell === "number" ? formatNumber(cell) : cell)),
	);
	const widthOf = (n: number) => Math.max(...texts.map((row) => row[n]!.length));
	return texts.map((row) =>
		row
			.map((text, n) => `  ${n === 0 ? text.padEnd(widthOf(n)) : text.padStart(widthOf(n))}`)
			.join(""),
	);
}

/** Reads the addresses in a file, or in standard input for `-`, without duplicates. */
export async function readAddresses(file: string): Promise<string[]> {
	const input = file === "-" ? process.stdin : await openToRead(file);
	const addresses = new Set<string>();
	try {
		for await (const line of readLines[importFormatOf(file)](input)) {
			const email = "fields" in line ? line.fields.email : undefined;
			if (typeof email !== "string") throw new Error(`line ${line.line} has no address`);
			addresses.add(email.trim());
		}
	} catch (error) {
		throw new Error(`${file} cannot be read: ${failureReason(error)}.`, { cause: error });
	}
	addresses.delete("");
	return [...addresses];
}

export const optionParser =
	<Value>(read: (text: string) => Value | false | undefined, invalid: string) =>
	(text: string): Value => {
		const value = read(text);
		if (value === undefined || value === false) throw new InvalidArgumentError(invalid);
		return value;
	};

export const wholeNumberParser = (most: number) =>
	optionParser(
		(text) => /^[1-9]\d*$/.test(text) && Number(text) <= most && Number(text),
		`It must be a whole number from 1 to ${most}.`,
	);

export const parseDays = optionParser(
	(text) => /^[1-9]\d{0,3}d$/.test(text) && Number(text.slice(0, -1)),
	"It must be a number of days from 1d to 9999d, such as 14d.",
);

export const parseSourceLabel = optionParser((text) => isSourceLabel(text) && text, SOURCE_INVALID);

export const parseWaveName = optionParser((text) => isWaveName(text) && text, WAVE_NAME_INVALID);

/** Parses a time, in WAITLIST_TIME_ZONE if it names no zone. */
export const parseTimeOption = optionParser(
	(text) => parseTime(text, readSettings(process.env, process.cwd()).timeZone),
	"It must be a day or a time, such as 2026-11-21 or 2026-11-21T09:30Z.",
);
