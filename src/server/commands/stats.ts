import { type Command, Option } from "commander";
import type { Database } from "../database/database.ts";
import type { Query } from "../database/statement.ts";
import { hasLetters } from "../mail/emails/letters.ts";
import { type Backlog, readBacklog } from "../mail/rate/backlog.ts";
import { type Pause, readPause } from "../mail/rate/pauses.ts";
import { readThrottled, type Throttled } from "../mail/rate/throttle.ts";
import { countInvitations, type InvitationCounts } from "../mail/wave/wave-counts.ts";
import type { Operation } from "../registrations/operation.ts";
import {
	countBySource,
	countByTime,
	countList,
	countRegistrations,
	type Joined,
	type ListCounts,
} from "../registrations/people.ts";
import { countErasures } from "../registrations/proofs/erasures.ts";
import {
	countRecipients,
	hasRecipients,
	type RecipientCounts,
} from "../registrations/recipients.ts";
import { visitDays } from "../registrations/visits.ts";
import { type Bucket, latest } from "../time.ts";
import { chart } from "./terminal/chart.ts";
import { JSON_HELP, number, print, wholeNumber, withDatabase } from "./terminal/command.ts";
import { backlogAsText, pauseAsText, slowedForOperator } from "./terminal/letters-as-text.ts";
import { readTodayOf, todayAsText } from "./terminal/today-as-text.ts";

const CHARTS = ["day", "hour", "source", "visit"] as const;

/** Adds `waitlist stats`: how many joined, and when. */
export function addStats(program: Command): void {
	program
		.command("stats")
		.description("how many joined, by day, hour, source and visit")
		.addOption(new Option("--by <what...>", "which charts to draw").choices([...CHARTS]))
		.option("--days <n>", "how many days back", wholeNumber, 14)
		.option("--hours <n>", "how many hours back", wholeNumber, 24)
		.addOption(
			new Option(
				"--today",
				"the numbers of the office's first screen: today beside yesterday and a week ago, in UTC",
			).conflicts(["by", "days", "hours"]),
		)
		.option("--json", JSON_HELP)
		.action(async ({ by = CHARTS, days, hours, today = false, json }) => {
			await withDatabase(async (operation) => {
				if (today) {
					const numbers = await readTodayOf(operation);
					print(json, numbers, () => todayAsText(numbers));
					return;
				}
				const stats = await readStats(operation, { days, hours });
				print(json, stats, () => statsAsText(stats, by));
			});
		});
}

/** The waitlist in numbers. */
interface Stats extends ListCounts {
	total: number;
	erased: number;
	/** What letters know of these people; absent where there is no letter. */
	people?: RecipientCounts;
	/** How many invitations went out, and what became of them; absent where there is no wave. */
	invitations?: InvitationCounts;
	/** The letters that wait; absent where none does. */
	waiting?: Backlog;
	/** Why no letter is sent now, and until when; absent where nothing stops them. */
	pause?: Pause;
	/** The streams of letters that go out more slowly than the rate; absent where there is none. */
	slowed?: Throttled[];
	/** The latest days and hours, the current one last. */
	days: Joined[];
	hours: Joined[];
	/** The sites they came from, the largest first. */
	sources: Joined[];
	/** The latest days in UTC, today last; absent where no visit was ever counted. */
	visits?: VisitedDay[];
}

/** How often the landing page was opened on a day, and how many of those on the list joined then. */
interface VisitedDay {
	name: string;
	visits: number;
	joins: number;
}

/** A stranger may make up as many sources as they like. */
const MOST_SOURCES = 20;

interface StatsSettings {
	days: number;
	hours: number;
}

