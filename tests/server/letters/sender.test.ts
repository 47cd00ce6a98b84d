import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
	type MailServer,
	type MailServerOptions,
	readLetter,
	startMailServer,
} from "../../../bench/harness/mail-server.ts";
import { joinAndAsk } from "../../../src/server/letters/asking.ts";
import { openOutbox } from "../../../src/server/letters/outbox.ts";
import { startSender } from "../../../src/server/letters/sender.ts";
import { createSmtp, type Outcome } from "../../../src/server/letters/smtp.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { openLedger } from "../../../src/server/waitlist/open-waitlist.ts";
import { sqlite } from "../../../src/server/waitlist/schema.ts";
import type { Run } from "../../../src/server/waitlist/waitlist.ts";
import { placeOf, usePostgres } from "../waitlist/databases.ts";
import { registrationOf } from "../waitlist/waitlist-contract.ts";

const cluster = usePostgres();
const MINUTE = 60_000;

/** Hears what the database answers to the sender, and may lose it. */
type Heard = (results: object[][]) => object[][];

/** A waitlist whose letters go to a mail server, at a time that the test sets. */
async function open(options: MailServerOptions, heard: Heard = (results) => results) {
	const { settings } = await placeOf("SQLite", cluster());
	const clock = { ms: Date.parse("2026-11-22T10:00:00.000Z") };
	const now = () => clock.ms;
	const ledger = await openLedger(settings, 1, joinAndAsk(sqlite, now));
	const mailServer = await startMailServer(options);
	const { mail } = readSettings(
		{
			SMTP_URL: mailServer.url,
			WAITLIST_MAIL_FROM: "hello@orbit.example",
			SITE_ORIGIN: "https://orbit.example",
		},
		"/",
		"",
	);
	const smtp = await createSmtp(mail!, { connectMs: 1000, tryMs: 1000 });
	const log = vi.fn();
	const letter = { leaveUrl: "https://orbit.example/leave/x", automatic: true, html: "<p>Hello" };
	const run: Run = async (statements) => heard(await ledger.run(statements));
	const outbox = openOutbox(run, { dialect: sqlite, rate: undefined, now });
	const sender = startSender({
		outbox,
		async carry({ id, email }) {
			const words = { subject: "Hello", text: "Hello", bounces: "hello@orbit.example" };
			return { ...(await smtp.send({ id, to: email, ...letter, ...words })), version: "v1" };
		},
		cut: smtp.close,
		connections: 5,
		log,
		lookMs: 20,
		now,
		random: () => 0.5,
	});
	onTestFinished(async () => {
		await sender.close(0);
		smtp.close();
		await ledger.close();
		await mailServer.stop();
	});
	const letters = async () => {
		const [rows] = await ledger.run([
			{ sql: "SELECT state, code, attempts FROM letter ORDER BY email_key" },
		]);
		return rows as { state: string; code: string; attempts: number }[];
	};
	const states = async () => (await letters()).map(({ state }) => state);
	return {
		clock,
		mailServer,
		outbox,
		letters,
		states,
		join(...emails: string[]) {
			const createdAt = new Date(clock.ms).toISOString();
			return ledger.add(emails.map((email) => ({ ...registrationOf(email), createdAt })));
		},
		logged: () => log.mock.calls.map(([, event, details]) => [event, details?.code]),
	};
}

const received = (server: MailServer) => server.kept.map(({ to }) => to);
const untilSeen = { timeout: 10_000, interval: 20 };

