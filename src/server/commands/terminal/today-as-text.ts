import { readHealth } from "../../admin/today/health.ts";
import { type Compared, readToday, type TodayNumbers } from "../../admin/today/numbers.ts";
import type { Finding } from "../../database/database.ts";
import type { Operation } from "../../registrations/operation.ts";
import type { Joined } from "../../registrations/people.ts";
import { shownTime } from "../../time.ts";
import { chart } from "./chart.ts";
import { number } from "./command.ts";
import { backlogAsText, pauseAsText, slowedForOperator } from "./letters-as-text.ts";

/** What the first screen of the office shows, but for those who joined last and for refused joins. */
export interface TodayOnTerminal extends TodayNumbers {
	health: Finding[];
}

/** Asks what the office asks. What limits refuse is known to the running server alone. */
export async function readTodayOf({
	database,
	settings,
	now,
}: Operation): Promise<TodayOnTerminal> {
	const { query } = database;
	const numbers = await readToday(database, settings, now);
	const health = await readHealth({ settings, query, now, letters: numbers });
	return { ...numbers, health };
}

/** The same for a person. */
export function todayAsText(today: TodayOnTerminal): string {
	const { asOf, total, today: day, hour, hours, funnel, sources, marks, health } = today;
	const { waiting, pause, slowed, pausedWaves } = today;
	return [
		`As of ${shownTime(asOf)}. Beside each number: the same time yesterday, and a week ago.`,
		...comparedAsText({ "On the waitlist": total, Today: day, "This hour": hour }),
		"",
		"joined by hour, and yesterday",
		...chart(
			hours.today.map((count, at) => ({
				name: `${String(at).padStart(2, "0")}:00`,
				count,
				text: `${number(count)} (${number(hours.yesterday[at]!)})`,
			})),
		),
		"",
		funnelAsText(funnel),
		...sourcesAsText("sources today", sources.today),
		...sourcesAsText("sources of all days", sources.all),
		...(marks.length > 0
			? ["", `marked: ${marks.map(({ name, count }) => `${name} ${number(count)}`).join(", ")}`]
			: []),
		"",
		...(waiting.letters > 0 ? backlogAsText(waiting) : ["No letter waits."]),
		...(pause ? [pauseAsText(pause)] : []),
		...slowedForOperator(slowed),
		...pausedWaves.map((wave) => `The wave ${wave} is paused until \`waitlist resume ${wave}\`.`),
		"",
		...health.map(({ name, ok, found }) => `${ok ? "✓" : "✗"} ${name}: ${found}`),
	].join("\n");
}

function comparedAsText(all: Readonly<Record<string, Compared>>): string[] {
	const rows = Object.entries(all).map(([name, { now, yesterday, weekAgo }]) => [
		name,
		...[now, yesterday, weekAgo].map(number),
	]);
	const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
	return rows.map(([name = "", ...counts]) =>
		[name.padEnd(widths[0]!), ...counts.map((count, n) => count.padStart(widths[n + 1]!))].join(
			"  ",
		),
	);
}

function funnelAsText(funnel: TodayNumbers["funnel"]): string {
	const { visits, visitsSince, joined, confirmed, invited, redeemed } = funnel;
	const steps = [
		[visits, visitsSince ? `visits since ${visitsSince}` : "visits"],
		[joined, "joined"],
		[confirmed, "confirmed"],
		[invited, "invited"],
		[redeemed, "redeemed"],
	] as const;
	return steps
		.filter(([count]) => count !== undefined)
		.map(([count, name]) => `${number(count!)} ${name}`)
		.join(" → ");
}

function sourcesAsText(title: string, sources: readonly Joined[]): string[] {
	return sources.length === 0 ? [] : ["", title, ...chart(sources)];
}
