import type { Database } from "../../database/database.ts";
import type { Proofs } from "../../waitlist/erasures.ts";
import { BY_ID } from "../letter.ts";
import { leave } from "../links/leaving.ts";
import type { MailedReport } from "./bounce-report.ts";
import { type Noted, noteReports } from "./note-reports.ts";

/** Notes what a message says of a letter. Whoever complains has left from then on. */
export async function noteMailed(
	database: Database,
	proofs: Proofs,
	report: MailedReport,
	now: Date,
): Promise<Noted> {
	const id = report.letter;
	if (report.kind === "bounce") {
		if (!report.permanent) return { found: 0, speeds: [] };
		return noteReports(database, [{ kind: "bounce", id, code: `later ${report.status}` }], now);
	}
	const [letter] = await database.query<{ key: string }>(
		`SELECT email_key AS "key" FROM letter WHERE ${BY_ID}`,
		[id],
	);
	if (letter) await leave(database, proofs, letter.key, now);
	return noteReports(database, [{ kind: "complaint", id }], now);
}
