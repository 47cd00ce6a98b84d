import { readHealth } from "../../admin/health.ts";
import { readToday, type TodayNumbers } from "../../admin/numbers.ts";
import type { Finding } from "../../database/database.ts";
import type { Operation } from "../../registrations/operation.ts";
import type { Joined } from "../../registrations/people.ts";
import { shownTime } from "../../time.ts";
import { chart } from "./chart.ts";
import { number } from "./command.ts";
import { backlogAsText, pauseAsText, slowedForOperator } from "./letters-as-text.ts";

/** The numbers of the page "Today". */
interface TodayOnTerminal extends TodayNumbers {
	health: Finding[];
}

export async function readTodayOf({
	database,
	settings,
	now,
}: Operation): Promise<TodayOnTerminal> {
	const numbers = await readToday(database, settings, now);
	return { ...numbers, health: await readHealth(database.query, settings, now) };
}

/** The same for a person. */
export function todayAsText(numbers: TodayOnTerminal): string {
	const { asOf, today, funnel, sources, flags, health, waiting, pause, slowed, paused } = numbers;
	return [
		`As of ${shownTime(asOf)}.`,
		`${number(funnel.joined)} on the waitlist, ${number(today.now)} joined today ` +
			`(by this time yesterday ${number(today.yesterday)}, a week ago ${number(today.weekAgo)})`,
		"",
		funnelAsText(funnel),
		...sourcesAsText("sources today", sources.today),
		...sourcesAsText("sources of all days", sources.all),
		...(flags.length > 0
			? ["", `flagged: ${flags.map(({ name, count }) => `${name} ${number(count)}`).join(", ")}`]
			: []),
		"",
		...(waiting.letters > 0 ? backlogAsText(waiting) : ["No email waits."]),
		...paused.map(
			(wave) =>
				`${number(wave.waiting)} wait in the paused wave ${wave.wave}: \`waitlist resume ${wave.wave}\`.`,
		),
		...(pause ? [pauseAsText(pause)] : []),
		...slowedForOperator(slowed),
		"",
		...health.map(({ name, ok, found }) => `${ok ? "✓" : "✗"} ${name}: ${found}`),
	].join("\n");
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
