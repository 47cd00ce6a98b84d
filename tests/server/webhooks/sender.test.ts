import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { parseEmail } from "../../../bench/harness/mail-server.ts";
import {
	MOST_ATTEMPTS,
	retryAfterMs,
	retryFailedEvents,
} from "../../../src/server/webhooks/event.ts";
import {
	MOST_CONCURRENT_EVENTS,
	newWebhookSecret,
	signWebhook,
} from "../../../src/server/webhooks/sender.ts";
import { readAllTables } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { addRows } from "../../given/rows.ts";
import { postJoin } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import type { CommandResult } from "../commands/command-setup.ts";
import { startServerCopies } from "../kills.ts";
import { openEventsSetup, openWebhookSetup, verifySignature } from "./events-setup.ts";
import type { WebhookResponse } from "./receiver.ts";

const eventually = { interval: 5 };

const [EVENTS, BATCH] = [10_000, 500];

const open = (answer?: Parameters<typeof openEventsSetup>[1]) => openEventsSetup(kind, answer);

it(`events on ${kind} fail for good after three days, with one id and a new signature per attempt`, async () => {
	const setup = await open((_, n) => ({ status: n < MOST_ATTEMPTS ? 404 : 200, body: "hidden" }));
	await setup.start();
	await setup.join("ada@example.com");
	for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
		const beforeMs = attempts === 0 ? 0 : retryAfterMs(attempts)!;
		setup.pass(Math.max(0, beforeMs - 1000));
		if (attempts > 0) expect(await setup.count({ state: "waiting" })).toBe(1);
		setup.pass(1000);
		await expect.poll(() => setup.received.length, eventually).toBe(attempts + 1);
		// The official library rejects signatures older than five minutes.
		verifySignature(setup.secret, setup.received[attempts]!);
		await expect.poll(() => setup.count({ state: "sending" }), eventually).toBe(0);
	}
	expect(await setup.count({ state: "failed", code: "404" })).toBe(1);
	const header = (name: string) => new Set(setup.received.map(({ headers }) => headers[name]));
	expect(header("webhook-id").size).toBe(1);
	expect(header("webhook-signature").size).toBe(MOST_ATTEMPTS);
	expect(new Set(setup.received.map(({ body }) => body)).size).toBe(1);
	expect(await setup.server.transact(retryFailedEvents, new Date().toISOString())).toBe(1);
	await expect.poll(() => setup.count(), eventually).toBe(0);
	await expect
		.poll(() => setup.log.mock.calls, eventually)
		.toEqual([
			["error", "events not delivered", { code: "404" }],
			["error", "events given up", { events: 1 }],
			["info", "events delivered again"],
		]);
});

it(`events on ${kind} ignore redirects, and obey Retry-After`, async () => {
	const answers: WebhookResponse[] = [
		{ status: 307, headers: { location: "/elsewhere" } },
		{ status: 429, headers: { "retry-after": "3600" } },
	];
	const setup = await open((_, n) => answers[n] ?? { status: 200 });
	await setup.join("nobody@example.com");
	await setup.start();
	await setup.join("first@example.com");
	await expect.poll(() => setup.count({ state: "waiting", code: "307" }), eventually).toBe(1);
	setup.pass(5000);
	await expect.poll(() => setup.count({ state: "waiting", code: "429" }), eventually).toBe(1);
	setup.pass(3590_000);
	await setup.idle();
	expect(setup.received).toHaveLength(2);
	setup.pass(11_000);
	await expect.poll(() => setup.count(), eventually).toBe(0);
	expect(new Set(setup.received.map(({ path }) => path))).toEqual(new Set(["/hook"]));
});

it(`events on ${kind} are sent in order per person, deletion last`, async () => {
	let reply = (_: WebhookResponse) => {};
	const first = new Promise<WebhookResponse>((resolve) => {
		reply = resolve;
	});
	const setup = await open((_, n) => (n === 0 ? first : { status: 204 }));
	await setup.start();
	await setup.join("ada@example.com");
	await expect.poll(() => setup.received.length, eventually).toBe(1);
	await setup.join("bob@example.com");
	await setup.erase("ada@example.com", "bob@example.com");
	const { events } = await readAllTables(setup.server);
	expect(events).toMatchObject([{ kind: "deleted" }, { kind: "deleted" }]);
	await setup.join("ada@example.com");
	reply({ status: 204 });
	await expect.poll(() => setup.received.length, eventually).toBe(2);
	setup.pass(29_000);
	await setup.idle();
	expect(await setup.count()).toBe(2);
	setup.pass(1000);
	await expect.poll(() => setup.received.length, eventually).toBe(3);
	setup.pass(5000);
	await expect.poll(() => setup.count(), eventually).toBe(0);
	const messages = setup.received.map((message) => verifySignature(setup.secret, message));
	const [ada, bob] = messages.map(({ data }) => data);
	const id = expect.stringMatching(/^[\da-f]{32}$/);
	expect(ada).toEqual({ id, email: "ada@example.com" });
	expect(messages.map(({ type, data }) => [type, data])).toEqual([
		["registration.joined", ada],
		["registration.deleted", bob],
		["registration.deleted", ada],
		["registration.joined", ada],
	]);
});

