import type { Command } from "commander";
import { newSecret } from "../../webhooks/sign.ts";
import { countEvents, readFailed, readWebhook, replayFailed } from "../../webhooks/webhook.ts";
import { JSON_HELP, number, print, withDatabase } from "../terminal/command.ts";

/** Lines of a list that somebody reads. */
const MOST_FAILED = 1000;

/** Adds `waitlist webhook`: how the receiver of events is, and what it did not take. */
export function addWebhook(program: Command): void {
	program
		.command("webhook")
		.summary("how many events wait, and what their receiver did not take")
		.description(
			"Shows how many events wait for WAITLIST_WEBHOOK_URL, and how many were given up after ten " +
				"tries. With --new-secret, prints a secret for WAITLIST_WEBHOOK_SECRET and does nothing else.",
		)
		.option("--new-secret", "print a new secret for WAITLIST_WEBHOOK_SECRET")
		.option("--failed", "list the events that were given up, without anybody's address")
		.option("--replay", "send these again, also where the receiver wanted no more (410)")
		.option("--json", JSON_HELP)
		.action(async ({ newSecret: isSecret, failed, replay, json }, command: Command) => {
			if ([isSecret, failed, replay].filter(Boolean).length > 1) {
				command.error("error: use --new-secret, --failed or --replay, but only one");
			}
			if (isSecret) {
				const secret = newSecret();
				print(json, { secret }, () => secret);
				return;
			}
			await withDatabase(async ({ database, now }) => {
				const { query } = database;
				if (failed) {
					const events = await readFailed(query, MOST_FAILED);
					print(json, { events }, () =>
						events
							.map(({ id, kind, at, attempts, code }) =>
								[id, `registration.${kind}`, at, `${attempts} tries`, code].join("  "),
							)
							.join("\n"),
					);
					return;
				}
				if (replay) {
					const waiting = await replayFailed(database, now.toISOString());
					print(json, { waiting }, () => `events that wait again: ${number(waiting)}`);
					return;
				}
				const [receiver, events] = [await readWebhook(query), await countEvents(query)];
				print(json, { ...events, ended: receiver?.endedAt || null }, () =>
					[
						receiver ? "" : "No server here has WAITLIST_WEBHOOK_URL.\n",
						receiver?.endedAt ? `The receiver wants no more since ${receiver.endedAt}.\n` : "",
						`events that wait: ${number(events.waiting)}, given up: ${number(events.failed)}`,
					].join(""),
				);
			});
		});
}
