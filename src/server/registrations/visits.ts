import type { SharedDatabase } from "../database/database.ts";
import { runEach, sql, type Tx } from "../database/sql.ts";
import { type Log, trackOutage } from "../log.ts";
import { isoOf, MINUTE_MS } from "../time.ts";

const addVisits = ([day, visits]: [string, number]) =>
	sql`INSERT INTO visit_day (day, visits) VALUES (${day}, CAST(${visits} AS INT))
		ON CONFLICT (day) DO UPDATE SET visits = visit_day.visits + excluded.visits`;

/** Counts landing page visits by UTC day. Retries failed writes. */
export function startVisitCounter({ transact }: Pick<SharedDatabase, "transact">, log: Log) {
	let counted = new Map<string, number>();
	let written = Promise.resolve();
	const outage = trackOutage(log, "visits not written", "visits written again");

	const add = (day: string, visits: number) => counted.set(day, (counted.get(day) ?? 0) + visits);

	const write = () => (written = written.then(writeCounted));

	async function writeCounted(): Promise<void> {
		const taken = [...counted];
		if (taken.length === 0) return;
		counted = new Map();
		try {
			await transact(runEach, taken.map(addVisits));
			outage.recover();
		} catch (error) {
			// Keeps the visits for a retry. If the connection broke after the commit, they count twice.
			for (const [day, visits] of taken) add(day, visits);
			outage.fail({ error });
		}
	}

	// A killed process loses up to a minute of visits.
	const writing = setInterval(write, MINUTE_MS).unref();
	return {
		count: () => void add(isoOf(Date.now()).slice(0, "2026-11-21".length), 1),
		close(): Promise<void> {
			clearInterval(writing);
			return write();
		},
	};
}

export interface VisitDay {
	day: string;
	visits: number;
}

export const readVisitDays = (tx: Tx) =>
	tx.all(sql<VisitDay>`SELECT day, visits FROM visit_day ORDER BY day`);