it(`events on ${kind} are sent once by several servers, and again by another if the first was killed`, async () => {
	const setup = await open();
	await Promise.all([setup.start(), setup.start(), setup.start()]);
	await setup.join(...Array.from({ length: 100 }, (_, n) => `visitor-${n}@example.com`));
	await expect.poll(() => setup.count(), eventually).toBe(0);
	const ids = () => setup.received.map(({ headers }) => headers["webhook-id"]);
	expect([ids().length, new Set(ids()).size]).toEqual([100, 100]);
	// A killed process leaves an event in this state.
	const gone = { id: "msg_gone", kind: "unsubscribed", who: "ada@example.com" };
	await addRows(setup.server, "events", [{ seq: 1000, ...gone, state: "sending" }]);
	await expect.poll(() => setup.count(), eventually).toBe(0);
	expect(ids().slice(100)).toEqual(["msg_gone"]);
});

it.each(["SQLite", "PostgreSQL"] as const)(
	`${EVENTS} events wait for a receiver that is down for an hour, and all arrive, on %s`,
	{ tags: "slow" },
	async (kind) => {
		let down = true;
		const delivered: string[] = [];
		const setup = await openEventsSetup(kind, ({ body }) => {
			if (!down) delivered.push(JSON.parse(body).data.id);
			return { status: down ? 503 : 204 };
		});
		await setup.start();
		for (let from = 0; from < EVENTS; from += BATCH) {
			await setup.join(...Array.from({ length: BATCH }, (_, n) => `${from + n}@example.com`));
			setup.pass((3_600_000 * BATCH) / EVENTS);
		}
		down = false;
		setup.pass(3_600_000);
		await expect.poll(() => setup.count(), { interval: 500 }).toBe(0);
		expect([delivered.length, new Set(delivered).size]).toEqual([EVENTS, EVENTS]);
		// The sender holds only the events that it is sending, so memory stays flat.
		expect(Math.max(...setup.claimed)).toBe(MOST_CONCURRENT_EVENTS);
	},
);

const KILLS = 30;
const PEOPLE = 600;

it.each([["SQLite", 1] as const, ["PostgreSQL", 2] as const])(
	`no event is lost through ${KILLS} SIGKILLs on %s, %i servers`,
	{ tags: "slow" },
	async (kind, copies) => {
		const setup = await openWebhookSetup(kind);
		const delivered = () => new Set(setup.received.map(({ body }) => JSON.parse(body).data.email));
		const { running, killOne } = await startServerCopies(setup.start, copies);
		const joined: string[] = [];
		for (let kill = 0; kill < KILLS; kill++) {
			const before = delivered().size;
			for (let n = 0; n < PEOPLE / KILLS; n++) {
				const email = `visitor-${joined.length}@example.com`;
				expect((await postJoin(running[0]!.url, email)).status).toBe(201);
				joined.push(email);
			}
			await expect.poll(() => delivered().size, { interval: 20 }).toBeGreaterThan(before);
			await killOne();
		}
		// Events claimed by a killed server are sent again after 30 s, when their lease ends.
		await expect.poll(() => delivered().size, { interval: 100 }).toBe(PEOPLE);
		expect([...delivered()].sort()).toEqual(joined.sort());
		const ids = new Set(setup.received.map(({ headers }) => headers["webhook-id"]));
		expect(ids.size).toBe(PEOPLE);
	},
);

const eventsOf = async (setup: { run(args: string): Promise<CommandResult> }) =>
	/^. Webhook events: .*$/m.exec((await setup.run("check")).stdout)?.[0];

