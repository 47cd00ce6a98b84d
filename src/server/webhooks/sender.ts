import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { SharedDatabase } from "../database/database.ts";
import { type Log, trackOutage } from "../log.ts";
import type { Settings } from "../settings.ts";
import { isoOf } from "../time.ts";
import {
	type ClaimedEvent,
	claimEvents,
	type EventOutcome,
	enableWebhook,
	retryAfterMs,
	type WebhookEvent,
} from "./event.ts";
import { isAccepted, type PostOutcome, postJson } from "./post.ts";

export const MOST_CONCURRENT_EVENTS = 20;

interface EventSenderSettings {
	database: SharedDatabase;
	webhook: NonNullable<Settings["webhook"]>;
	secret: string;
	log: Log;
	lookMs?: number;
}

/** Delivers each event at least once, and each person's events in order. */
export async function startEventSender(settings: EventSenderSettings) {
	const { database, webhook, secret, log, lookMs = 1000 } = settings;
	const closing = new AbortController();
	const { signal } = closing;
	const open = () => database.transact(enableWebhook, Date.now()).then(() => true);
	// The server must start even if the database is read-only. `turn` tries again.
	let isOpen = await open().catch(() => false);
	const outage = trackOutage(log, "events unavailable", "events available again");
	const receiver = trackOutage(log, "events not delivered", "events delivered again");

	async function work(): Promise<void> {
		let outcome: EventOutcome | undefined;
		while (!signal.aborted || outcome) {
			try {
				outcome = await turn(outcome);
				outage.recover();
			} catch (error) {
				outage.fail({ error });
				if (signal.aborted) return;
			}
			const restMs = receiver.isFailing()
				? 5 * lookMs
				: !outcome || outage.isFailing()
					? lookMs
					: 0;
			if (restMs > 0) await sleep(restMs, 0, { signal }).catch(() => {});
		}
	}

	async function turn(before: EventOutcome | undefined): Promise<EventOutcome | undefined> {
		if (!isOpen) isOpen = await open();
		const now = Date.now();
		const most = signal.aborted ? 0 : receiver.isFailing() ? 1 : MOST_CONCURRENT_EVENTS;
		const claim = { outcome: before, most, secret, now };
		const events = await database.transact(claimEvents, claim);
		if (events.length === 0) return undefined;
		const outcome: EventOutcome = { delivered: [], undelivered: [] };
		for (const { posted, ...event } of await Promise.all(events.map(send))) {
			if (isAccepted(posted)) outcome.delivered.push(event);
			// Closing cut off this attempt, so the event is due again at once.
			else if (signal.aborted) outcome.undelivered.push({ ...event, nextAt: isoOf(now), code: "" });
			else outcome.undelivered.push({ ...event, ...retryOf(event, posted) });
		}
		report(outcome);
		return outcome;
	}

	async function send(event: ClaimedEvent): Promise<ClaimedEvent & { posted: PostOutcome }> {
		const { id, kind, at, person, email } = event;
		const type = `registration.${kind}` as const;
		const message: WebhookEvent = { type, timestamp: at, data: { id: person, email } };
		const body = JSON.stringify(message);
		const headers = signWebhook(webhook.secrets, { id, body, ms: Date.now() });
		return { ...event, posted: await postJson(webhook.url, body, { headers, signal }) };
	}

	function report({ delivered, undelivered }: EventOutcome): void {
		const events = undelivered.filter(({ nextAt }) => !nextAt).length;
		if (events > 0) log("error", "events given up", { events });
		// After closing, failures say nothing about the receiver.
		if (signal.aborted) return;
		if (delivered.length > 0) receiver.recover();
		else receiver.fail({ code: undelivered[0]!.code });
	}

	const ended = work();
	return {
		close(): Promise<void> {
			closing.abort();
			return ended;
		},
	};
}

function retryOf({ attempts }: ClaimedEvent, { code, waitMs }: PostOutcome) {
	const retryMs = retryAfterMs(attempts);
	const nextAt = retryMs === undefined ? retryMs : isoOf(Date.now() + Math.max(retryMs, waitMs));
	return { nextAt, code };
}

export const newWebhookSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** Signs a message with each secret (Standard Webhooks 1.0, `v1`). */
export function signWebhook(
	secrets: readonly string[],
	{ id, body, ms }: { id: string; body: string; ms: number },
): Record<string, string> {
	const seconds = Math.floor(ms / 1000);
	const signatures = secrets.map((secret) => {
		const hmac = createHmac("sha256", Buffer.from(secret, "base64"));
		return `v1,${hmac.update(`${id}.${seconds}.${body}`).digest("base64")}`;
	});
	return {
		"webhook-id": id,
		"webhook-timestamp": String(seconds),
		"webhook-signature": signatures.join(" "),
	};
}
