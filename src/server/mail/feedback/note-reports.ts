import type { Tx } from "../../database/transaction.ts";
import { noteComplaint } from "../emails/letter-changes.ts";
import { streamsOfReported } from "../emails/tried-letters.ts";
import { lockOutbox, saveOutbox } from "../rate/outbox-row.ts";
import { judgeStreams, type SpeedChange } from "../rate/throttle.ts";
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
	tx: Tx,
	{ reports, now }: { reports: readonly LetterReport[]; now: Date },
): Promise<Noted> {
	const iso = now.toISOString();
	const outbox = await lockOutbox(tx);
	const rows = JSON.stringify(reports.map(({ id, kind }) => [id, kind]));
	const streams = await tx.all(streamsOfReported(tx.dialect, rows));
	for (const report of reports) {
		if (report.kind === "complaint") await tx.all(noteComplaint(report.id));
		else await noteBounce(tx, report.id, report.code, iso);
	}
	const toJudge = [...new Set(streams.map(({ stream }) => stream))];
	const judged = await judgeStreams(tx, outbox, toJudge, now.getTime());
	await saveOutbox(tx, judged.outbox);
	return { found: streams.length, speeds: judged.speeds };
}
