import { hash } from "node:crypto";
import type { SharedDatabase } from "../database/database.ts";
import type { Log } from "../log.ts";
import type { WebhookSettings } from "../settings/telling.ts";
import { closeWebhook, openWebhook } from "./event.ts";
import { personNames } from "./person.ts";
import { type EventSender, startEventSender } from "./sender.ts";

/** Told where events are sent and nothing names their people. */
export const EVENT_KEY_MISSING =
	"WAITLIST_WEBHOOK_URL is set, but the key that people are named by is missing: set " +
	"WAITLIST_ERASURE_KEY to a secret of 32 characters or more, and keep it";

/** Starts to tell another system. Before this, no event is written. */
export async function openEvents({
	database,
	webhook,
	secret,
	log,
	lookMs,
}: {
	database: SharedDatabase;
	webhook: WebhookSettings;
	/** The secret of the erasure key. */
	secret: string;
	log: Log;
	lookMs?: number;
}): Promise<EventSender> {
	const { url, body } = webhook;
	const open = () => openWebhook(database, { address: hash("sha256", url), body });
	// A database that takes no writes now is no reason to show no page: the sender tries again.
	await open().catch(() => {});
	return startEventSender({ database, webhook, nameOf: personNames(secret), open, log, lookMs });
}

/**
 * For a server without an address for events: what was not told never is. A database that refuses is no
 * reason to show no page.
 */
export async function endEvents(database: SharedDatabase, log: Log): Promise<void> {
	try {
		const events = await closeWebhook(database);
		if (events) log("info", "events dropped", { events });
	} catch (error) {
		log("error", "events not dropped", { error });
	}
}
