import type { Database } from "../database/database.ts";
import type { Write } from "../files/files.ts";
import { invitationsOf, type KnownInvitation } from "../letters/invitations.ts";
import { readWaves } from "../letters/wave/waves.ts";
import type { Operation } from "../waitlist/operation.ts";
import { hasRecipients, recipientOf, recipientsOf } from "../waitlist/recipients.ts";
import { type Filter, inOrderOfTime, type Registration } from "../waitlist/registrations.ts";

/** How registrations leave: for a spreadsheet, or without any loss as one JSON object a line. */
export type ExportFormat = "csv" | "excel" | "jsonl";

/**
 * What is between cells, and before the first. Excel on a double click separates by the semicolon where
 * the comma is the decimal sign, and takes a file for UTF-8 by its byte order mark only.
 */
const STYLES = { csv: { separator: ",", start: "" }, excel: { separator: ";", start: "\uFEFF" } };

/** The fields of an exported registration, in their order. */
const EXPORTED = ["email", "source", "createdAt", "terms", "flags", "key"] as const;

/** What is added where letters know of anybody. An empty text is a time that has not come. */
const WITH_LETTERS = [...EXPORTED, "confirmedAt", "leftAt", "bouncedAt"] as const;

/** And where a wave has invited anybody. */
const WITH_WAVES = [
	...[...WITH_LETTERS, "wave", "invitedAt", "expiresAt", "redeemedAt"],
	"unknownAt",
] as const;

type Exported = Record<(typeof EXPORTED)[number], string> &
	Partial<Record<(typeof WITH_WAVES)[number], string>>;

/**
 * Where a spreadsheet would find a formula (OWASP, CSV injection): a sign at the start of a cell, in
 * any width. A spreadsheet that separates by another sign than ours starts cells in the middle of them,
 * and there a line's end is one, too. Quotes and spaces in front do not help: those of CSV are taken away,
 * and some spreadsheets trim cells.
 */
const SIGN = "=+\\-@＝＋－＠﹦﹢﹣﹫−";
const SKIPPED = /(?![\t\r\n])[\s\p{Cc}\p{Cf}'"]/u.source;
const FORMULA = `(?:(?:${SKIPPED})*[${SIGN}]|['"]*[\\t\\r])`;
const CELL_START = /(?<=^|[,;\t\r\n])/.source;

/**
 * A quote in front makes a cell text. A cell that already starts with quotes gets one more, so that
 * taking one away gives the cell back.
 */
const FORMULAS = new RegExp(`${CELL_START}(?=${FORMULA})`, "gu");
const PROTECTED = new RegExp(`${CELL_START}'(?=${FORMULA})`, "gu");

interface ExportSettings {
	format: ExportFormat;
	filter: Filter;
	/** Leaves out the protection against formulas. */
	raw: boolean;
}

/**
 * Writes registrations a page at a time, as fast as the reader takes them.
 *
 * @param progress absent where lines go to the terminal themselves
 * @returns how many were written
 */
export async function exportRegistrations(
	{ database, progress }: Pick<Operation, "database"> & Partial<Pick<Operation, "progress">>,
	{ format, filter, raw }: ExportSettings,
	write: Write,
): Promise<number> {
	const withLetters = await hasRecipients(database.query);
	const withWaves = (await readWaves(database.query)).some(({ kind }) => kind === "invitation");
	const fields = withWaves ? WITH_WAVES : withLetters ? WITH_LETTERS : EXPORTED;
	const style = format === "jsonl" ? undefined : STYLES[format];
	const lineOf = style
		? (row: Exported) => csvLine(row, fields, style.separator, raw)
		: (row: Exported) => `${JSON.stringify(row, [...fields])}\n`;
	let rows = 0;
	if (style) await write(`${style.start}${fields.join(style.separator)}\r\n`);
	for await (const page of inOrderOfTime(database.query, filter)) {
		rows += page.length;
		const known = withLetters || withWaves ? await withRecipients(database, page) : page;
		const people = withWaves ? await withInvitations(database, known) : known;
		await write(people.map(lineOf).join(""));
		progress?.show("exported", rows, 0);
	}
	progress?.end();
	return rows;
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
	const nothing = { wave: "", invitedAt: "", expiresAt: "", redeemedAt: "", unknownAt: "" };
	return page.map((row) => ({ ...row, ...nothing, ...byKey.get(row.key) }));
}

/** One record of RFC 4180. */
function csvLine(
	row: Exported,
	fields: readonly (keyof Exported)[],
	separator: string,
	raw: boolean,
): string {
	const cells = fields.map((field) => {
		const text = row[field] ?? "";
		const value = raw ? text : text.replace(FORMULAS, "'");
		return /[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
	});
	return `${cells.join(separator)}\r\n`;
}

/** Takes the protection of {@link csvLine} away. */
export function withoutProtection(cell: string): string {
	return cell.replace(PROTECTED, "");
}
