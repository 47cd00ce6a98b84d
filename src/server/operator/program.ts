import { Command, InvalidArgumentError, Option } from "commander";
import { brand } from "#brand";
import { backupDays, waitlistMonths } from "#shared/retention.ts";
import { isSourceLabel, SOURCE_INVALID } from "../join/fields.ts";
import {
	type DatabaseSettings,
	parseDatabaseUrl,
	readSettings,
	type Settings,
} from "../settings.ts";
import { backUp, restore } from "./backup.ts";
import { check, settingsForPeople } from "./check.ts";
import { type Copied, copy } from "./copy.ts";
import { type Database, openDatabase } from "./database.ts";
import { erasureCodes } from "./erasure.ts";
import { exportRegistrations, type Format } from "./export.ts";
import { type ImportFormat, importRegistrations, type RefusedLine } from "./import.ts";
import { eraseAddresses, eraseOlderThan, findAddress } from "./people.ts";
import { progressOnTerminal } from "./progress.ts";
import { readStats, statsAsText } from "./stats.ts";
import { monthsBefore, parseTime } from "./time.ts";

/** How the command ends, for scripts. Whatever throws ends it with 1. */
const EXIT = { done: 0, problem: 1, wrongUse: 2, notFound: 3 };

/** More refused lines than a person reads; the number is always told. */
const MOST_REFUSED_LINES = 1000;

const progress = progressOnTerminal();

/** The operator's command, made of its commands. */
export function createProgram(): Command {
	const program = new Command("waitlist")
		.description(
			`Looks after ${brand.product}'s waitlist, also while the server runs.\n` +
				"It reads the same settings as the server, DATABASE_URL first of all.",
		)
		.addHelpText(
			"after",
			"\nExit codes: 0 done, 1 failed or something is wrong, 2 wrong use, 3 nothing found.",
		)
		.configureHelp({ showGlobalOptions: true })
		.exitOverride((error) => {
			process.exit(error.exitCode === 0 ? EXIT.done : EXIT.wrongUse);
		});
	for (const add of [
		addStats,
		addExport,
		addFind,
		addErase,
		addImport,
		addBackup,
		addRestore,
		addMigrate,
		addCheck,
	]) {
		add(program);
	}
	return program;
}

function addStats(program: Command): void {
	program
		.command("stats")
		.description("how many joined, by day, hour and source")
		.addOption(new Option("--by <what...>", "what to draw").choices(["day", "hour", "source"]))
		.option("--days <n>", "how many days back", wholeNumber, 14)
		.option("--hours <n>", "how many hours back", wholeNumber, 24)
		.option("--tz <zone>", "whose days and hours, as in Europe/Berlin", timeZone, "UTC")
		.option("--json", "for machines")
		.action(async ({ by = ["day", "hour", "source"], days, hours, tz, json }) => {
			await withDatabase(async ({ database, now }) => {
				const stats = await readStats(database, { now, zone: tz, days, hours });
				print(json, stats, () => statsAsText(stats, by));
			});
		});
}

function addExport(program: Command): void {
	program
		.command("export")
		.description("write registrations, the oldest first")
		.addOption(
			new Option("--format <format>", "file format").choices(["csv", "jsonl"]).default("csv"),
		)
		.option("--json", "the same as --format jsonl")
		.option("--since <time>", "joined then or later, as in 2026-11-21 or 2026-11-21T09:30Z", time)
		.option("--until <time>", "joined before then", time)
		.option("--source <label>", "joined through this site")
		.option("--flagged", "only those that the trap has marked")
		.option("--no-flagged", "only those that it has not")
		.option("--raw", "CSV cells as they are, though a spreadsheet may run some as formulas")
		.option("--output <file>", "a new file instead of standard output")
		.action(async ({ format, json, raw = false, output, ...filter }) => {
			await withDatabase(async ({ database }) => {
				const settings = { format: (json ? "jsonl" : format) as Format, filter, raw, progress };
				const rows = await exportRegistrations(database, output, settings);
				if (output !== undefined) console.error(`${rows} written to ${output}.`);
			});
		});
}

function addFind(program: Command): void {
	program
		.command("find <email>")
		.description("show what is kept of a person: any spelling of the address will do")
		.option("--json", "for machines")
		.action(async (email: string, { json }) => {
			await withDatabase(async ({ database, settings }) => {
				const found = await findAddress(database, email, () => erasureCodes(settings));
				print(json, found, () =>
					[
						...(found.registration
							? Object.entries(found.registration).map(([name, value]) => `${name}: ${value}`)
							: ["Not on the waitlist."]),
						...found.erasures.map(({ erasedAt, reason }) => `Erased on ${erasedAt}: ${reason}.`),
					].join("\n"),
				);
				if (!found.registration) process.exitCode = EXIT.notFound;
			});
		});
}