/** Counts. An index answers every question, so that a million rows take less than a second. */
async function readStats(
	{ database, settings, now }: Pick<Operation, "database" | "settings" | "now">,
	{ days, hours }: StatsSettings,
): Promise<Stats> {
	const { query } = database;
	// Counting sources reads all rows. With PostgreSQL a second connection answers the other questions
	// meanwhile.
	const [sources, total, list, times, erased, people, invitations, pause, visits, slowed, waiting] =
		await Promise.all([
			countBySource(query, MOST_SOURCES),
			countRegistrations(query),
			countList(query),
			countByTime(database, [...latest("day", days, now), ...latest("hour", hours, now)]),
			countErasures(query),
			countPeople(query),
			countInvitations(query, now),
			readPause(query, now),
			countVisitedDays(database, latest("day", days, now, "UTC")),
			readThrottled(query, now),
			readBacklog(query, settings.mail, now),
		]);
	return {
		total,
		...list,
		erased,
		...(people ? { people } : {}),
		...(invitations ? { invitations } : {}),
		...(waiting.letters > 0 ? { waiting } : {}),
		...(pause ? { pause } : {}),
		...(slowed.length > 0 ? { slowed } : {}),
		days: times.slice(0, days),
		hours: times.slice(days),
		sources,
		...(visits ? { visits } : {}),
	};
}

async function countVisitedDays(
	database: Database,
	days: readonly Bucket[],
): Promise<VisitedDay[] | undefined> {
	const counted = new Map(
		(await visitDays(database.query)).map(({ day, visits }) => [day, visits]),
	);
	if (counted.size === 0) return undefined;
	const joined = await countByTime(database, days);
	return joined.map(({ name, count: joins }) => ({
		name,
		visits: counted.get(name) ?? 0,
		joins,
	}));
}

async function countPeople(query: Query): Promise<RecipientCounts | undefined> {
	const known = (await hasLetters(query)) || (await hasRecipients(query));
	return known ? countRecipients(query) : undefined;
}

function statsAsText(stats: Stats, by: readonly (typeof CHARTS)[number][]): string {
	const { people, invitations, waiting, pause, slowed = [] } = stats;
	const charts = {
		day: stats.days,
		hour: stats.hours,
		source: stats.sources,
		visit: stats.visits?.map(({ name, visits, joins }) => ({
			name,
			count: visits,
			...(visits + joins > 0 && { text: visitedAsText(visits, joins) }),
		})),
	};
	return [
		`${number(stats.total)} on the waitlist` +
			(stats.total > 0 ? `, from ${dayOf(stats.first)} to ${dayOf(stats.latest)}` : ""),
		...todayInText(stats.days),
		`${number(stats.flagged)} flagged, ${number(stats.erased)} erased`,
		...(stats.burst > 0
			? [`${number(stats.burst)} in a burst, without a letter until \`waitlist release --burst\``]
			: []),
		...(people
			? [
					`${number(people.confirmed)} confirmed, ${number(people.left)} left, ` +
						`${number(people.bounced)} bounced`,
				]
			: []),
		...(invitations
			? [
					`${number(invitations.invited)} invited, ${number(invitations.unknown)} perhaps invited, ` +
						`${number(invitations.redeemed)} redeemed, ${number(invitations.expired)} expired`,
				]
			: []),
		...(waiting ? backlogAsText(waiting) : []),
		...(pause ? [pauseAsText(pause)] : []),
		...slowedForOperator(slowed),
		...by.flatMap((unit) => {
			const counted = charts[unit];
			if (counted) return ["", titles[unit], ...chart(counted, folds[unit])];
			// Only whoever asked for this chart is told that it is empty.
			return by === CHARTS ? [] : ["", titles[unit], "  none was counted yet"];
		}),
	].join("\n");
}

const titles = {
	day: "by day",
	hour: "by hour",
	source: "by source",
	visit: "visits by day, in UTC, and who joined then",
};

/** Sources have no order in time: each that has nothing is named. */
const folds: Partial<Record<keyof typeof titles, (howMany: number) => string>> = {
	day: (days) => `${days} days without a join`,
	hour: (hours) => `${hours} hours without a join`,
	visit: (days) => `${days} days without a visit`,
};

const dayOf = (iso: string | null) => iso?.slice(0, 10);

/** How many joined today, and how that differs from yesterday. */
function todayInText(days: readonly Joined[]): string[] {
	const [yesterday, today] = days.slice(-2);
	if (!yesterday || !today) return [];
	const change = today.count - yesterday.count;
	return [`${number(today.count)} today, ${change < 0 ? "" : "+"}${number(change)} on yesterday`];
}

function visitedAsText(visits: number, joins: number): string {
	const share = visits > 0 ? ` (${((100 * joins) / visits).toFixed(1)} %)` : "";
	return `${number(visits)} visits, ${number(joins)} joined${share}`;
}
