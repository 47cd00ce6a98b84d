import type { Command } from "commander";
import type { Database } from "../database/database.ts";
import type { Tx } from "../database/transaction.ts";
import { hasEmails } from "../mail/emails/emails.ts";
import { readBacklog } from "../mail/rate/backlog.ts";
import { readPause } from "../mail/rate/pauses.ts";
import { readThrottled } from "../mail/rate/throttle.ts";
import { countInvitations } from "../mail/wave/wave-counts.ts";
import { countFacts, hasFacts } from "../registrations/facts.ts";
import type { Operation } from "../registrations/operation.ts";
import {
	countBySource,
	countByTime,
	countList,
	countRegistrations,
	type Joined,
} from "../registrations/people.ts";
import { countDeleted } from "../registrations/suppression/suppression-list.ts";
import { visitDays } from "../registrations/visits.ts";
import { latestDays } from "../time.ts";
import { chart } from "./terminal/chart.ts";
import { JSON_HELP, number, print, wholeNumber, withDatabase } from "./terminal/command.ts";
import { backlogAsText, pauseAsText, slowedAsText } from "./terminal/emails-as-text.ts";

/** Adds `waitlist stats`: how many joined, and what became of them. */
export function addStats(program: Command): void {
	program
		.command("stats")
		.description("how many joined, when, from where; what became of them")
		.option("--days <n>", "how many days back", wholeNumber, 14)
		.option("--json", JSON_HELP)
		.action(async ({ days, json }) => {
			await withDatabase(async (operation) => {
				const stats = await readStats(operation, days);
				print(json, stats, () => statsAsText(stats));
			});
		});
}

/** A stranger may make up as many sources as they like. */
const MOST_SOURCES = 20;

type Stats = Awaited<ReturnType<typeof readStats>>;

/** Counts. An index answers every question, so that a million rows take less than a second. */
async function readStats({ database, settings, now }: Operation, days: number) {
	// Counting sources reads all rows. With PostgreSQL a second connection answers the other questions
	// meanwhile.
	const [
		sources,
		total,
		list,
		joined,
		deleted,
		people,
		invitations,
		pause,
		visits,
		slowed,
		waiting,
	] = await Promise.all([
		countBySource(database, MOST_SOURCES),
		countRegistrations(database),
		countList(database),
		countByTime(database, latestDays(days, now)),
		countDeleted(database),
		countPeople(database),
		countInvitations(database, now),
		readPause(database, now),
		countVisitedDays(database, days, now),
		readThrottled(database, now),
		readBacklog(database, settings.mail, now),
	]);
	return {
		total,
		...list,
		deleted,
		...(people ? { people } : {}),
		...(invitations ? { invitations } : {}),
		...(waiting.letters > 0 ? { waiting } : {}),
		...(pause ? { pause } : {}),
		...(slowed.length > 0 ? { slowed } : {}),
		/** The latestDays days, today last. */
		days: joined,
		/** The largest first. */
		sources,
		...(visits ? { visits } : {}),
	};
}

/** Visits are counted by day in UTC. @returns undefined if no visit was ever counted */
async function countVisitedDays(database: Database, days: number, now: Date) {
	const counted = new Map((await visitDays(database)).map(({ day, visits }) => [day, visits]));
	if (counted.size === 0) return undefined;
	const joined = await countByTime(database, latestDays(days, now, "UTC"));
	return joined.map(({ name, count: joins }) => ({ name, visits: counted.get(name) ?? 0, joins }));
}

const countPeople = async (database: Tx) =>
	(await hasEmails(database)) || (await hasFacts(database)) ? countFacts(database) : undefined;

function statsAsText(stats: Stats): string {
	const { people, invitations, waiting, pause, slowed = [], visits } = stats;
	const dayOf = (iso: string | null) => iso?.slice(0, 10);
	return [
		`${number(stats.total)} on the waitlist` +
			(stats.total > 0 ? `, from ${dayOf(stats.first)} to ${dayOf(stats.latest)}` : ""),
		...todayAsText(stats.days),
		`${number(stats.flagged)} flagged, ${number(stats.deleted)} deleted`,
		...(stats.burst > 0
			? [
					`${number(stats.burst)} in a burst, without an email until \`waitlist confirm --flag burst\``,
				]
			: []),
		...(people
			? [
					`${number(people.confirmed)} confirmed, ${number(people.left)} unsubscribed, ` +
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
		...slowedAsText(slowed),
		"",
		"by day",
		...chart(stats.days),
		...(visits ? ["", "visits by day, in UTC, and who joined then", ...visitsAsText(visits)] : []),
		"",
		"by source",
		...chart(stats.sources),
	].join("\n");
}

/** How many joined today, and how that differs from yesterday. */
function todayAsText(days: readonly Joined[]): string[] {
	const [yesterday, today] = days.slice(-2);
	if (!yesterday || !today) return [];
	const change = today.count - yesterday.count;
	return [`${number(today.count)} today, ${change < 0 ? "" : "+"}${number(change)} on yesterday`];
}

function visitsAsText(days: NonNullable<Stats["visits"]>): string[] {
	return chart(
		days.map(({ name, visits, joins }) => {
			const share = visits > 0 ? ` (${((100 * joins) / visits).toFixed(1)} %)` : "";
			const text = `${number(visits)} visits, ${number(joins)} joined${share}`;
			return { name, count: visits, text };
		}),
	);
}
