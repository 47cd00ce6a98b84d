import type { SharedDatabase } from "../database/database.ts";
import type { Tx } from "../database/sql.ts";
import { readOutgoing } from "../mail/overview.ts";
import { countInvitations, readCountedWaves } from "../mail/waves.ts";
import {
	countBySource,
	countByTime,
	countFacts,
	countFlags,
	countRegistrations,
} from "../registrations/people.ts";
import { countDeleted } from "../registrations/suppression/suppression-list.ts";
import { visitDays } from "../registrations/visits.ts";
import type { MailSettings, Settings } from "../settings.ts";
import { DAY_MS, isoOf, latestDays, type Period } from "../time.ts";

/** Four weeks: each day of the week occurs equally often. */
const DAYS = 28;

/** A stranger can make up any number of sources. */
const MOST_SOURCES = 8;

/** The waitlist at one moment, for the page Today and `waitlist stats`. */
export type Numbers = Awaited<ReturnType<typeof readNumbers>>;

export function readToday(
	database: Pick<SharedDatabase, "read">,
	{ mail }: Pick<Settings, "mail">,
	now: Date,
): Promise<Numbers> {
	const rates = mail && { rate: mail.rate, ramp: mail.ramp };
	// The thread that reads does not know the time zone.
	return database.read(readNumbers, { rates, now, days: latestDays(DAYS, now) });
}

/** A transaction that counts everything. An index answers each question. */
export async function readNumbers(
	tx: Tx,
	{
		rates,
		now,
		days,
	}: {
		rates: Pick<MailSettings, "rate" | "ramp"> | undefined;
		now: Date;
		days: readonly Period[];
	},
) {
	const [midnight, weekAgo, yesterday] = [days.at(-1)!, days.at(-8)!, days.at(-2)!];
	const soFar = ({ name, from }: Period): Period => {
		const ms = Date.parse(from) + now.getTime() - Date.parse(midnight.from);
		return { name, from, to: isoOf(Math.min(ms, Date.parse(from) + DAY_MS)) };
	};
	const [before, earlier, ...joins] = await countByTime(tx, [
		...[soFar(yesterday), soFar(weekAgo)],
		...days,
	]);
	const visited = await visitDays(tx);
	const visits = new Map(visited.map(({ day, visits }) => [day, visits]));
	const waves = await readCountedWaves(tx, now);
	const invitations = countInvitations(waves);
	const flags = await countFlags(tx);
	return {
		asOf: now.toISOString(),
		total: await countRegistrations(tx),
		deleted: await countDeleted(tx),
		people: await countFacts(tx),
		...(invitations && { invitations }),
		today: { now: joins.at(-1)!.count, yesterday: before!.count, weekAgo: earlier!.count },
		/** Today last. Visits are those of the day in UTC. */
		days: joins.map(({ name, count }) => ({ name, count, visits: visits.get(name) ?? 0 })),
		...(visited.length > 0 && {
			visits: {
				since: visited[0]!.day,
				count: visited.reduce((sum, { visits }) => sum + visits, 0),
			},
		}),
		sources: {
			today: await countBySource(tx, MOST_SOURCES, midnight.from),
			all: await countBySource(tx, MOST_SOURCES),
		},
		flags,
		...(await readOutgoing(tx, { rates, waves, now })),
	};
}
