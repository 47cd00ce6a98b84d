import type { Command } from "commander";
import { flagAsText } from "../admin/parts.ts";
import { sendingDelaysAsText, waitingAsText } from "../mail/overview.ts";
import { readNumbersToday, type WaitlistNumbers } from "../numbers.ts";
import { BURST_FLAG } from "../registrations/flags.ts";
import { formatNumber } from "../text/format-number.ts";
import { printableLine } from "../text/printable.ts";
import { alignTable, databaseAction } from "./command.ts";

export function addStatsCommand(program: Command): void {
	program
		.command("stats")
		.description("show how many people joined: when, from where, and what happened next")
		.action(
			databaseAction(async ({ database, settings, now }) => {
				const json = await readNumbersToday(database, settings, now);
				return { json, text: numbersAsText(json) };
			}),
		);
}

function numbersAsText(numbers: WaitlistNumbers): string[] {
	const { total, deleted, today, people, invitations, flags, days, sources } = numbers;
	const isBurst = flags.some(({ name }) => name === BURST_FLAG);
	return [
		`${formatNumber(total)} on the waitlist, ${formatNumber(deleted)} deleted`,
		`${formatNumber(today.now)} joined today, ${formatNumber(today.yesterday)} by this time yesterday, ` +
			`${formatNumber(today.weekAgo)} a week ago`,
		`${formatNumber(people.confirmed)} confirmed, ${formatNumber(people.unsubscribed)} unsubscribed, ` +
			`${formatNumber(people.bounced)} bounced`,
		...(invitations
			? [
					`${formatNumber(invitations.invited)} invited, ${formatNumber(invitations.unknown)} possibly invited (delivery unknown), ` +
						`${formatNumber(invitations.redeemed)} redeemed, ${formatNumber(invitations.expired)} expired`,
				]
			: []),
		...flags.map(({ name, count }) => `${formatNumber(count)} flagged: ${flagAsText(name)}`),
		...(isBurst
			? ["People in a burst get no email until you run `waitlist confirm --flag burst`."]
			: []),
		waitingAsText(numbers),
		...sendingDelaysAsText(numbers),
		"",
		...alignTable([
			["day", "joined", "visits"],
			...days.map(({ name, count, visits }) => [name, count, visits] as const),
		]),
		"",
		...alignTable([
			["source", "today", "joined"],
			...sources.map(({ name, count, today }) => [printableLine(name), today, count] as const),
		]),
	];
}
