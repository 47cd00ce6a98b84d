import { describe, expect, it, vi } from "vitest";
import type { MailAnswer, MailServerOptions } from "../../../bench/harness/mail-server.ts";
import { startSender } from "../../../src/server/mail/sender.ts";
import { kind } from "../../given/kind.ts";
import { placeOf } from "../registrations/databases.ts";
import { MINUTE, openSender, received, untilSeen } from "./open-sender.ts";

const people = (count: number, domainOf: (n: number) => string) =>
	Array.from({ length: count }, (_, n) => `visitor-${n}@${domainOf(n)}`);

describe("the sender", () => {
	const open = async (options: MailServerOptions) => openSender(await placeOf("SQLite"), options);

	it("logs a database outage once, and its end", async () => {
		let failures = 3;
		const log = vi.fn();
		const nothing = { emails: [], refused: 0, confirmedDue: false, lost: 0, speeds: [] };
		const sender = startSender({
			outbox: {
				look: async () => ({ due: true, pause: null }),
				async turn() {
					if (failures-- > 0) throw new Error("no connection");
					return { ...nothing, probing: false };
				},
				rest: async () => false,
			},
			deliver: async () => ({ state: "accepted", code: "250", version: "v1" }),
			cut() {},
			connections: 5,
			log,
			lookMs: 1,
		});
		const events = () => log.mock.calls.map(([, event]) => event);
		await expect.poll(events, untilSeen).toEqual(["outbox unavailable", "outbox available again"]);
		await sender.close(0);
	});

	it("gives up on an email after eleven attempts in three to four days", async () => {
		const answer: MailServerOptions["answer"] = (step) =>
			step === "recipient" ? "451 4.7.1 greylisted" : undefined;
		const { clock, join, emails } = await open({ answer });
		const began = clock.ms;
		await join("ada@example.com");
		const seen = async () => (await emails())[0]!;
		for (let tries = 1; tries < 11; tries++) {
			await expect.poll(seen, untilSeen).toMatchObject({ state: "deferred", attempts: tries });
			clock.ms += Math.min(2 * 24 * 60, 5 * 2 ** (tries - 1)) * MINUTE;
		}
		await expect
			.poll(seen, untilSeen)
			.toEqual({ state: "refused", code: "451 4.7.1", attempts: 11 });
		expect((clock.ms - began) / (24 * 60 * MINUTE)).toBeCloseTo(3.5, 0);
	});

	it("stops emailing an address that does not exist", async () => {
		const answer: MailServerOptions["answer"] = (step) =>
			step === "recipient" ? "550 5.1.1 no such user" : undefined;
		const { clock, join, emails, states } = await open({ answer });
		await join("ada@example.com");
		await expect.poll(states, untilSeen).toEqual(["refused"]);
		clock.ms += 60 * MINUTE;
		await join("ada@example.com");
		expect(await emails()).toEqual([{ state: "refused", code: "550 5.1.1", attempts: 1 }]);
	});

	it("makes emails unknown after lost connections, and retries none", async () => {
		const answer: MailServerOptions["answer"] = (step) => (step === "message" ? "drop" : undefined);
		const { clock, join, logged, mailServer, states } = await open({ answer });
		const all = people(6, (n) => `site-${n}.example`);
		await join(...all.slice(0, 5));
		await expect.poll(states, untilSeen).toEqual(Array(5).fill("unknown"));
		await expect.poll(() => logged().length, untilSeen).toBe(1);
		clock.ms += 24 * 60 * MINUTE;
		await join(all[5]!);
		await expect.poll(states, untilSeen).toEqual(Array(6).fill("unknown"));
		expect(received(mailServer).sort()).toEqual(all);
	});

	it("pauses when its password is refused, logged once", async () => {
		const login = { user: "orbit", password: "right" };
		let right = "right";
		const { clock, join, logged, mailServer, outbox, states } = await open({
			login,
			answer: (step) => (step === "sign in" && right !== "right" ? "535 5.7.8 no" : undefined),
		});
		right = "wrong";
		await join(...Array.from({ length: 20 }, (_, n) => `visitor-${n}@example.com`));
		await expect.poll(logged, untilSeen).toEqual([["emails paused", "535 5.7.8"]]);
		await expect.poll(states, untilSeen).toEqual(Array(20).fill("waiting"));
		expect((await outbox.look()).pause).toEqual({
			until: new Date(clock.ms + MINUTE).toISOString(),
			cause: "refused",
			code: "535 5.7.8",
		});
		expect(mailServer.connections().made).toBeLessThanOrEqual(10);
		right = "right";
		clock.ms += MINUTE;
		await expect.poll(states, untilSeen).toEqual(Array(20).fill("accepted"));
		expect(logged()).toEqual([
			["emails paused", "535 5.7.8"],
			["emails resumed", undefined],
		]);
	});

	it("waits longer each time the mail server is busy, without using up attempts", async () => {
		const { clock, join, emails, logged, outbox } = await open({
			answer: (step) => (step === "connect" ? "421 4.3.2 busy" : undefined),
		});
		await join("ada@example.com");
		for (const minutes of [1, 2, 4, 8, 15, 15]) {
			const until = new Date(clock.ms + minutes * MINUTE).toISOString();
			await expect.poll(async () => (await outbox.look()).pause?.until, untilSeen).toBe(until);
			await expect.poll(emails, untilSeen).toMatchObject([{ state: "waiting", attempts: 0 }]);
			clock.ms += minutes * MINUTE;
		}
		expect(logged()).toEqual([["emails paused", "421 4.3.2"]]);
	});
});

