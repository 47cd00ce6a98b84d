import { type SharedDatabase, type Statement, statement } from "../../database/database.ts";
import { judgeStreams, type SpeedChange } from "../pace/brake.ts";
import { STREAM_OF, type Stream } from "../pace/stream.ts";
import { bounceStatements, complaintStatement } from "../person.ts";
import { LOCK } from "../sending/outbox.ts";
import { TO_APPLE_RELAY } from "../smtp/status.ts";

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
	const { streams } = await run({
		lock: statement(LOCK),
		streams: statement<{ stream: Stream }>(
			`SELECT ${STREAM_OF} AS stream FROM ${dialect.jsonRows}
			JOIN letter ON letter.id = value->>0 AND letter.id <> ''
			WHERE value->>1 = 'complaint' OR NOT (${TO_APPLE_RELAY})`,
			JSON.stringify(reports.map(({ id, kind }) => [id, kind])),
		),
		noted: reports.flatMap((report) => statementsOf(report, now)),
	});
	const judged = new Set(streams.map(({ stream }) => stream));
	const speeds = await judgeStreams({ run }, now.getTime(), [...judged]);
	return { found: streams.length, speeds };
}

function statementsOf(report: LetterReport, now: Date): Statement[] {
	if (report.kind === "complaint") return [complaintStatement(report.id)];
	return bounceStatements(report.id, report.code, now.toISOString());
}
