import type { Command } from "commander";
import { unbounce } from "../mail/feedback/unbounce.ts";
import { flagPeople } from "../registrations/flags.ts";
import { changePeople, named } from "./terminal/change-people.ts";
import { JSON_HELP, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist block`: no wave includes these people. */
export function addBlock(program: Command): void {
	program
		.command("block <emails...>")
		.summary("send these people no email")
		.description(
			"Flags people as `operator`: no wave includes them, and they are not asked to confirm. They stay " +
				"on the waitlist, and `waitlist unblock` undoes it.",
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { json }) => {
			await withDatabase(async ({ database, note }) => {
				await changePeople(
					database,
					{ emails, json },
					async (keys) => {
						const also = note("person blocked", named(keys));
						const changed = await database.transact(flagPeople, { keys, remove: false, also });
						return {
							changed,
							result: { blocked: changed.length },
							lines: [`Blocked: ${changed.length}`],
						};
					},
					() => "they have a flag already.",
				);
			});
		});
}

/** Adds `waitlist unblock`: takes back any flag, and that an address bounced. */
export function addUnblock(program: Command): void {
	program
		.command("unblock <emails...>")
		.summary("let these people get email again")
		.description(
			"Takes back a flag, whoever set it, and that an address bounced: these people can get email again. " +
				"This sends nothing by itself.",
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { json }) => {
			await withDatabase(async ({ database, now, note }) => {
				await changePeople(
					database,
					{ emails, json },
					async (keys) => {
						const also = note("person unblocked", named(keys));
						const flagged = await database.transact(flagPeople, { keys, remove: true, also });
						const bounced = (await database.transact(unbounce, { keys, now, also })).map(
							({ email }) => email,
						);
						const changed = new Set([...flagged, ...bounced]);
						return {
							changed,
							result: { unblocked: changed.size },
							lines: [
								`Unblocked: ${changed.size}`,
								...(changed.size > 0
									? [
											"`waitlist confirm` asks them to confirm, `waitlist resend` sends again what bounced.",
										]
									: []),
							],
						};
					},
					(reason) => `they have no flag and have not bounced; ${reason}`,
				);
			});
		});
}
