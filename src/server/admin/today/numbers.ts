import type { SharedDatabase } from "../../database/database.ts";
import { hasLetters } from "../../mail/emails/letters.ts";
import { type Backlog, readBacklog } from "../../mail/rate/backlog.ts";
import { type Pause, readPause } from "../../mail/rate/pauses.ts";
import { readThrottled, type Throttled } from "../../mail/rate/throttle.ts";
import { countInvitations } from "../../mail/wave/wave-counts.ts";
import { readWaves } from "../../mail/wave/waves.ts";
import {
	countBySource,
	countByTime,
	countMarks,
	countRegistrations,
	type Joined,
} from "../../registrations/people.ts";
import { countRecipients, hasRecipients } from "../../registrations/recipients.ts";
import { type VisitDay, visitDays } from "../../registrations/visits.ts";
import type { Settings } from "../../settings.ts";
import { type Bucket, DAY_MS, daysAfter, latest } from "../../time.ts";

/** A count beside what it was at the same time of earlier days, by those who are on the list today. */
export interface Compared {
	now: number;
	yesterday: number;
	weekAgo: number;
}

/** A day in UTC. */
export interface Day {
	/** As in `2026-11-21`. */
	name: string;
	joined: number;
	/** Undefined where no visit was counted before or on this day. */
	visits: number | undefined;
}

/** From a visit to a code that was redeemed. Undefined: nothing of the kind was ever counted. */
export interface Funnel {
	visits: number | undefined;
	/** The first day on which visits were counted. */
	visitsSince: string | undefined;
	joined: number;
	confirmed: number | undefined;
	invited: number | undefined;
	redeemed: number | undefined;
}

/** How many joined, and when. Days and hours are of UTC. */
export interface Tallies {
	/** ISO 8601. */
	asOf: string;
	total: Compared;
	today: Compared;
	hour: Compared;
	/** How many joined in each hour of a day: of today's up to this hour, and yesterday's. */
	hours: { today: number[]; yesterday: number[] };
	/** The latest days, today last. */
	days: Day[];
}

/** Counts of all people. */
export interface Counts extends Tallies {
	funnel: Funnel;
	/** The largest sources of today, and of all days. */
	sources: { today: Joined[]; all: Joined[] };
	/** People on the list that look like programs, by their mark. */
	marks: Joined[];
}

/** What waits, and what keeps it from being sent. */
export interface Outgoing {
	waiting: Backlog;
	pause: Pause | null;
	slowed: Throttled[];
	/** Names of the waves that the operator has paused. */
	pausedWaves: string[];
}

/** The waitlist at one moment, in numbers. */
export interface TodayNumbers extends Counts, Outgoing {}

/** Four weeks, so that each day of the week is there as often. */
const DAYS = 28;

/** A stranger may make up as many sources as they like. */
const MOST_SOURCES = 8;

/** Later than the time of any registration. */
const FOR_EVER = "~";

type Asked = Pick<SharedDatabase, "query" | "dialect">;

/**
 * Counts what the first screen of the office and `waitlist stats --today` show. An index answers each
 * question, and each comes by itself: joins that share SQLite's thread get in between.
 */
export async function readToday(
	database: Asked,
	{ mail }: Pick<Settings, "mail">,
	now: Date,
): Promise<TodayNumbers> {
	return { ...(await readCounts(database, now)), ...(await readOutgoing(database, { mail }, now)) };
}

/** What takes long to count where there are many people. */
export async function readCounts(database: Asked, now: Date): Promise<Counts> {
	const { query } = database;
	const visited = await visitDays(query);
	const times = await countTimes(database, now);
	const tallies = tally(times, await countRegistrations(query), visited, now);
	return {
		...tallies,
		funnel: {
			visits: visited.length > 0 ? visited.reduce((sum, { visits }) => sum + visits, 0) : undefined,
			visitsSince: visited[0]?.day,
			joined: tallies.total.now,
			...(await countSteps(query, now)),
		},
		sources: {
			today: await countBySource(query, MOST_SOURCES, `${tallies.days.at(-1)!.name}T00:00:00.000Z`),
			all: await countBySource(query, MOST_SOURCES),
		},
		marks: await countMarks(query),
	};
}

