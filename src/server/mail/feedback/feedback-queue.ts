import { canonicalEmail } from "#shared/email.ts";
import type { SharedDatabase } from "../../database/database.ts";
import type { Log } from "../../log.ts";
import { asciiDomain } from "../../text/ascii-domain.ts";
import { isoOf } from "../../time.ts";
import type { Leaving } from "../links/link-routes.ts";
import { logSpeed } from "../rate/throttle.ts";
import type { Feedback } from "./feedback.ts";
import { type EmailFeedback, findReported, recordFeedback } from "./record-feedback.ts";

/** Records feedback. `busy`: it is to come again, which changes nothing about what was recorded. */
export type RecordFeedback = (feedback: readonly Feedback[]) => Promise<"done" | "busy">;

export interface FeedbackQueueSettings {
	database: SharedDatabase;
	leaving: Pick<Leaving, "stop">;
	log: Log;
}

/** Calls that may wait: all are done within the 15 s that providers wait for an answer. */
const MOST_WAITING = 200;

/**
 * Records the feedback of one call after the other: a thousand at once slow the joins beside them no more
 * than one, and whoever complains takes one place of a hundred among people who unsubscribe by a link.
 */
export function createFeedbackQueue(settings: FeedbackQueueSettings): RecordFeedback {
	let waiting = 0;
	let last: Promise<unknown> = Promise.resolve();
	return (feedback) => {
		if (feedback.length === 0) return Promise.resolve("done");
		if (waiting >= MOST_WAITING) return Promise.resolve("busy");
		waiting += 1;
		const recorded = last.then(() => record(settings, feedback));
		last = recorded.catch(() => {}).finally(() => (waiting -= 1));
		return recorded;
	};
}

async function record(
	{ database, leaving, log }: FeedbackQueueSettings,
	feedback: readonly Feedback[],
): Promise<"done" | "busy"> {
	const rows = feedback.map(
		({ emailId = "", address }, n) => [n, emailId, keyOf(address)] as const,
	);
	const found = await findReported(database, rows);
	const now = new Date();
	// A person who has confirmed since gets emails: what happened before is no news.
	const news = found.filter(({ n, confirmedAt }) => confirmedAt < timeOf(feedback[n]!, now));
	const ours = news.flatMap(({ n, id }): EmailFeedback[] => {
		const { kind, status } = feedback[n]!;
		if (kind === "bounce") return [{ kind, id, code: `later ${status}` }];
		if (kind === "complaint") return [{ kind, id }];
		log("error", "receiver refuses us", { code: status });
		return [];
	});
	if (ours.length === 0) return "done";
	const { speeds } = await database.transact(recordFeedback, { feedback: ours, now });
	for (const change of speeds) logSpeed(log, change);
	for (const { n, key } of news) {
		if (feedback[n]!.kind !== "complaint") continue;
		if ((await leaving.stop(key, "complaint")) === "busy") return "busy";
	}
	return "done";
}

/** The canonical address, or "", which is nobody's. Some providers put a name before it. */
function keyOf(email: string): string {
	const [, address = email] = /<([^<>]*)>\s*$/.exec(email) ?? [];
	const checked = canonicalEmail(address, asciiDomain);
	return "key" in checked ? checked.key : "";
}

/** No later than now, also by a clock that is ahead; now where a provider names no time that exists. */
function timeOf({ at }: Feedback, now: Date): string {
	const time = new Date(at).getTime();
	return isoOf(Math.min(Number.isNaN(time) ? Number.POSITIVE_INFINITY : time, now.getTime()));
}
