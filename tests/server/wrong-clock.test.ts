import { expect, it } from "vitest";
import { newWebhookSecret } from "../../src/server/webhooks/sender.ts";
import { envWithClockAhead } from "../env-with-clock-ahead.ts";
import { kind } from "../given/kind.ts";
import { postJoin, stopServer } from "../server-process.ts";
import { openMailSetup } from "./waves/mail-setup.ts";
import { startWebhookReceiver } from "./webhooks/receiver.ts";

const soon = { interval: 20 };
const DAY_MS = 86_400_000;

it(`emails, events and the digest are sent after a clock was a day ahead, on ${kind}`, async () => {
	let down = false;
	const greylisted: string[] = [];
	const setup = await openMailSetup(kind, {
		answer(step, recipient) {
			if (down) return "421 4.3.2 not now";
			if (step !== "recipient" || greylisted.includes(recipient)) return undefined;
			greylisted.push(recipient);
			return "450 4.2.0 greylisted";
		},
	});
	let status = 503;
	const receiver = await startWebhookReceiver(() => ({ status }));
	const chat = await startWebhookReceiver();
	Object.assign(setup.env, {
		WAITLIST_WEBHOOK_URL: receiver.url,
		WAITLIST_WEBHOOK_SECRET: newWebhookSecret(),
		WAITLIST_DIGEST_URL: chat.url,
		...envWithClockAhead(DAY_MS),
	});
	const wrong = await setup.start();
	await postJoin(wrong.url, "ada@example.com");
	await expect
		.poll(() => setup.json("emails"), soon)
		.toMatchObject({ emails: [{ state: "deferred" }] });
	down = true;
	await postJoin(wrong.url, "bob@example.com");
	await expect.poll(() => wrong.logged("emails paused").length, soon).toBe(1);
	await expect.poll(() => wrong.logged("events not delivered").length, soon).toBe(1);
	await postJoin(wrong.url, "cyd@example.com");
	await stopServer(wrong);

	delete setup.env.NODE_OPTIONS;
	greylisted.push("bob@example.com", "cyd@example.com");
	[down, status] = [false, 204];
	await setup.start();
	const told = () => receiver.received.length;
	const before = told();
	await expect
		.poll(() => setup.kept.map(({ to }) => to).sort(), soon)
		.toEqual(["ada@example.com", "bob@example.com", "cyd@example.com"]);
	await expect.poll(() => told() - before, soon).toBe(3);
	await expect.poll(() => chat.received.length, soon).toBe(1);
});