/** What is read anew each time, because the first screen changes it. */
export async function readOutgoing(
	{ query }: Pick<Asked, "query">,
	{ mail }: Pick<Settings, "mail">,
	now: Date,
): Promise<Outgoing> {
	const waves = await readWaves(query);
	return {
		waiting: await readBacklog(query, mail, now),
		pause: await readPause(query, now),
		slowed: await readThrottled(query, now),
		pausedWaves: waves.filter(({ state }) => state === "paused").map(({ name }) => name),
	};
}

/** How many joined in each of the times that the first screen shows, by these times. */
async function countTimes(database: Asked, now: Date) {
	const days = latest("day", DAYS, now, "UTC");
	const [today, hour] = [days.at(-1)!, latest("hour", 1, now, "UTC")[0]!];
	// Midnight to midnight: a day of UTC has 24 hours.
	const passed = now.getUTCHours() + 1;
	const counted = await countByTime(database, [
		...[today, sameTime(today, now, 1), sameTime(today, now, 7)],
		...[hour, sameTime(hour, now, 1), sameTime(hour, now, 7)],
		...[1, 7].map((ago) => ({ name: "", from: daysAfter(now.getTime(), -ago), to: FOR_EVER })),
		...latest("hour", 24 + passed, now, "UTC"),
		...days,
	]);
	const counts = counted.map(({ count }) => count);
	const take = (count: number) => counts.splice(0, count);
	const [ofDay, ofHour, since] = [compared(take(3)), compared(take(3)), take(2)];
	const [yesterday, ofToday] = [take(24), take(passed)];
	const [sinceYesterday = 0, sinceWeek = 0] = since;
	return {
		ofDay,
		ofHour,
		sinceYesterday,
		sinceWeek,
		hours: { today: ofToday, yesterday },
		days: days.map(({ name }, place) => ({ name, joined: counts[place]! })),
	};
}

const compared = ([now = 0, yesterday = 0, weekAgo = 0]: number[]): Compared => {
	return { now, yesterday, weekAgo };
};

/** @param total is counted after the times, so that no part is more than the whole while others join */
function tally(
	{ ofDay, ofHour, sinceYesterday, sinceWeek, hours, days }: Awaited<ReturnType<typeof countTimes>>,
	total: number,
	visited: readonly VisitDay[],
	now: Date,
): Tallies {
	return {
		asOf: now.toISOString(),
		total: compared([total, total - sinceYesterday, total - sinceWeek]),
		today: ofDay,
		hour: ofHour,
		hours,
		days: days.map((day) => ({ ...day, visits: visitsOn(day.name, visited) })),
	};
}

/** From the first moment of a day or hour some days ago until the time that it was then. */
function sameTime({ from }: Bucket, now: Date, daysAgo: number): Bucket {
	const before = (ms: number) => daysAfter(ms - daysAgo * DAY_MS, 0);
	return { name: "", from: before(Date.parse(from)), to: before(now.getTime()) };
}

function visitsOn(name: string, visited: readonly VisitDay[]) {
	const first = visited[0];
	if (!first || name < first.day) return undefined;
	return visited.find(({ day }) => day === name)?.visits ?? 0;
}

async function countSteps(
	query: Asked["query"],
	now: Date,
): Promise<Pick<Funnel, "confirmed" | "invited" | "redeemed">> {
	const known = (await hasLetters(query)) || (await hasRecipients(query));
	const confirmed = known ? (await countRecipients(query)).confirmed : undefined;
	const invitations = await countInvitations(query, now);
	return {
		confirmed,
		invited: invitations?.invited,
		redeemed: invitations?.redeemed,
	};
}