it(`a webhook on ${kind} gets all of a person's events from server and commands, signed with both secrets`, async () => {
	const setup = await openWebhookSetup(kind, undefined, {
		answer: (step, recipient) =>
			step === "recipient" && recipient === "eve@example.com" ? "550 5.1.1 unknown" : undefined,
	});
	const { received, secrets, kept } = setup;
	const server = await setup.start();
	const events = (email: string) =>
		received.flatMap((message) => {
			const [read, again] = secrets.map((secret) => verifySignature(secret, message));
			expect(again).toEqual(read);
			return read!.data.email === email ? read!.type.slice("registration.".length) : [];
		});
	expect((await postJoin(server.url, "Ada@Example.com")).status).toBe(201);
	expect((await postJoin(server.url, "ada@example.com")).status).toBe(409);
	await expect.poll(() => kept.length, eventually).toBe(1);
	const { text = "" } = await parseEmail(kept[0]!);
	const press = (name: string) => {
		const link = new URL(new RegExp(`/${name}/\\S+`).exec(text)![0], server.url);
		return fetch(link, { method: "POST", redirect: "manual" });
	};
	await press("confirm");
	await setup.json("invite 1 --wave beta-1 --yes");
	await expect.poll(() => kept.length, eventually).toBe(2);
	const { text: invitation = "" } = await parseEmail(kept[1]!);
	const code = /invitation#(\S+)/.exec(invitation)![1]!;
	const { status } = await setup.redeem(server.url, ["ada@example.com", code]);
	expect(status).toBe("redeemed");
	await press("unsubscribe");
	const story = ["joined", "confirmed", "invited", "redeemed", "unsubscribed"];
	await expect.poll(() => events("Ada@Example.com"), eventually).toEqual(story);
	await expect.poll(() => eventsOf(setup)).toBe("✓ Webhook events: 0 waiting, 0 failed");
	await setup.json("import - --format text", "bob@example.com");
	const erasure = await setup.json("delete ada@example.com");
	expect(erasure).toMatchObject({ receipts: [{ told: true }] });
	await expect.poll(() => events("Ada@Example.com"), eventually).toEqual([...story, "deleted"]);
	await expect.poll(() => events("bob@example.com"), eventually).toEqual(["joined"]);
	await postJoin(server.url, "eve@example.com");
	await expect.poll(() => events("eve@example.com"), eventually).toEqual(["joined", "bounced"]);
	await expect.poll(() => eventsOf(setup)).toBe("✓ Webhook events: 0 waiting, 0 failed");
	const log = server.output();
	expect(log).not.toMatch(/ada@|whsec_|\/hook/i);
	expect(log).not.toContain(secrets[0].slice(6, 20));
	const receipt = (await setup.run("delete bob@example.com")).stdout;
	expect(receipt).toContain("told:    our webhook receiver, which had the address");
});

it("the documented receiver adds and removes people in an audience, and rejects bad signatures", async () => {
	const page = await readFile("src/server/operating/webhooks.md", "utf8");
	const [, code = ""] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
	const file = join(await temporaryFolder(), "receiver.mjs");
	const library = JSON.stringify(import.meta.resolve("standardwebhooks"));
	await writeFile(file, code.replace('"standardwebhooks"', library));
	const { default: receiver } = await import(/* @vite-ignore */ pathToFileURL(file).href);
	const secret = newWebhookSecret();
	const asked: string[] = [];
	let status = 200;
	vi.stubGlobal("fetch", async (url: string, { method, body }: RequestInit) => {
		asked.push([method, url, body].join(" ").trim());
		return new Response(null, { status });
	});
	onTestFinished(() => void vi.unstubAllGlobals());
	const env = { WEBHOOK_SECRET: secret, RESEND_KEY: "re_1", AUDIENCE_ID: "a1" };
	const send = async (kind: string, by = secret) => {
		const data = { id: "1", email: "ada+1@example.com" };
		const body = JSON.stringify({ type: `registration.${kind}`, timestamp: "", data });
		const headers = signWebhook([by.slice(6)], { id: "msg_1", body, ms: Date.now() });
		const request = new Request("https://edge.example/", { method: "POST", headers, body });
		return (await receiver.fetch(request, env)).status;
	};
	expect(await send("joined", newWebhookSecret())).toBe(401);
	expect(asked).toEqual([]);
	for (const kind of ["joined", "invited", "deleted"]) expect(await send(kind)).toBe(204);
	const contacts = "https://api.resend.com/audiences/a1/contacts";
	expect(asked).toEqual([
		`POST ${contacts} {"email":"ada+1@example.com"}`,
		`DELETE ${contacts}/ada%2B1%40example.com`,
	]);
	status = 429;
	expect(await send("unsubscribed")).toBe(503);
	status = 404;
	expect(await send("deleted")).toBe(204);
});
