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
	// All rows are read for their sources: the total comes from the same pass. Meanwhile a second
	// connection, where there is one, answers what reads only a part.
	const bySource = query<Counted & { total: number }>(
		`SELECT source AS name, CAST(count(*) AS INTEGER) AS count,
			CAST(sum(count(*)) OVER () AS INTEGER) AS total
		FROM registration GROUP BY source ORDER BY count(*) DESC, source LIMIT ${MOST_SOURCES}`,
	);
	const byTime = count(database, [
		...latest("day", days, now, zone),
		...latest("hour", hours, now, zone),
	]);
	const others = query<Pick<Stats, "first" | "latest" | "flagged" | "erased">>(
		`SELECT (SELECT min(created_at) FROM registration) AS first,
			(SELECT max(created_at) FROM registration) AS latest,
			CAST((SELECT count(*) FROM registration WHERE flags <> '') AS INTEGER) AS flagged,
			CAST((SELECT count(*) FROM erasure) AS INTEGER) AS erased`,
	);
	const [sources, times, [other]] = await Promise.all([bySource, byTime, others]);
	return {
		total: sources[0]?.total ?? 0,
		...other!,
		days: times.slice(0, days),
		hours: times.slice(days),
		sources: sources.map(({ name, count }) => ({ name, count })),
	};
}

async function count(database: Database, buckets: readonly Bucket[]): Promise<Counted[]> {
	const ranges = buckets.map(({ from, to }, place) => [String(place), from, to]);
	const rows = await database.query<{ place: string; count: number }>(
		`SELECT value->>0 AS place, CAST((
			SELECT count(*) FROM registration WHERE created_at >= value->>1 AND created_at < value->>2
		) AS INTEGER) AS count FROM ${database.jsonRows}`,
		[JSON.stringify(ranges)],
	);
	const counts = new Map(rows.map(({ place, count }) => [Number(place), count]));
	return buckets.map(({ name }, place) => ({ name, count: counts.get(place)! }));
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
