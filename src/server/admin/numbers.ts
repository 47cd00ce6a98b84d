import type { SharedDatabase } from "../database/database.ts";
import type { Tx } from "../database/transaction.ts";
import { type Backlog, readBacklog } from "../mail/rate/backlog.ts";
import { type Pause, readPause } from "../mail/rate/pauses.ts";
import { readThrottled, type Throttled } from "../mail/rate/throttle.ts";
import { countInvitations, readCountedWaves } from "../mail/wave/wave-counts.ts";
import { countFacts } from "../registrations/facts.ts";
import {
	countBySource,
	countByTime,
	countMarks,
	countRegistrations,
	type Joined,
} from "../registrations/people.ts";
import { visitDays } from "../registrations/visits.ts";
import type { MailSettings, Settings } from "../settings.ts";
import { DAY_MS, isoOf, latestDays, type Period } from "../time.ts";

/** A count since midnight beside the same time of earlier days. */
export interface Compared {
	now: number;
	yesterday: number;
	weekAgo: number;
}

/** From a visit to a redeemed code. Undefined: nothing of the kind was ever counted. */
export interface Funnel {
	visits: number | undefined;
	/** The first day on which visits were counted, in UTC. */
	visitsSince: string | undefined;
	joined: number;
	confirmed: number;
	invited: number | undefined;
	redeemed: number | undefined;
}

/** The waitlist at one moment, in numbers. */
export interface TodayNumbers extends Outgoing {
	/** ISO 8601. */
	asOf: string;
	/** Joins since midnight. */
	today: Compared;
	/** Joins by day, today last, as in `2026-11-21`. */
	days: Joined[];
	funnel: Funnel;
	/** The largest sources of today, and of all days. */
	sources: { today: Joined[]; all: Joined[] };
	/** People on the list by their flag. */
	flags: Joined[];
}

/** The emails that wait, and what stops or slows them. */
export interface Outgoing {
	/** Can be sent, as far as their waves are concerned. */
	waiting: Backlog;
	/** Wait in paused waves, the oldest wave first. */
	paused: { wave: string; waiting: number }[];
	pause: Pause | null;
	slowed: Throttled[];
}

/** Four weeks: each day of the week is there as often. */
const DAYS = 28;

/** A stranger may make up as many sources as they like. */
const MOST_SOURCES = 8;

type Rates = Pick<MailSettings, "rate" | "ramp"> | undefined;

/**
 * Counts what the page "Today" and `waitlist stats` show, in the time zone of the settings. It
 * reads beside joins, and an index answers each question.
 */
export function readToday(
	database: Pick<SharedDatabase, "read">,
	{ mail }: Pick<Settings, "mail">,
	now: Date,
): Promise<TodayNumbers> {
	const rates = mail && { rate: mail.rate, ramp: mail.ramp };
	// The thread that reads does not know the time zone.
	return database.read(readNumbers, { rates, now, days: latestDays(DAYS, now) });
}

/** A transaction that reads the numbers of today. */
export async function readNumbers(
	tx: Tx,
	{ rates, now, days }: { rates: Rates; now: Date; days: readonly Period[] },
): Promise<TodayNumbers> {
	const [midnight, weekAgo, yesterday] = [days.at(-1)!, days.at(-8)!, days.at(-2)!];
	const soFar = ({ name, from }: Period): Period => {
		const ms = Date.parse(from) + now.getTime() - Date.parse(midnight.from);
		return { name, from, to: isoOf(Math.min(ms, Date.parse(from) + DAY_MS)) };
	};
	const counted = await countByTime(tx, [soFar(yesterday), soFar(weekAgo), ...days]);
	const [before, earlier, ...joins] = counted.map(({ count }) => count);
	const visited = await visitDays(tx);
	const invitations = await countInvitations(tx, now);
	return {
		asOf: now.toISOString(),
		today: { now: joins.at(-1)!, yesterday: before!, weekAgo: earlier! },
		days: days.map(({ name }, n) => ({ name, count: joins[n]! })),
		funnel: {
			visits: visited.length > 0 ? visited.reduce((sum, { visits }) => sum + visits, 0) : undefined,
			visitsSince: visited[0]?.day,
			joined: await countRegistrations(tx),
			confirmed: (await countFacts(tx)).confirmed,
			invited: invitations?.invited,
			redeemed: invitations?.redeemed,
		},
		sources: {
			today: await countBySource(tx, MOST_SOURCES, midnight.from),
			all: await countBySource(tx, MOST_SOURCES),
		},
		flags: await countMarks(tx),
		...(await readOutgoing(tx, rates, now)),
	};
}

/** Reads what waits, for every page that shows it. */
export async function readOutgoing(tx: Tx, rates: Rates, now: Date): Promise<Outgoing> {
	const waves = await readCountedWaves(tx, now);
	return {
		waiting: await readBacklog(tx, rates, now),
		paused: waves
			.filter(({ state, letters }) => state === "paused" && letters.waiting > 0)
			.map(({ name, letters }) => ({ wave: name, waiting: letters.waiting })),
		pause: await readPause(tx, now),
		slowed: await readThrottled(tx, now),
	};
}
