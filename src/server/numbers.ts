import type { CheckResult, SharedDatabase } from "./database/database.ts";
import { isOldBackup, readLastBackup } from "./database/notes.ts";
import type { Tx } from "./database/sql.ts";
import { checkFreeSpace } from "./files/files.ts";
import { readOutgoingSummary } from "./mail/overview.ts";
import { countInvitations, readCountedWaves } from "./mail/waves.ts";
import {
	countJoinsByDay,
	countPeopleByFlag,
	countPeopleBySource,
	countPeopleByState,
	countRegistrations,
} from "./registrations/people.ts";
import { countDeletedPeople } from "./registrations/suppression/suppression-list.ts";
import { readVisitDays } from "./registrations/visits.ts";
import type { MailSettings, Settings } from "./settings.ts";
import { DAY_MS, type DayPeriod, HOUR_MS, isoOf, latestDays } from "./time.ts";
import { countEvents, hasWebhook, readFirstFailure } from "./webhooks/event.ts";

/** Four weeks, so that each weekday occurs equally often. */
const DAYS = 28;

/** Strangers can invent any number of sources. */
const MOST_SOURCES = 8;

export type WaitlistNumbers = Awaited<ReturnType<typeof readWaitlistNumbers>>;

export function readNumbersToday(
	database: Pick<SharedDatabase, "read">,
	{ mail }: Pick<Settings, "mail">,
	now: Date,
): Promise<WaitlistNumbers> {
	const rates = mail && { rate: mail.rate, warmUp: mail.warmUp };
	// Days are computed here, because the reading thread does not know the time zone.
	return database.read(readWaitlistNumbers, { rates, now, days: latestDays(DAYS, now) });
}

interface NumbersQuery {
	rates: Pick<MailSettings, "rate" | "warmUp"> | undefined;
	now: Date;
	days: readonly DayPeriod[];
}

export async function readWaitlistNumbers(tx: Tx, { rates, now, days }: NumbersQuery) {
	const [midnight, weekAgo, yesterday] = [days.at(-1)!, days.at(-8)!, days.at(-2)!];
	const soFar = ({ name, from }: DayPeriod): DayPeriod => {
		const ms = Date.parse(from) + now.getTime() - Date.parse(midnight.from);
		return { name, from, to: isoOf(Math.min(ms, Date.parse(from) + DAY_MS)) };
	};
	const [before, earlier, ...joins] = await countJoinsByDay(tx, [
		...[soFar(yesterday), soFar(weekAgo)],
		...days,
	]);
	const visited = await readVisitDays(tx);
	const visits = new Map(visited.map(({ day, visits }) => [day, visits]));
	const waves = await readCountedWaves(tx, now);
	return {
		asOf: now.toISOString(),
		total: await countRegistrations(tx),
		deleted: await countDeletedPeople(tx),
		people: await countPeopleByState(tx),
		invitations: countInvitations(waves),
		today: { now: joins.at(-1)!.count, yesterday: before!.count, weekAgo: earlier!.count },
		/** Today is last. Visits are by UTC day. */
		days: joins.map(({ name, count }) => ({ name, count, visits: visits.get(name) ?? 0 })),
		...(visited.length > 0 && {
			visits: {
				since: visited[0]!.day,
				count: visited.reduce((sum, { visits }) => sum + visits, 0),
			},
		}),
		sources: await countPeopleBySource(tx, MOST_SOURCES, midnight.from),
		flags: await countPeopleByFlag(tx),
		...(await readOutgoingSummary(tx, { rates, waves, now })),
	};
}

export async function readHealth(
	tx: Tx,
	{ database }: Pick<Settings, "database">,
	now: Date,
): Promise<CheckResult[]> {
	return [
		await backupHealth(tx, now),
		...(database.kind === "sqlite" ? [await checkFreeSpace(database.file)] : []),
		...(await checkWebhook(tx)),
	];
}

async function backupHealth(tx: Tx, now: Date): Promise<CheckResult> {
	const [name, todo] = ["Last backup", ": run `waitlist backup <file>`"];
	const last = await readLastBackup(tx);
	if (!last) return { name, ok: false, found: `none yet${todo}` };
	const hours = Math.max(0, Math.floor((now.getTime() - Date.parse(last.madeAt)) / HOUR_MS));
	const age = hours < 48 ? `${hours < 1 ? "under 1" : hours} h` : `${Math.floor(hours / 24)} days`;
	const ok = !isOldBackup(last, now.getTime());
	return { name, ok, found: `${age} ago${ok ? "" : todo}` };
}

export async function checkWebhook(tx: Tx): Promise<CheckResult[]> {
	if (!(await hasWebhook(tx))) return [];
	const { waiting, failed } = await countEvents(tx);
	const first = failed > 0 ? await readFirstFailure(tx) : undefined;
	const givenUp = first ? ` (error ${first.code}): \`waitlist check --replay\` retries them` : "";
	const found = `${waiting} waiting, ${failed} failed${givenUp}`;
	return [{ name: "Webhook events", ok: failed === 0, found }];
}
