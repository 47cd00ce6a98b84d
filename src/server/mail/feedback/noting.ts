import { canonicalEmail } from "#shared/email.ts";
import { asciiDomain } from "../../ascii-domain.ts";
import type { SharedDatabase } from "../../database/database.ts";
import type { Log } from "../../log.ts";
import { isoOf } from "../../time.ts";
import { findReported } from "../emails/tried-letters.ts";
import type { Leaving } from "../links/letter-routes.ts";
import { logSpeed } from "../rate/throttle.ts";
import { type LetterReport, noteReports } from "./note-reports.ts";
import type { Report } from "./report.ts";

/**
 * Notes reports. With `busy` they are to come again: what was noted of them is noted again, which
 * changes nothing.
 */
export type Note = (reports: readonly Report[]) => Promise<"done" | "busy">;

/** What notes reports. */
export interface NotingSettings {
	database: SharedDatabase;
	/** Lets people leave, with a proof. */
	leaving: Pick<Leaving, "stop">;
	log: Log;
}

/** Calls whose reports one transaction notes. */
const MOST_TOGETHER = 50;

/** Calls that may wait: all are done within the 15 s that providers wait for an answer. */
const MOST_WAITING = 200;

interface Waiting {
	reports: readonly Report[];
	resolve: (outcome: "done" | "busy") => void;
	reject: (error: unknown) => void;
}

/**
 * Notes what providers report, one transaction after the other: reports that come meanwhile share the
 * next one. So a thousand reports cost the joins beside them no more than a few, and whoever complains
 * takes one place of a hundred among people who leave by a link.
 */
export function openNoting(settings: NotingSettings): Note {
	const waiting: Waiting[] = [];
	let working = false;

	async function work(): Promise<void> {
		working = true;
		while (waiting.length > 0) {
			const together = waiting.splice(0, MOST_TOGETHER);
			try {
				const reports = together.flatMap(({ reports }) => reports);
				const outcome = await noteNow(settings, reports);
				for (const { resolve } of together) resolve(outcome);
			} catch (error) {
				for (const { reject } of together) reject(error);
			}
		}
		working = false;
	}

	return (reports) => {
		if (reports.length === 0) return Promise.resolve("done");
		if (waiting.length >= MOST_WAITING) return Promise.resolve("busy");
		return new Promise((resolve, reject) => {
			waiting.push({ reports, resolve, reject });
			if (!working) void work();
		});
	};
}

async function noteNow(
	{ database, leaving, log }: NotingSettings,
	reports: readonly Report[],
): Promise<"done" | "busy"> {
	const rows = reports.map(({ letter = "", email }, n) => [n, letter, keyOf(email)]);
	const found = await findReported(database.query, database.dialect, JSON.stringify(rows));
	const now = new Date();
	// Drops reports from before a confirmation, because a late report is no news of a person who
	// confirmed since.
	const news = found.filter(({ n, confirmedAt }) => confirmedAt < timeOf(reports[n]!, now));
	const noted = news.flatMap(({ n, letter: id }): LetterReport[] => {
		const { kind, status } = reports[n]!;
		if (kind === "bounce") return [{ kind, id, code: `later ${status}` }];
		if (kind === "complaint") return [{ kind, id }];
		log("error", "receiver refuses us", { code: status });
		return [];
	});
	if (noted.length === 0) return "done";
	const { speeds } = await database.transact(noteReports, { reports: noted, now });
	for (const change of speeds) logSpeed(log, change);
	for (const { n, key } of news) {
		if (reports[n]!.kind !== "complaint") continue;
		if ((await leaving.stop(key, "complaint")) === "busy") return "busy";
	}
	return "done";
}

/** The canonical address, or "", which is nobody's. Some providers name the person before it. */
function keyOf(email: string): string {
	const [, address = email] = /<([^<>]*)>\s*$/.exec(email) ?? [];
	const checked = canonicalEmail(address, asciiDomain);
	return "key" in checked ? checked.key : "";
}

/** No later than now, also by a clock that is ahead; now where a provider names no time that exists. */
function timeOf({ at }: Report, now: Date): string {
	const time = new Date(at).getTime();
	return isoOf(Math.min(Number.isNaN(time) ? Number.POSITIVE_INFINITY : time, now.getTime()));
}
