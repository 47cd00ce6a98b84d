import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, vi } from "vitest";
import type { SharedDatabase } from "../../../src/server/database/database.ts";
import { deletePeople } from "../../../src/server/mail/people/delete-people.ts";
import { openSuppressionList } from "../../../src/server/registrations/suppression/suppression-list.ts";
import { locateSecrets } from "../../../src/server/secret.ts";
import { type ClaimedEvent, claimEvents } from "../../../src/server/webhooks/event.ts";
import { newWebhookSecret, startEventSender } from "../../../src/server/webhooks/sender.ts";
import { type RowFilter, readRows } from "../../given/rows.ts";
import { TEST_SECRET } from "../commands/command-setup.ts";
import {
	createTestDatabase,
	type DatabaseKind,
	openWaitlistDatabase,
} from "../registrations/databases.ts";
import { registrationOf } from "../registrations/waitlist-contract.ts";
import { openMailSetup } from "../waves/mail-setup.ts";
import { startWebhookReceiver, type WebhookMessage, type WebhookResponse } from "./receiver.ts";

export function verifySignature(secret: string, { body, headers }: WebhookMessage) {
	const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
	return verified as { type: string; timestamp: string; data: { id: string; email?: string } };
}

type Answers = (message: WebhookMessage, n: number) => WebhookResponse | Promise<WebhookResponse>;

export async function openEventsSetup(kind: DatabaseKind, answer?: Answers) {
	const { settings, folder } = await createTestDatabase(kind);
	const server = await openWaitlistDatabase(settings);
	onTestFinished(() => server.waitlist.close());
	const claimed: number[] = [];
	const database: SharedDatabase = {
		...server,
		async transact(transaction, input) {
			const result = await server.transact(transaction, input);
			if (Object.is(transaction, claimEvents)) claimed.push((result as ClaimedEvent[]).length);
			return result;
		},
	};
	const receiver = await startWebhookReceiver(answer);
	const secret = newWebhookSecret();
	const log = vi.fn();
	vi.useFakeTimers({ toFake: ["Date"] });
	onTestFinished(() => void vi.useRealTimers());
	return {
		server,
		log,
		secret,
		claimed,
		received: receiver.received,
		async start() {
			const secrets = [secret.slice("whsec_".length)];
			const webhook = { url: receiver.url, secrets } as const;
			const sending = { database, webhook, secret: TEST_SECRET, log, lookMs: 5 };
			const sender = await startEventSender(sending);
			onTestFinished(() => sender.close());
			return sender;
		},
		join(...emails: string[]) {
			const joinedAt = new Date().toISOString();
			return server.add(emails.map((email) => ({ ...registrationOf(email), joinedAt })));
		},
		async erase(...keys: string[]) {
			const files = { secret: TEST_SECRET, suppressionFile: join(folder, "erasures") };
			const list = await openSuppressionList(server, locateSecrets(files, settings));
			await deletePeople(server, list, keys, { now: new Date(), reason: "on request" });
		},
		/** Advances `Date` only, so connection timers do not fire. */
		pass: (ms: number) => vi.setSystemTime(Date.now() + ms),
		async idle() {
			const from = claimed.length;
			await expect.poll(() => claimed.slice(from + 1), { interval: 5 }).toContain(0);
		},
		count: async (where: RowFilter<"events"> = {}) =>
			(await readRows(server, "events", where)).length,
	};
}

export async function openWebhookSetup(
	kind: DatabaseKind,
	answer?: Answers,
	mail?: Parameters<typeof openMailSetup>[1],
) {
	const setup = await openMailSetup(kind, mail);
	const receiver = await startWebhookReceiver(answer);
	const secrets = [newWebhookSecret(), newWebhookSecret()] as const;
	Object.assign(setup.env, {
		WAITLIST_WEBHOOK_URL: receiver.url,
		WAITLIST_WEBHOOK_SECRET: secrets.join(","),
	});
	return { ...setup, received: receiver.received, secrets };
}
