import type { Command } from "commander";
import { unsubscribePeople } from "../mail/links/unsubscribe.ts";
import { openSuppressionList } from "../registrations/suppression/open-suppression-list.ts";
import { changePeople, named } from "./terminal/change-people.ts";
import { JSON_HELP, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist unsubscribe`: people who asked for it. */
export function addUnsubscribe(program: Command): void {
	program
		.command("unsubscribe <emails...>")
		.summary("unsubscribe people who asked you to")
		.description(
			"Unsubscribes people who asked you, as the link in every email does. They stay on the waitlist " +
				'and get no more email. The record says "on request, by us". Only they can undo it, by a link ' +
				"in an earlier email.",
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { json }) => {
			await withDatabase(async ({ database, places, now, note }) => {
				await changePeople(database, { emails, json }, async (keys) => {
					const list = await openSuppressionList(database, places);
					const also = note("person unsubscribed", named(keys));
					const asked = { way: "request", now, also } as const;
					const changed = await unsubscribePeople(database, list, keys, asked);
					const lines = [`Unsubscribed: ${changed.length}`];
					return { changed, result: { unsubscribed: changed.length }, lines };
				});
			});
		});
}