const GOOD = ["ada@one.example", "bob@two.example", "eve@three.example"];

describe(`a mail server that accepts nothing more, on ${kind}`, () => {
	const open = async (answer: MailServerOptions["answer"], joined: string[]) =>
		openSender(await placeOf(kind), { answer: answer! }, joined);

	it.each([
		{ said: "454 Daily message quota exceeded", step: "message", cause: "quota", most: 5 },
		{ said: "451 4.3.0 no space left", step: "recipient", cause: "quota", most: 10 },
		{ said: "550 5.7.1 blocked", step: "recipient", cause: "refused", most: 10 },
	])(
		"that replies $said pauses everything, with one probe email at a time",
		async ({ said, step, cause, most }) => {
			const [code] = /^\d+(?: \d\.\d\.\d)?/.exec(said)!;
			let isClosed = false;
			let knocks = 0;
			const { clock, join, emails, logged, mailServer, outbox, states } = await open(
				(at) => {
					if (at !== step || !isClosed) return undefined;
					knocks += 1;
					return said as MailAnswer;
				},
				["first@first.example"],
			);
			await expect.poll(states, untilSeen).toEqual(["accepted"]);
			isClosed = true;
			await join(...people(40, (n) => `site-${n}.example`));
			const quota = [10, 60, 300, 900, 1800, 3600, 3600];
			for (const seconds of cause === "quota" ? quota : [60, 120, 240, 480, 900, 900, 900]) {
				const until = new Date(clock.ms + seconds * 1000).toISOString();
				await expect
					.poll(async () => (await outbox.look()).pause, untilSeen)
					.toEqual({ until, cause, code });
				await expect.poll(states, untilSeen).not.toContain("sending");
				clock.ms += seconds * 1000;
			}
			expect(knocks).toBeLessThanOrEqual(most + 7);
			isClosed = false;
			await expect
				.poll(async () => {
					// Advances less than the lease of five minutes, and only while idle, so no claim becomes
					// unknown.
					const { due, pause } = await outbox.look();
					const isIdle = (!due || pause) && !(await states()).includes("sending");
					if (isIdle) clock.ms += 4 * MINUTE;
					return received(mailServer).length;
				}, untilSeen)
				.toBe(41);
			await expect.poll(states, untilSeen).toEqual(Array(41).fill("accepted"));
			const repeated = (await emails()).filter(({ attempts }) => attempts > 1);
			expect(repeated.length).toBeLessThanOrEqual(code === "454" ? 0 : most);
			expect(logged()).toEqual([
				["emails paused", code],
				["emails resumed", undefined],
			]);
		},
	);

	it("is not assumed after refusals by a few domains: others wait once, for ten seconds", async () => {
		const { clock, join, emailOf, logged, outbox, states } = await open(
			(at, to) => (at === "recipient" && to.includes("evil") ? "451 4.7.1 not now" : undefined),
			people(5, (n) => `evil-${n}.example`),
		);
		await expect.poll(logged, untilSeen).toEqual([["emails paused", "451 4.7.1"]]);
		await expect.poll(states, untilSeen).not.toContain("sending");
		for (let hour = 0; hour < 4; hour += 1) {
			clock.ms += 10_000;
			const ada = `ada-${hour}@good.example`;
			await join(ada);
			await expect.poll(() => emailOf(ada), untilSeen).toMatchObject({ state: "accepted" });
			expect((await outbox.look()).pause).toBeNull();
			await expect.poll(states, untilSeen).not.toContain("sending");
			clock.ms += 60 * MINUTE;
		}
		expect(logged()).toHaveLength(2);
	});

	it("is not assumed after a restart because old refusals repeat", async () => {
		const { clock, countOne, join, logged, states, waitUntil } = await open(
			(at, to) => (at === "recipient" && to.includes("evil") ? "550 5.7.1 by policy" : undefined),
			GOOD,
		);
		await expect.poll(states, untilSeen).toEqual(Array(3).fill("accepted"));
		await waitUntil(clock.ms + MINUTE);
		await join(...people(8, (n) => `evil-${n}.example`));
		await countOne();
		clock.ms += MINUTE;
		const deferred = async () => (await states()).filter((state) => state === "deferred");
		await expect.poll(deferred, untilSeen).toHaveLength(8);
		expect(logged()).toEqual([]);
	});

	it("for one recipient stops no other email", async () => {
		const bad = "bad@bad.example";
		const { emailOf, logged, outbox, states } = await open(
			(at, to) => (at === "recipient" && to === bad ? "550 5.7.1 by policy" : undefined),
			[...GOOD, bad],
		);
		await expect.poll(states, untilSeen).toEqual(["accepted", "deferred", "accepted", "accepted"]);
		expect(await emailOf(bad)).toEqual({ state: "deferred", code: "550 5.7.1", attempts: 1 });
		expect((await outbox.look()).pause).toBeNull();
		expect(logged()).toEqual([]);
	});

	it("is not assumed for strangers' domains while an email to a confirmed person is due", async () => {
		const { clock, join, log, mailServer, waitUntil, write } = await open(
			(at, to) => (at === "recipient" && to.includes("evil") ? "550 5.7.1 by policy" : undefined),
			GOOD,
		);
		await expect.poll(() => received(mailServer).sort(), untilSeen).toEqual(GOOD);
		await waitUntil(clock.ms + MINUTE);
		await join(...people(40, (n) => `evil-${n}.example`));
		for (const email of GOOD) await write(email);
		let beforePause: string[] | undefined;
		log.mockImplementation((_, event) => {
			if (event === "emails paused") beforePause ??= received(mailServer).slice(3).sort();
		});
		clock.ms += MINUTE;
		await expect.poll(() => received(mailServer).slice(3).sort(), untilSeen).toEqual(GOOD);
		expect(beforePause ?? GOOD).toEqual(GOOD);
	});

	it("keeps two of five connections for confirmed people while strangers' domains are slow", async () => {
		const kept: (() => void)[] = [];
		const { clock, join, mailServer, write } = await open(
			(step, to) =>
				step === "recipient" && to.includes("slow")
					? new Promise<MailAnswer>((resolve) => kept.push(() => resolve(undefined)))
					: undefined,
			GOOD,
		);
		await expect.poll(() => received(mailServer).sort(), untilSeen).toEqual(GOOD);
		await join(...people(20, (n) => `slow-${n}.example`));
		await expect.poll(() => kept.length, untilSeen).toBe(3);
		for (const email of GOOD) await write(email);
		await expect.poll(() => received(mailServer).slice(3).sort(), untilSeen).toEqual(GOOD);
		expect(kept).toHaveLength(3);
		await expect
			.poll(() => {
				clock.ms += 1000;
				for (const go of kept.splice(0)) go();
				return received(mailServer).length;
			}, untilSeen)
			.toBe(26);
	});
});
