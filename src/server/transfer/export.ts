import type { Tx } from "../database/transaction.ts";
import type { Write } from "../files/files.ts";
import { invitationsOf, type KnownInvitation } from "../mail/emails/invitations.ts";
import { readWaves } from "../mail/wave/waves.ts";
import { hasFacts } from "../registrations/facts.ts";
import type { Operation } from "../registrations/operation.ts";
import { type Filter, inOrderOfTime, type Registration } from "../registrations/registrations.ts";
import { csvRecord } from "./csv.ts";

type Asked = Tx;

/** How registrations leave: for a spreadsheet, or without any loss as one JSON object a line. */
export type ExportFormat = "csv" | "excel" | "jsonl";

/**
 * Separator and first character of each style. Excel on a double click separates by the semicolon where
 * the comma is the decimal sign, and takes a file for UTF-8 by its byte order mark only.
 */
const STYLES = { csv: { separator: ",", start: "" }, excel: { separator: ";", start: "\uFEFF" } };

/** The fields of an exported registration, in their order. */
const EXPORTED = ["email", "source", "joinedAt", "terms", "flag", "key"] as const;

/** Added once anybody has confirmed, unsubscribed or bounced. An empty text is a time that has not come. */
const WITH_LETTERS = [...EXPORTED, "confirmedAt", "unsubscribedAt", "bouncedAt"] as const;

/** Added once a wave has invited anybody. */
const WITH_WAVES = [
	...[...WITH_LETTERS, "wave", "invitedAt", "expiresAt", "redeemedAt"],
	"unknownAt",
] as const;

type Exported = Record<(typeof EXPORTED)[number], string> &
	Partial<Record<(typeof WITH_WAVES)[number], string>>;

/**
 * Writes registrations a page at a time, as fast as the reader takes them.
 *
 * @param progress absent where lines go to the terminal themselves
 * @returns how many were written
 */
export async function exportRegistrations(
	{ database, progress }: Pick<Operation, "database"> & Partial<Pick<Operation, "progress">>,
	{ filter, format }: { format: ExportFormat; filter: Filter },
	write: Write,
): Promise<number> {
	let rows = 0;
	async function* counted() {
		for await (const page of inOrderOfTime(database, filter)) {
			yield page;
			rows += page.length;
			progress?.show("exported", rows, 0);
		}
	}
	for await (const lines of exportLines(database, counted(), format)) await write(lines);
	progress?.end();
	return rows;
}

/** The lines of an export, as many at a time as a page of registrations has. */
export async function* exportLines(
	database: Asked,
	pages: AsyncIterable<readonly Registration[]>,
	format: ExportFormat,
): AsyncGenerator<string> {
	const withLetters = await hasFacts(database);
	const withWaves = (await readWaves(database)).some(({ kind }) => kind === "invitation");
	const fields = withWaves ? WITH_WAVES : withLetters ? WITH_LETTERS : EXPORTED;
	const style = format === "jsonl" ? undefined : STYLES[format];
	const lineOf = style
		? (row: Exported) =>
				csvRecord(
					fields.map((field) => row[field] ?? ""),
					style.separator,
				)
		: (row: Exported) => `${JSON.stringify(row, [...fields])}\n`;
	if (style) yield `${style.start}${fields.join(style.separator)}\r\n`;
	for await (const page of pages) {
		const people = withWaves ? await withInvitations(database, page) : page;
		yield people.map(lineOf).join("");
	}
}

/** Adds what is known of each person's invitation. */
async function withInvitations(tx: Tx, page: readonly Exported[]): Promise<Exported[]> {
	const keys = page.map(({ key }) => key);
	const byKey = new Map<string, KnownInvitation>();
	for (const invitation of await invitationsOf(tx, keys)) {
		byKey.set(invitation.key, invitation);
	}
	const nothing = { wave: "", invitedAt: "", expiresAt: "", redeemedAt: "", unknownAt: "" };
	return page.map((row) => ({ ...row, ...nothing, ...byKey.get(row.key) }));
}