describe("the sender", () => {
	it("sends a letter once that the mail server put off, under the same id", async () => {
		let tries = 0;
		const answer: MailServerOptions["answer"] = (step) =>
			step === "recipient" && ++tries === 1 ? "450 4.2.0 try later" : undefined;
		const { clock, join, letters, mailServer, states } = await open({ answer });
		await join("ada@example.com");
		await expect.poll(states, untilSeen).toEqual(["deferred"]);
		clock.ms += 5 * MINUTE;
		await expect.poll(states, untilSeen).toEqual(["accepted"]);
		expect(await letters()).toEqual([{ state: "accepted", code: "250", attempts: 2 }]);
		expect(received(mailServer)).toEqual(["ada@example.com"]);
	});

	it("sends what it took although it did not hear of it", async () => {
		let losses = 1;
		const { join, logged, mailServer, states } = await open({}, (results) => {
			if (results.length > 2 && losses-- > 0) throw new Error("connection lost");
			return results;
		});
		await join("ada@example.com");
		await expect.poll(states, untilSeen).toEqual(["accepted"]);
		expect(received(mailServer)).toEqual(["ada@example.com"]);
		expect(logged().map(([event]) => event)).toEqual([
			"outbox unavailable",
			"outbox available again",
		]);
	});

	it("gives a letter up after eleven tries, which take three to four days", async () => {
		const answer: MailServerOptions["answer"] = (step) =>
			step === "recipient" ? "451 4.7.1 greylisted" : undefined;
		const { clock, join, letters } = await open({ answer });
		const began = clock.ms;
		await join("ada@example.com");
		const seen = async () => (await letters())[0]!;
		for (let tries = 1; tries < 11; tries++) {
			await expect.poll(seen, untilSeen).toMatchObject({ state: "deferred", attempts: tries });
			clock.ms += Math.min(2 * 24 * 60, 5 * 2 ** (tries - 1)) * MINUTE;
		}
		await expect
			.poll(seen, untilSeen)
			.toEqual({ state: "refused", code: "451 4.7.1", attempts: 11 });
		expect((clock.ms - began) / (24 * 60 * MINUTE)).toBeCloseTo(3.5, 0);
	});

	it("writes no more to an address that does not exist", async () => {
		const answer: MailServerOptions["answer"] = (step) =>
			step === "recipient" ? "550 5.1.1 no such user" : undefined;
		const { clock, join, letters, states } = await open({ answer });
		await join("ada@example.com");
		await expect.poll(states, untilSeen).toEqual(["refused"]);
		clock.ms += 60 * MINUTE;
		await join("ada@example.com");
		expect(await letters()).toEqual([{ state: "refused", code: "550 5.1.1", attempts: 1 }]);
	});

	it("does not know of a letter whose connection was lost, and leaves it", async () => {
		const answer: MailServerOptions["answer"] = (step) => (step === "message" ? "drop" : undefined);
		const { clock, join, mailServer, states } = await open({ answer });
		await join("ada@example.com");
		await expect.poll(states, untilSeen).toEqual(["unknown"]);
		clock.ms += 24 * 60 * MINUTE;
		await join("bob@example.com");
		await expect.poll(states, untilSeen).toEqual(["unknown", "unknown"]);
		expect(received(mailServer)).toEqual(["ada@example.com", "bob@example.com"]);
	});

	it("pauses for 15 minutes when its password is refused, and says so once", async () => {
		const login = { user: "orbit", password: "right" };
		let right = "right";
		const { clock, join, logged, mailServer, outbox, states } = await open({
			login,
			answer: (step) => (step === "sign in" && right !== "right" ? "535 5.7.8 no" : undefined),
		});
		right = "wrong";
		await join(...Array.from({ length: 20 }, (_, n) => `visitor-${n}@example.com`));
		await expect.poll(logged, untilSeen).toEqual([["letters paused", "535 5.7.8"]]);
		await expect.poll(states, untilSeen).toEqual(Array(20).fill("waiting"));
		expect((await outbox.look()).pause).toEqual({
			until: new Date(clock.ms + 15 * MINUTE).toISOString(),
			reason: "The mail server refuses what we send, whoever it is for (535 5.7.8).",
		});
		const before = mailServer.connections().made;
		expect(before).toBeLessThanOrEqual(10);
		clock.ms += 16 * MINUTE;
		await expect.poll(() => mailServer.connections().made, untilSeen).toBeGreaterThan(before);
		await expect.poll(states, untilSeen).toEqual(Array(20).fill("waiting"));
		right = "right";
		clock.ms += 16 * MINUTE;
		await expect.poll(states, untilSeen).toEqual(Array(20).fill("accepted"));
		expect(logged()).toEqual([
			["letters paused", "535 5.7.8"],
			["letters go out again", undefined],
		]);
	});

	it("does not say that letters go out again for one that was under way before the pause", async () => {
		const person = { key: "", email: "", recipient: "" };
		const noWave = { wave: "", expiresAt: "", subject: "", message: "" };
		const letter = { kind: "confirm", attempts: 1, ...person, ...noWave } as const;
		const waiting = ["1", "2"].map((id) => ({ ...letter, id }));
		const underWay = new Map<string, (outcome: Outcome) => void>();
		const log = vi.fn();
		const sender = startSender({
			outbox: {
				look: async () => ({ due: waiting.length > 0, pause: undefined }),
				turn: async (_, most) => ({
					letters: waiting.splice(0, most),
					turnedAway: 0,
					lost: 0,
					stopped: false,
				}),
				pause: async () => {},
			},
			carry: async ({ id }) => ({
				...(await new Promise<Outcome>((resolve) => underWay.set(id, resolve))),
				version: "v1",
			}),
			cut() {},
			connections: 2,
			log,
			lookMs: 10,
		});
		const logged = () => log.mock.calls.map(([, event]) => event);
		await expect.poll(() => underWay.size, untilSeen).toBe(2);
		underWay.get("1")!({ state: "ours", code: "535" });
		await expect.poll(logged, untilSeen).toEqual(["letters paused"]);
		waiting.push({ ...letter, id: "3" });
		underWay.get("2")!({ state: "accepted", code: "250" });
		await expect.poll(() => underWay.size, untilSeen).toBe(3);
		expect(logged()).toEqual(["letters paused"]);
		underWay.get("3")!({ state: "accepted", code: "250" });
		await sender.close(1000);
		expect(logged()).toEqual(["letters paused", "letters go out again"]);
	});

	it("waits longer each time that the mail server is busy, and counts no try of a letter", async () => {
		const { clock, join, letters, logged, outbox } = await open({
			answer: (step) => (step === "connect" ? "421 4.3.2 busy" : undefined),
		});
		await join("ada@example.com");
		for (const minutes of [1, 2, 4, 8, 15, 15]) {
			const until = new Date(clock.ms + minutes * MINUTE).toISOString();
			await expect.poll(async () => (await outbox.look()).pause?.until, untilSeen).toBe(until);
			await expect.poll(letters, untilSeen).toMatchObject([{ state: "waiting", attempts: 0 }]);
			clock.ms += minutes * MINUTE;
		}
		expect(logged()).toEqual([["letters paused", "421 4.3.2"]]);
	});

	it("pauses when it is refused for our sake, but not for one recipient among many", async () => {
		const { join, letters, logged, outbox, states } = await open({
			answer: (step, to) =>
				step === "recipient" && to.startsWith("picky") ? "550 5.7.1 by policy" : undefined,
		});
		await join(...Array.from({ length: 25 }, (_, n) => `visitor-${n}@example.com`));
		await expect.poll(states, untilSeen).toEqual(Array(25).fill("accepted"));
		await join("picky-1@example.com");
		await expect.poll(states, untilSeen).toContain("deferred");
		expect((await outbox.look()).pause).toBeUndefined();
		expect(logged()).toEqual([]);
		await join("picky-2@example.com");
		await expect.poll(logged, untilSeen).toEqual([["letters paused", "550 5.7.1"]]);
		await expect
			.poll(async () => (await letters()).slice(0, 2), untilSeen)
			.toMatchObject(Array(2).fill({ state: "deferred", attempts: 1 }));
	});

	it("stops until it is released when too many addresses do not exist", async () => {
		const { join, logged, outbox, states } = await open({
			answer: (step) => (step === "recipient" ? "550 5.1.1 no such user" : undefined),
		});
		await join(...Array.from({ length: 100 }, (_, n) => `visitor-${n}@example.com`));
		await expect.poll(logged, untilSeen).toEqual([["letters paused", undefined]]);
		expect((await outbox.look()).pause?.reason).toContain("More than 5 of the last 100 letters");
		// Those that were under way have ended.
		await expect.poll(states, untilSeen).not.toContain("sending");
		expect((await states()).filter((state) => state === "refused").length).toBeLessThanOrEqual(15);
	});

	it("sends what the letter is under, to whom it is for", async () => {
		const { join, mailServer } = await open({});
		await join("Ada@Example.com");
		await expect.poll(() => received(mailServer), untilSeen).toEqual(["Ada@example.com"]);
		const { messageId } = await readLetter(mailServer.kept[0]!);
		expect(messageId).toMatch(/^<[0-9a-f]{32}@orbit\.example>$/);
	});
});
