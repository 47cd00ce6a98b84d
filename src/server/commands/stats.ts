import type { Command } from "commander";
import { stoppedAsText, waitingAsText } from "../mail/overview.ts";
import { readNumbersToday, type WaitlistNumbers } from "../numbers.ts";
import { BURST } from "../registrations/flags.ts";
import { figure } from "../text/figure.ts";
import { printableLine } from "../text/printable.ts";
import { alignTable, onDatabase } from "./command.ts";

export function addStatsCommand(program: Command): void {
	program
		.command("stats")
		.description("show sign-up numbers: when, from where, and what happened next")
		.action(
			onDatabase(async ({ database, settings, now }) => {
				const json = await readNumbersToday(database, settings, now);
				return { json, text: numbersAsText(json) };
			}),
		);
}

function numbersAsText(numbers: WaitlistNumbers): string[] {
	const { total, deleted, today, people, invitations, flags, days, sources } = numbers;
	const isBurst = flags.some(({ name }) => name === BURST);
	return [
		`${figure(total)} on the waitlist, ${figure(deleted)} deleted`,
		`${figure(today.now)} joined today, ${figure(today.yesterday)} by this time yesterday, ` +
			`${figure(today.weekAgo)} a week ago`,
		`${figure(people.confirmed)} confirmed, ${figure(people.unsubscribed)} unsubscribed, ` +
			`${figure(people.bounced)} bounced`,
		...(invitations
			? [
					`${figure(invitations.invited)} invited, ${figure(invitations.unknown)} perhaps invited, ` +
						`${figure(invitations.redeemed)} redeemed, ${figure(invitations.expired)} expired`,
				]
			: []),
		...flags.map(({ name, count }) => `${figure(count)} flagged ${printableLine(name)}`),
		...(isBurst
			? ["People in a burst get no email until you run `waitlist confirm --flag burst`."]
			: []),
		waitingAsText(numbers),
		...stoppedAsText(numbers),
		"",
		...alignTable([
			["day", "joined", "visits"],
			...days.map(({ name, count, visits }) => [name, count, visits] as const),
		]),
		"",
		...alignTable([
			["source", "joined"],
			...sources.all.map(({ name, count }) => [printableLine(name), count] as const),
		]),
	];
}