function addErase(program: Command): void {
	program
		.command("erase [emails...]")
		.description(
			"delete people for good: any spelling of an address will do\n" +
				"Prints a receipt, the answer to a GDPR or CCPA request, and keeps a proof that does not\n" +
				"hold the address.",
		)
		.option("--reason <text>", "kept with the proof", reason, "on request")
		.option(
			"--older-than <months>",
			`everybody who joined so many months ago or earlier (the privacy policy says ${waitlistMonths})`,
			wholeNumber,
		)
		.option("--json", "for machines")
		.action(async (emails: string[], { reason, olderThan, json }, command: Command) => {
			if (emails.length > 0 === (olderThan !== undefined)) {
				command.error("error: name the addresses to erase, or how old, but not both");
			}
			await withDatabase(async ({ database, settings, now }) => {
				const erasure = { codeOf: erasureCodes(settings), erasedAt: now.toISOString(), reason };
				if (olderThan !== undefined) {
					const joinedBefore = monthsBefore(now, olderThan);
					const erased = await eraseOlderThan(database, joinedBefore, erasure, progress);
					const receipt = { erased, joinedBefore, erasedAt: erasure.erasedAt };
					print(json, receipt, () => `${erased} erased who joined before ${joinedBefore}.`);
					return;
				}
				const { receipts, notFound } = await eraseAddresses(database, emails, erasure);
				print(json, { receipts, notFound }, () =>
					[
						...receipts.map(
							({ email, code, erasedAt, reason }) =>
								`Receipt\n  erased: ${email}, from the waitlist of ${brand.product} (${brand.company})\n` +
								`  on:     ${erasedAt}\n  reason: ${reason}\n  proof:  ${code}\n` +
								`  Backups made before may hold it for up to ${backupDays} days. A restore from one\n` +
								"  leaves it out.",
						),
						...notFound.map((email) => `Not on the waitlist: ${email}`),
					].join("\n\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

function addImport(program: Command): void {
	program
		.command("import <file>")
		.description("add addresses from a file, or from standard input with -")
		.addOption(
			new Option(
				"--format <format>",
				"csv (with a header), jsonl, or text: one address a line; by default from the file's name",
			).choices(["csv", "jsonl", "text"]),
		)
		.option("--source <label>", "for lines that name none", sourceLabel, "import")
		.option("--terms <version>", "legal texts these people agreed to, for lines that name none", "")
		.option("--json", "for machines")
		.action(async (file: string, { format, source, terms, json }) => {
			await withDatabase(
				async ({ database, settings, now }) => {
					const lines: RefusedLine[] = [];
					const imported = await importRegistrations(database, file, {
						format: format ?? formatOf(file),
						source,
						terms,
						now: now.toISOString(),
						codes: () => erasureCodes(settings),
						progress,
						onRefused(refused) {
							if (lines.length < MOST_REFUSED_LINES) lines.push(refused);
						},
					});
					print(json, { ...imported, lines }, () =>
						[
							`${imported.added} added, ${imported.duplicates} already there, ${imported.refused} refused`,
							...lines.map(({ line, error }) => `  line ${line}: ${error}`),
							...(imported.refused > lines.length ? ["  …"] : []),
						].join("\n"),
					);
					if (imported.refused > 0) process.exitCode = EXIT.problem;
				},
				{ create: true },
			);
		});
}

function addBackup(program: Command): void {
	program
		.command("backup <file>")
		.description("write everything as it is now into one file, and read it back")
		.option("--json", "for machines")
		.addHelpText(
			"after",
			`\nThe privacy policy promises that the last copy of an erased address is gone within\n` +
				`${backupDays} days: delete backups before they are older.`,
		)
		.action(async (file: string, { json }) => {
			await withDatabase(async (operation) => {
				const copied = await backUp(operation.database, file, copySettings(operation));
				const { rows, hash } = copied.comparison.target;
				print(json, { file, rows, hash }, () => `${rows} rows in ${file}, verified (${hash}).`);
			});
		});
}

function addRestore(program: Command): void {
	program
		.command("restore <file>")
		.description("add what a backup holds: nothing that is there is lost, nobody erased comes back")
		.option("--json", "for machines")
		.action(async (file: string, { json }) => {
			await withDatabase(
				async (operation) => {
					const copied = await restore(operation.database, file, copySettings(operation));
					print(json, copied, () => copiedAsText(copied, operation.database.place));
				},
				{ create: true },
			);
		});
}

function addMigrate(program: Command): void {
	program
		.command("migrate")
		.description("copy everything to another database while the server runs, and compare the two")
		.requiredOption("--to <url>", "postgres:// address, or file: and a path")
		.option("--json", "for machines")
		.addHelpText(
			"after",
			"\nThen stop the server, run this once more for those who joined meanwhile, set DATABASE_URL\n" +
				"to the new address and start the server again.",
		)
		.action(async ({ to, json }, command: Command) => {
			const target = targetOf(to, command);
			await withDatabase(async (operation) => {
				if (JSON.stringify(target) === JSON.stringify(operation.settings.database)) {
					command.error("error: --to is the database that is used now");
				}
				const other = await openDatabase(target, { create: true });
				try {
					const copied = await copy(operation.database, other, copySettings(operation));
					print(json, copied, () => copiedAsText(copied, other.place));
					if (!copied.comparison.same) process.exitCode = EXIT.problem;
				} finally {
					await other.close();
				}
			});
		});
}

function addCheck(program: Command): void {
	program
		.command("check")
		.description("look at integrity, durability, disk, clock and settings")
		.option("--json", "for machines")
		.action(async ({ json }) => {
			await withDatabase(async ({ database, settings, now }) => {
				const findings = await check(database, { now, progress });
				const shown = settingsForPeople(settings);
				print(json, { findings, settings: shown }, () =>
					[
						...findings.map(({ name, ok, found }) => `${ok ? "✓" : "✗"} ${name}: ${found}`),
						"",
						...Object.entries(shown).map(([name, value]) => `${name}: ${value}`),
					].join("\n"),
				);
				if (findings.some(({ ok }) => !ok)) process.exitCode = EXIT.problem;
			});
		});
}

function targetOf(url: string, command: Command): DatabaseSettings {
	try {
		return parseDatabaseUrl(url, process.cwd());
	} catch (error) {
		command.error(`error: --to ${(error as Error).message}`);
	}
}

/** What every command works with. */
interface Operation {
	database: Database;
	settings: Settings;
	now: Date;
}

async function withDatabase(
	work: (operation: Operation) => Promise<void>,
	{ create = false } = {},
): Promise<void> {
	const settings = readSettings(process.env, process.cwd());
	const database = await openDatabase(settings.database, { create });
	try {
		await work({ database, settings, now: new Date() });
	} finally {
		await database.close();
	}
}

function copySettings({ settings, now }: Operation) {
	return { codes: () => erasureCodes(settings), now: now.toISOString(), progress };
}

function copiedAsText({ added, erased, comparison }: Copied, place: string): string {
	const { source, target, onlyInTarget, different, same } = comparison;
	return [
		`${added} rows added to ${place}`,
		`${source.rows} rows here, hash ${source.hash}`,
		`${target.rows} rows there, hash ${target.hash}`,
		...(onlyInTarget > 0 ? [`${onlyInTarget} more are only there`] : []),
		...(different > 0 ? [`${different} differ and were left as they are there`] : []),
		...(erased > 0 ? [`${erased} were erased and left out`] : []),
		same ? "Both are the same, row for row." : "They are not the same.",
	].join("\n");
}

function print(json: boolean | undefined, result: object, asText: () => string): void {
	console.log(json ? JSON.stringify(result, null, "\t") : asText());
}

function formatOf(file: string): ImportFormat {
	if (/\.csv$/i.test(file)) return "csv";
	return /\.(jsonl|ndjson)$/i.test(file) ? "jsonl" : "text";
}

function wholeNumber(text: string): number {
	if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
	throw new InvalidArgumentError("It must be a whole number from 1 to 99999.");
}

function time(text: string): string {
	const parsed = parseTime(text);
	if (parsed !== undefined) return parsed;
	throw new InvalidArgumentError(
		"It must be a day or a time, as in 2026-11-21 or 2026-11-21T09:30Z.",
	);
}

function timeZone(text: string): string {
	try {
		return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
	} catch {
		throw new InvalidArgumentError("It must be the name of a time zone, as in Europe/Berlin.");
	}
}

function sourceLabel(text: string): string {
	if (isSourceLabel(text)) return text;
	throw new InvalidArgumentError(SOURCE_INVALID);
}

/** An address in the reason would undo the erasure. */
function reason(text: string): string {
	if (text.length > 0 && text.length <= 100 && !text.includes("@")) return text;
	throw new InvalidArgumentError("It must be 1 to 100 characters, and no address.");
}
