import { keysOf, type Tx } from "../database/sql.ts";
import { readInvitations } from "../mail/emails/invitations.ts";
import type { MailingStatus } from "../registrations/facts.ts";
import type { Registration } from "../registrations/registrations.ts";
import { formatCsvRecord } from "./csv.ts";

export type ExportFormat = "csv" | "excel" | "jsonl";

/** Excel needs semicolons where the decimal separator is a comma, and a byte order mark for UTF-8. */
const STYLES = { csv: { separator: ",", start: "" }, excel: { separator: ";", start: "\uFEFF" } };

const NO_INVITATION = { wave: "", invitedAt: "", expiresAt: "", redeemedAt: "", unknownAt: "" };

const FIELDS = [
	...(["email", "source", "joinedAt", "terms", "flag", "key"] as const),
	...(["confirmedAt", "unsubscribedAt", "bouncedAt"] as const),
	...(Object.keys(NO_INVITATION) as (keyof typeof NO_INVITATION)[]),
];

export async function* exportLines(
	tx: Tx,
	pages: AsyncIterable<readonly (Registration & MailingStatus)[]>,
	format: ExportFormat,
): AsyncGenerator<string> {
	const style = format === "jsonl" ? undefined : STYLES[format];
	if (style) yield `${style.start}${FIELDS.join(style.separator)}\r\n`;
	for await (const page of pages) {
		const invited = await readInvitations(tx, keysOf(page));
		const invitations = new Map(invited.map((one) => [one.key, one]));
		const lines = page.map((person) => {
			const row: Partial<Record<string, string>> = {
				...NO_INVITATION,
				...person,
				...invitations.get(person.key),
			};
			if (!style) return `${JSON.stringify(row, FIELDS)}\n`;
			const cells = FIELDS.map((field) => row[field] ?? "");
			return formatCsvRecord(cells, style.separator);
		});
		yield lines.join("");
	}
}
