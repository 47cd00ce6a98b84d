import { once } from "node:events";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Registration } from "../waitlist/waitlist.ts";
import type { Database } from "./database/database.ts";
import { invitationsOf, type KnownInvitation } from "./database/letters.ts";
import { hasRecipients, recipientOf, recipientsOf } from "./database/recipients.ts";
import { type Filter, inOrderOfTime } from "./database/registrations.ts";
import { readWaves } from "./database/waves.ts";
import { type Write, writeNewFile } from "./files/files.ts";
import { type Operation, withDatabase } from "./operation.ts";
import { parseTime } from "./time.ts";

/** Adds `waitlist export`: registrations as CSV or JSON lines. */
export function addExport(program: Command): void {
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
		.option("--no-flagged", "only those that the trap has not marked")
		.option("--raw", "CSV cells as they are, though a spreadsheet may run some as formulas")
		.option("--output <file>", "a new file instead of standard output")
		.action(async ({ format, json, raw = false, output, ...filter }) => {
			await withDatabase(async (operation) => {
				const settings = { format: (json ? "jsonl" : format) as Format, filter, raw };
				if (output === undefined) {
					await exportRegistrations(operation, settings, writeToStdout);
					return;
				}
				const rows = await writeNewFile(output, (write) =>
					exportRegistrations(operation, settings, write),
				);
				console.error(`${rows} written to ${output}.`);
			});
		});
}

/** Reads the value of an option that is a time. */
export function time(text: string): string {
	const parsed = parseTime(text);
	if (parsed !== undefined) return parsed;
	throw new InvalidArgumentError(
		"It must be a day or a time, as in 2026-11-21 or 2026-11-21T09:30Z.",
	);
}

/** How registrations leave: for a spreadsheet, or without any loss as one JSON object a line. */
type Format = "csv" | "jsonl";

/** The fields of an exported registration, in their order. */
const EXPORTED = ["email", "source", "createdAt", "terms", "flags", "key"] as const;

/** What is added where letters know of anybody. An empty text is a time that has not come. */
const WITH_LETTERS = [...EXPORTED, "confirmedAt", "leftAt", "bouncedAt"] as const;

/** And where a wave has invited anybody. */
const WITH_WAVES = [...WITH_LETTERS, "wave", "invitedAt", "expiresAt", "redeemedAt"] as const;

type Exported = Record<(typeof EXPORTED)[number], string> &
	Partial<Record<(typeof WITH_WAVES)[number], string>>;

/**
 * Where a spreadsheet would find a formula (OWASP, CSV injection): a sign at the start of a cell,
 * full-width or not. A spreadsheet that separates by semicolons or tabs starts cells in the middle of
 * ours, and there a line's end is one, too. Quotes in front do not help: those of CSV are taken away.
 */
const FORMULA = /['"]*[=+\-@\t\r＝＋－＠]/.source;
const CELL_START = /(?<=^|[;\t\r\n])/.source;

/**
 * A quote in front makes a cell text. A cell that already starts with quotes gets one more, so that
 * taking one away gives the cell back.
 */
const FORMULAS = new RegExp(`${CELL_START}(?=${FORMULA})`, "g");
const PROTECTED = new RegExp(`${CELL_START}'(?=${FORMULA})`, "g");

interface ExportSettings {
	format: Format;
	filter: Filter;
	/** Leaves out the protection against formulas. */
	raw: boolean;
}

/**
 * Writes registrations a page at a time, as fast as the reader takes them.
 *
 * @returns how many were written
 */
async function exportRegistrations(
	{ database, progress }: Operation,
	{ format, filter, raw }: ExportSettings,
	write: Write,
): Promise<number> {
	const withLetters = await hasRecipients(database.query);
	const withWaves = (await readWaves(database.query)).some(({ kind }) => kind === "invitation");
	const fields = withWaves ? WITH_WAVES : withLetters ? WITH_LETTERS : EXPORTED;
	const lineOf =
		format === "csv"
			? (row: Exported) => csvLine(row, fields, raw)
			: (row: Exported) => `${JSON.stringify(row, [...fields])}\n`;
	let rows = 0;
	if (format === "csv") await write(`${fields.join(",")}\r\n`);
	for await (const page of inOrderOfTime(database.query, filter)) {
		rows += page.length;
		const known = withLetters || withWaves ? await withRecipients(database, page) : page;
		const people = withWaves ? await withInvitations(database, known) : known;
		await write(people.map(lineOf).join(""));
		if (write !== writeToStdout) progress.show("exported", rows, 0);
	}
	progress.end();
	return rows;
}

async function writeToStdout(text: string): Promise<void> {
	if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** Adds what letters know of each person. */
async function withRecipients(
	{ query, dialect }: Database,
	page: readonly Registration[],
): Promise<Exported[]> {
	const keys = page.map(({ key }) => key);
	const recipients = await recipientsOf(query, dialect, keys);
	const byKey = new Map(recipients.map((recipient) => [recipient.key, recipient]));
	return page.map((row) => ({ ...recipientOf(row.key), ...byKey.get(row.key), ...row }));
}

/** Adds what is known of each person's invitation. */
async function withInvitations(
	{ query, dialect }: Database,
	page: readonly Exported[],
): Promise<Exported[]> {
	const keys = page.map(({ key }) => key);
	const byKey = new Map<string, KnownInvitation>();
	for (const invitation of await invitationsOf(query, dialect, keys)) {
		byKey.set(invitation.key, invitation);
	}
	const nothing = { wave: "", invitedAt: "", expiresAt: "", redeemedAt: "" };
	return page.map((row) => ({ ...row, ...nothing, ...byKey.get(row.key) }));
}

/** One record of RFC 4180. */
function csvLine(row: Exported, fields: readonly (keyof Exported)[], raw: boolean): string {
	const cells = fields.map((field) => {
		const text = row[field] ?? "";
		const value = raw ? text : text.replace(FORMULAS, "'");
		return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
	});
	return `${cells.join(",")}\r\n`;
}

/** Takes the protection of {@link csvLine} away. */
export function withoutProtection(cell: string): string {
	return cell.replace(PROTECTED, "");
}
