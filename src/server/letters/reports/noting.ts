import { domainToASCII } from "node:url";
import { canonicalEmail } from "#shared/email.ts";
import type { SharedDatabase } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { Log } from "../../log.ts";
import { type LetterReport, noteReports } from "../bounces/note-reports.ts";
import { isoOf } from "../letter.ts";
import type { Leaving } from "../links/letter-routes.ts";
import { logSpeed } from "../pace/brake.ts";
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

/** A letter that a report is about. */
interface Found {
	/** The place of the report in the list. */
	n: number;
	letter: string;
	recipient: string;
	confirmedAt: string;
}

/**
 * The letters of reports: by the id that the provider gave back, otherwise the last one that went out
 * to the address.
 */
const find = ({ jsonRows }: Dialect) => `
	SELECT CAST(value->>0 AS INTEGER) AS n, letter.id AS letter, recipient.id AS recipient,
		confirmed_at AS "confirmedAt"
	FROM ${jsonRows}
	JOIN letter ON letter.id <> '' AND letter.id = COALESCE(
		(SELECT id FROM letter WHERE id = value->>1 AND id <> ''),
		(SELECT id FROM letter WHERE email_key = value->>2 AND id <> '' AND (
				state IN ('sending', 'accepted', 'unknown') OR (state = 'refused' AND code LIKE 'later %'))
			ORDER BY CASE state WHEN 'sending' THEN 1 ELSE 0 END DESC, ended_at DESC LIMIT 1))
	JOIN recipient ON recipient.email_key = letter.email_key`;

async function noteNow(
	{ database, leaving, log }: NotingSettings,
	reports: readonly Report[],
): Promise<"done" | "busy"> {
	const rows = reports.map(({ letter = "", email }, n) => [n, letter, keyOf(email)]);
	const found = await database.query<Found>(find(database.dialect), [JSON.stringify(rows)]);
	const now = new Date();
	// Whoever has confirmed since can be reached, and has come back: the report may come late.
	const news = found.filter(({ n, confirmedAt }) => confirmedAt < timeOf(reports[n]!, now));
	if (news.length === 0) return "done";
	const noted = news.map(({ n, letter: id }): LetterReport => {
		const { kind, status } = reports[n]!;
		return kind === "bounce" ? { kind, id, code: `later ${status}` } : { kind, id };
	});
	const { speeds } = await noteReports(database, noted, now);
	for (const change of speeds) logSpeed(log, change);
	for (const { n, recipient } of news) {
		if (reports[n]!.kind !== "complaint") continue;
		if ((await leaving.stop(recipient)) === "busy") return "busy";
	}
	return "done";
}

/** The canonical address, or "", which is nobody's. Some providers name the person before it. */
function keyOf(email: string): string {
	const [, address = email] = /<([^<>]*)>\s*$/.exec(email) ?? [];
	const checked = canonicalEmail(address, domainToASCII);
	return "key" in checked ? checked.key : "";
}

/** No later than now, also by a clock that is ahead. */
function timeOf({ at }: Report, now: Date): string {
	return isoOf(Math.min(Number.isNaN(at) ? Number.POSITIVE_INFINITY : at, now.getTime()));
}
