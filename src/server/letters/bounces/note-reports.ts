import {
	type Database,
	type SharedDatabase,
	type Statement,
	statement,
} from "../../database/database.ts";
import { judgeStreams, type SpeedChange } from "../pace/brake.ts";
import { LOCK } from "../pace/pace-tables.ts";
import { noteComplaint } from "../table/letter-changes.ts";
import { streamsOfReported, tellBounced } from "../table/tried-letters.ts";
import type { MailedBounce } from "./bounce-report.ts";
import { noteBounce } from "./note-bounce.ts";

/** What was said later of a letter that went out. */
export type LetterReport =
	/**
	 * It came back because its address does not exist. The code is as in `later 5.1.1`: never the
	 * text of the answer, which may hold the address.
	 */
	| { kind: "bounce"; id: string; code: string }
	/** Its person called it spam. */
	| { kind: "complaint"; id: string };

/** What reports have changed. */
export interface Noted {
	/** How many of the letters are ours. */
	found: number;
	/** The streams that are slower or faster from now on. */
	speeds: SpeedChange[];
}

/**
 * Notes what was reported of letters, whoever reports: a person whose letter came back gets no
 * further one, and a complaint stands with its letter. That its person leaves is another step, which
 * keeps a proof. Then the streams of these letters are judged: what counts bounces or complaints
 * belongs there.
 */
export async function noteReports(
	{ run, dialect }: Pick<SharedDatabase, "run" | "dialect">,
	reports: readonly LetterReport[],
	now: Date,
): Promise<Noted> {
	const bounced = reports.filter(({ kind }) => kind === "bounce").map(({ id }) => id);
	const { streams } = await run({
		lock: statement(LOCK),
		streams: streamsOfReported(dialect, JSON.stringify(reports.map(({ id, kind }) => [id, kind]))),
		noted: reports.flatMap((report) => statementsOf(report, now)),
		told: tellBounced(dialect, bounced, now.toISOString()),
	});
	const judged = new Set(streams.map(({ stream }) => stream));
	const speeds = await judgeStreams({ run }, now.getTime(), [...judged]);
	return { found: streams.length, speeds };
}

function statementsOf(report: LetterReport, now: Date): Statement[] {
	if (report.kind === "complaint") return [noteComplaint(report.id)];
	return noteBounce(report.id, report.code, now.toISOString());
}

/** Notes a letter that came back by mail. */
export async function noteMailed(
	database: Database,
	{ letter: id, subject, status }: MailedBounce,
	now: Date,
): Promise<Noted> {
	if (subject !== "mailbox") return { found: 0, speeds: [] };
	return noteReports(database, [{ kind: "bounce", id, code: `later ${status}` }], now);
}
