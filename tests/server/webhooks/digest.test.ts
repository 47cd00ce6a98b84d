import { expect, it, onTestFinished, vi } from "vitest";
import { findFreePort } from "../../../bench/harness/built-site.ts";
import type { Registration } from "../../../src/server/registrations/registrations.ts";
import { chatSender, type SendToChat, startDigest } from "../../../src/server/webhooks/digest.ts";
import { given } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { openCommandSetup } from "../commands/command-setup.ts";
import {
	createTestDatabase,
	type DatabaseKind,
	openWaitlistDatabase,
} from "../registrations/databases.ts";
import { registrationOf } from "../registrations/waitlist-contract.ts";
import { startWebhookReceiver } from "./receiver.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.parse("2026-11-24T12:00:00.000Z");
const isoOf = (ms: number) => new Date(ms).toISOString();

const ACCEPTED = { status: 204, code: "204", waitMs: 0 };

async function openDigest(kind: DatabaseKind) {
	const { settings } = await createTestDatabase(kind);
	const server = await openWaitlistDatabase(settings);
	onTestFinished(() => server.waitlist.close());
	const clock = { ms: START };
	const said: string[] = [];
	const log = vi.fn();
	const sayAll: SendToChat = async (text) => {
		said.push(text);
		return ACCEPTED;
	};
	const start = (say: SendToChat = sayAll) => {
		const digest = startDigest({ database: server, say, log, now: () => clock.ms, lookMs: 1e8 });
		onTestFinished(() => digest.close());
		return digest;
	};
	let people = 0;
	const join = async (at: number, count = 1) => {
		const rows = Array.from({ length: count }, (): Registration => {
			people += 1;
			return { ...registrationOf(`visitor-${people}@example.com`), joinedAt: isoOf(at) };
		});
		await server.add(rows);
	};
	return { server, clock, said, log, start, join };
}

const MINUTE_JOINS = 20;
it(`the digest on ${kind} sends six messages while ${60 * MINUTE_JOINS} join in an hour`, async () => {
	const { clock, said, start, join } = await openDigest(kind);
	const { look } = start();
	await look();
	for (let minute = 0; minute < 60; minute++) {
		await join(clock.ms, MINUTE_JOINS);
		for (let looks = 0; looks < 4; looks++) {
			clock.ms += 15 * SECOND_MS;
			await look();
		}
	}
	expect(said).toHaveLength(6);
	const counted = said.map((text) =>
		Number(/\+([\d,]+) since/.exec(text)![1]!.replaceAll(",", "")),
	);
	expect(counted.reduce((sum, count) => sum + count)).toBe(60 * MINUTE_JOINS);
	expect(said[5]).toMatch(`${(60 * MINUTE_JOINS).toLocaleString("en")} in all`);
});

it(`the digest on ${kind} is sent by one of several servers, even after one dies while sending`, async () => {
	const { clock, said, start, join } = await openDigest(kind);
	const copies = [start(), start(), start()];
	const lookAll = () => Promise.all(copies.map(({ look }) => look()));
	await lookAll();
	await join(START, 3);
	clock.ms += 10 * MINUTE_MS;
	await lookAll();
	expect(said).toEqual(["Orbit waitlist\n+3 since the last message, 3 in all.\nNo backup yet."]);

	await join(clock.ms, 2);
	clock.ms += 10 * MINUTE_MS;
	// A server that dies while sending leaves these joins for the next message.
	const dying = start(async () => {
		throw new Error("killed");
	});
	await dying.look();
	await lookAll();
	expect(said).toHaveLength(1);
	await join(clock.ms);
	clock.ms += 10 * MINUTE_MS;
	await Promise.all([start().look(), lookAll()]);
	expect(said.slice(1)).toEqual(["Orbit waitlist\n+3 since the last message, 6 in all."]);
});

it(`the digest on ${kind} reports pauses, resumes and old backups once`, async () => {
	const { server, clock, said, start, join } = await openDigest(kind);
	const next = async () => {
		await look();
		clock.ms += 10 * MINUTE_MS;
		await look();
		return said.splice(0);
	};
	const { look } = start();
	await look();
	await given.note(server, { name: "last backup", value: { madeAt: isoOf(START), file: "a" } });
	await given.outbox(server, { pausedUntil: isoOf(START + 20 * MINUTE_MS), cause: "quota" });
	await join(START, 100);
	expect(await next()).toEqual([
		"Orbit waitlist\n+100 since the last message, 100 in all.\nEmails are paused: the mail server's sending limit is reached.",
	]);
	expect(await next()).toEqual(["Orbit waitlist\nEmails are being sent again."]);
	expect(await next()).toEqual([]);
	clock.ms += 26 * HOUR_MS;
	expect(await next()).toEqual(["Orbit waitlist\nThe last backup is over a day old."]);
	expect(await next()).toEqual([]);
});

it(`the digest on ${kind} repeats undelivered news in the next message, and logs an outage once`, async () => {
	const { clock, start, join, log } = await openDigest(kind);
	const answers = [{ status: 429 }];
	const chat = await startWebhookReceiver(() => answers.pop() ?? { status: 200, body: "ok" });
	const urls = [`http://127.0.0.1:${await findFreePort()}/`, chat.url, chat.url];
	const { look } = start((text) => chatSender(urls.shift()!)(text));
	await look();
	for (let turn = 0; turn < 3; turn++) {
		await join(clock.ms, 10);
		clock.ms += 10 * MINUTE_MS;
		await look();
	}
	const [refused, accepted] = chat.received.map(({ body }) => JSON.parse(body).text as string);
	expect(refused).toMatch("+20 since the last message");
	expect(accepted).toMatch(/\+30 since the last message, 30 in all.*\nNo backup yet\./);
	expect(log.mock.calls).toEqual([
		["error", "digest not sent", { reason: "ECONNREFUSED" }],
		["info", "digest sent again"],
	]);
});

it.each([
	["https://hooks.slack.com/services/T/B/x", { text: "+1" }],
	["https://discord.com/api/webhooks/1/x", { content: "+1", allowed_mentions: { parse: [] } }],
])("messages have each chat's format: %s", async (url, body) => {
	const fetch = vi.fn(async (_url: string, _request: RequestInit) => new Response("ok"));
	vi.stubGlobal("fetch", fetch);
	onTestFinished(() => void vi.unstubAllGlobals());
	expect(await chatSender(url)("+1")).toMatchObject({ status: 200 });
	const [asked, request] = fetch.mock.calls[0]!;
	expect({ asked, redirect: request.redirect }).toEqual({ asked: url, redirect: "manual" });
	expect(JSON.parse(request.body as string)).toEqual(body);
});

it("`check --digest` sends one test, and shows only the host of the URL", async () => {
	const { run, env } = await openCommandSetup("SQLite");
	const chat = await startWebhookReceiver((_, n) =>
		n === 0 ? { status: 302, headers: { location: "/elsewhere" } } : { status: 200 },
	);
	const digest = async () => /^. digest: .*$/m.exec((await run("check --digest")).stdout)![0];
	expect(await digest()).toBe("✗ digest: no chat is set up: set WAITLIST_DIGEST_URL");
	env.WAITLIST_DIGEST_URL = chat.url;
	const place = `${new URL(chat.url).origin}/… (hidden)`;
	expect(await digest()).toBe(`✗ digest: ${place} did not accept the message: 302`);
	expect(await digest()).toBe(`✓ digest: sent a test to ${place}`);
	expect(chat.received.map(({ path }) => path)).toEqual(["/hook", "/hook"]);
	expect(JSON.parse(chat.received[1]!.body).text).toBe("Test message from the Orbit waitlist.");
});
