import type { Database } from "./database.ts";
import { type Bucket, latest } from "./time.ts";

/** What the waitlist holds, in numbers. */
export interface Stats {
	total: number;
	/** Times of the first and the latest join, ISO 8601. */
	first: string | null;
	latest: string | null;
	/** Registrations that a trap has marked. */
	flagged: number;
	erased: number;
	/** The latest days and hours, the current one last. */
	days: Counted[];
	hours: Counted[];
	/** The sites they came from, the largest first. */
	sources: Counted[];
}

/** A name with a number. */
export interface Counted {
	name: string;
	count: number;
}

/** A stranger may make up as many sources as there are registrations. */
const MOST_SOURCES = 20;

interface StatsSettings {
	now: Date;
	/** Whose days and hours, as in `Europe/Berlin`. */
	zone: string;
	days: number;
	hours: number;
}

/** Counts. Every question is answered from an index, so that a million rows take no second. */
export async function readStats(database: Database, settings: StatsSettings): Promise<Stats> {
	const { now, zone, days, hours } = settings;
	const { query } = database;
	const [ends] = await query<{ first: string | null; latest: string | null }>(
		`SELECT (SELECT min(created_at) FROM registration) AS first,
			(SELECT max(created_at) FROM registration) AS latest`,
	);
	const [other] = await query<{ total: number; flagged: number; erased: number }>(
		`SELECT CAST((SELECT count(*) FROM registration) AS INTEGER) AS total,
			CAST((SELECT count(*) FROM registration WHERE flags <> '') AS INTEGER) AS flagged,
			CAST((SELECT count(*) FROM erasure) AS INTEGER) AS erased`,
	);
	const sources = await query<Counted>(
		`SELECT source AS name, CAST(count(*) AS INTEGER) AS count FROM registration
		GROUP BY source ORDER BY count(*) DESC, source LIMIT ${MOST_SOURCES}`,
	);
	return {
		...ends!,
		...other!,
		days: await count(database, latest("day", days, now, zone)),
		hours: await count(database, latest("hour", hours, now, zone)),
		sources,
	};
}

async function count(database: Database, buckets: readonly Bucket[]): Promise<Counted[]> {
	const ranges = buckets.map(({ name, from, to }) => [name, from, to]);
	const rows = await database.query<Counted>(
		`SELECT value->>0 AS name, CAST((
			SELECT count(*) FROM registration WHERE created_at >= value->>1 AND created_at < value->>2
		) AS INTEGER) AS count FROM ${database.jsonRows}`,
		[JSON.stringify(ranges)],
	);
	const counts = new Map(rows.map(({ name, count }) => [name, count]));
	return buckets.map(({ name }) => ({ name, count: counts.get(name)! }));
}

/** Shows the numbers to a person. */
export function statsAsText(stats: Stats, by: readonly ("day" | "hour" | "source")[]): string {
	const number = (n: number) => n.toLocaleString("en");
	const charts = { day: stats.days, hour: stats.hours, source: stats.sources };
	return [
		`${number(stats.total)} on the waitlist` +
			(stats.total > 0 ? `, from ${stats.first} to ${stats.latest}` : ""),
		`${number(stats.flagged)} marked by the trap, ${number(stats.erased)} erased`,
		...by.flatMap((unit) => ["", `by ${unit}`, ...chart(charts[unit])]),
	].join("\n");
}

const BAR_COLUMNS = 40;

/** One line each: name, bar, number. Eighths of a block make small numbers visible. */
function chart(counted: readonly Counted[]): string[] {
	const most = Math.max(1, ...counted.map(({ count }) => count));
	const width = Math.max(0, ...counted.map(({ name }) => name.length));
	return counted.map(({ name, count }) => {
		const eighths = count === 0 ? 0 : Math.max(1, Math.round((count / most) * BAR_COLUMNS * 8));
		const bar = "█".repeat(eighths >> 3) + (["", ..."▏▎▍▌▋▊▉"][eighths & 7] ?? "");
		return `  ${name.padEnd(width)}  ${bar}${bar && " "}${count.toLocaleString("en")}`;
	});
}
