import { keysOf, type Tx } from "../database/sql.ts";
import { invitationsOf } from "../mail/emails/invitations.ts";
import { readWaves } from "../mail/waves.ts";
import type { Registration } from "../registrations/registrations.ts";
import { csvRecord } from "./csv.ts";

/** How registrations leave: for a spreadsheet, or without any loss as one JSON object a line. */
export type ExportFormat = "csv" | "excel" | "jsonl";

/**
 * Separator and first character of each style. Excel on a double click separates by the semicolon where
 * the comma is the decimal sign, and takes a file for UTF-8 by its byte order mark only.
 */
const STYLES = { csv: { separator: ",", start: "" }, excel: { separator: ";", start: "\uFEFF" } };

const NO_INVITATION = { wave: "", invitedAt: "", expiresAt: "", redeemedAt: "", unknownAt: "" };

/** The columns of an export, in their order. An empty text is a time that has not come. */
const FIELDS = [
	...(["email", "source", "joinedAt", "terms", "flag", "key"] as const),
	...(["confirmedAt", "unsubscribedAt", "bouncedAt"] as const),
	...(Object.keys(NO_INVITATION) as (keyof typeof NO_INVITATION)[]),
];

/** The lines of an export, as many at a time as a page of registrations has. */
export async function* exportLines(
	tx: Tx,
	pages: AsyncIterable<readonly Registration[]>,
	format: ExportFormat,
): AsyncGenerator<string> {
	const hasInvited = (await readWaves(tx)).some(({ kind }) => kind === "invitation");
	const style = format === "jsonl" ? undefined : STYLES[format];
	if (style) yield `${style.start}${FIELDS.join(style.separator)}\r\n`;
	for await (const page of pages) {
		const keys = keysOf(page);
		const invitations = new Map(
			hasInvited ? (await invitationsOf(tx, keys)).map((one) => [one.key, one]) : [],
		);
		const lines = page.map((person) => {
			const row: Partial<Record<string, string>> = {
				...NO_INVITATION,
				...person,
				...invitations.get(person.key),
			};
			if (!style) return `${JSON.stringify(row, FIELDS)}\n`;
			return csvRecord(
				FIELDS.map((field) => row[field] ?? ""),
				style.separator,
			);
		});
		yield lines.join("");
	}
}
