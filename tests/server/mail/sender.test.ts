import { describe, expect, it, vi } from "vitest";
import type { MailServerOptions, SmtpAnswer } from "../../../bench/harness/mail-server.ts";
import { startSender } from "../../../src/server/mail/sender.ts";
import { kind } from "../../given/kind.ts";
import { frequentPolling, MINUTE_MS, openSender, recipientsOf } from "./open-sender.ts";

const people = (count: number, domainOf: (n: number) => string) =>
	Array.from({ length: count }, (_, n) => `visitor-${n}@${domainOf(n)}`);

describe("the sender", () => {
	const open = (options: MailServerOptions) => openSender("SQLite", options);

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
				pause: async () => false,
			},
			deliver: async () => ({ state: "accepted", code: "250", version: "v1" }),
			cut() {},
			connections: 5,
			log,
			lookMs: 1,
		});
		const events = () => log.mock.calls.map(([, event]) => event);
		await expect
			.poll(events, frequentPolling)
			.toEqual(["outbox unavailable", "outbox available again"]);
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
			await expect
				.poll(seen, frequentPolling)
				.toMatchObject({ state: "deferred", attempts: tries });
			clock.ms += Math.min(2 * 24 * 60, 5 * 2 ** (tries - 1)) * MINUTE_MS;
		}
		await expect
			.poll(seen, frequentPolling)
			.toEqual({ state: "refused", code: "451 4.7.1", attempts: 11 });
		expect((clock.ms - began) / (24 * 60 * MINUTE_MS)).toBeCloseTo(3.5, 0);
	});

	it("stops emailing an address that does not exist", async () => {
		const answer: MailServerOptions["answer"] = (step) =>
			step === "recipient" ? "550 5.1.1 no such user" : undefined;
		const { clock, join, emails, states } = await open({ answer });
		await join("ada@example.com");
		await expect.poll(states, frequentPolling).toEqual(["refused"]);
		clock.ms += 60 * MINUTE_MS;
		await join("ada@example.com");
		expect(await emails()).toEqual([{ state: "refused", code: "550 5.1.1", attempts: 1 }]);
	});

	it("makes emails unknown after lost connections, and retries none", async () => {
		const answer: MailServerOptions["answer"] = (step) => (step === "message" ? "drop" : undefined);
		const { clock, join, logged, mailServer, states } = await open({ answer });
		const all = people(6, (n) => `site-${n}.example`);
		await join(...all.slice(0, 5));
		await expect.poll(states, frequentPolling).toEqual(Array(5).fill("unknown"));
		await expect.poll(() => logged().length, frequentPolling).toBe(1);
		clock.ms += 24 * 60 * MINUTE_MS;
		await join(all[5]!);
		await expect.poll(states, frequentPolling).toEqual(Array(6).fill("unknown"));
		expect(recipientsOf(mailServer).sort()).toEqual(all);
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
		await expect.poll(logged, frequentPolling).toEqual([["emails paused", "535 5.7.8"]]);
		await expect.poll(states, frequentPolling).toEqual(Array(20).fill("waiting"));
		expect((await outbox.look()).pause).toEqual({
			until: new Date(clock.ms + MINUTE_MS).toISOString(),
			cause: "refused",
			code: "535 5.7.8",
		});
		expect(mailServer.connections().made).toBeLessThanOrEqual(10);
		right = "right";
		clock.ms += MINUTE_MS;
		await expect.poll(states, frequentPolling).toEqual(Array(20).fill("accepted"));
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
			const until = new Date(clock.ms + minutes * MINUTE_MS).toISOString();
			await expect
				.poll(async () => (await outbox.look()).pause?.until, frequentPolling)
				.toBe(until);
			await expect.poll(emails, frequentPolling).toMatchObject([{ state: "waiting", attempts: 0 }]);
			clock.ms += minutes * MINUTE_MS;
		}
		expect(logged()).toEqual([["emails paused", "421 4.3.2"]]);
	});
});

const GOOD = ["ada@one.example", "bob@two.example", "eve@three.example"];

describe(`a mail server that accepts nothing more, on ${kind}`, () => {
	const open = (answer: MailServerOptions["answer"], joined: string[]) =>
		openSender(kind, { answer: answer! }, joined);

	it.each([
		{ said: "454 Daily message quota exceeded", step: "message", cause: "quota", most: 5 },
		{ said: "451 4.3.0 no space left", step: "recipient", cause: "quota", most: 10 },
		{ said: "550 5.7.1 blocked", step: "recipient", cause: "refused", most: 10 },
	])(
		"that replies $said pauses everything, with one probe email at a time",
		async ({ said, step, cause, most }) => {
			const [code] = /^\d+(?: \d\.\d\.\d)?/.exec(said)!;
			let isClosed = false;
			let probes = 0;
			const { clock, join, emails, logged, mailServer, outbox, states } = await open(
				(at) => {
					if (at !== step || !isClosed) return undefined;
					probes += 1;
					return said as SmtpAnswer;
				},
				["first@first.example"],
			);
			await expect.poll(states, frequentPolling).toEqual(["accepted"]);
			isClosed = true;
			await join(...people(40, (n) => `site-${n}.example`));
			const quota = [10, 60, 300, 900, 1800, 3600, 3600];
			for (const seconds of cause === "quota" ? quota : [60, 120, 240, 480, 900, 900, 900]) {
				const until = new Date(clock.ms + seconds * 1000).toISOString();
				await expect
					.poll(async () => (await outbox.look()).pause, frequentPolling)
					.toEqual({ until, cause, code });
				await expect.poll(states, frequentPolling).not.toContain("sending");
				clock.ms += seconds * 1000;
			}
			expect(probes).toBeLessThanOrEqual(most + 7);
			isClosed = false;
			await expect
				.poll(async () => {
					// Advances the clock only while idle, and by less than a lease: no claim may expire.
					const { due, pause } = await outbox.look();
					const isIdle = (!due || pause) && !(await states()).includes("sending");
					if (isIdle) clock.ms += 4 * MINUTE_MS;
					return recipientsOf(mailServer).length;
				}, frequentPolling)
				.toBe(41);
			await expect.poll(states, frequentPolling).toEqual(Array(41).fill("accepted"));
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
		await expect.poll(logged, frequentPolling).toEqual([["emails paused", "451 4.7.1"]]);
		await expect.poll(states, frequentPolling).not.toContain("sending");
		for (let hour = 0; hour < 4; hour += 1) {
			clock.ms += 10_000;
			const ada = `ada-${hour}@good.example`;
			await join(ada);
			await expect.poll(() => emailOf(ada), frequentPolling).toMatchObject({ state: "accepted" });
			expect((await outbox.look()).pause).toBeNull();
			await expect.poll(states, frequentPolling).not.toContain("sending");
			clock.ms += 60 * MINUTE_MS;
		}
		expect(logged()).toHaveLength(2);
	});

	it("is not assumed after a restart because old refusals repeat", async () => {
		const { clock, countOne, join, logged, states, waitUntil } = await open(
			(at, to) => (at === "recipient" && to.includes("evil") ? "550 5.7.1 by policy" : undefined),
			GOOD,
		);
		await expect.poll(states, frequentPolling).toEqual(Array(3).fill("accepted"));
		await waitUntil(clock.ms + MINUTE_MS);
		await join(...people(8, (n) => `evil-${n}.example`));
		await countOne();
		clock.ms += MINUTE_MS;
		const deferred = async () => (await states()).filter((state) => state === "deferred");
		await expect.poll(deferred, frequentPolling).toHaveLength(8);
		expect(logged()).toEqual([]);
	});

	it("for one recipient stops no other email", async () => {
		const bad = "bad@bad.example";
		const { emailOf, logged, outbox, states } = await open(
			(at, to) => (at === "recipient" && to === bad ? "550 5.7.1 by policy" : undefined),
			[...GOOD, bad],
		);
		await expect
			.poll(states, frequentPolling)
			.toEqual(["accepted", "deferred", "accepted", "accepted"]);
		expect(await emailOf(bad)).toEqual({ state: "deferred", code: "550 5.7.1", attempts: 1 });
		expect((await outbox.look()).pause).toBeNull();
		expect(logged()).toEqual([]);
	});

	it("is not assumed for strangers' domains while an email to a confirmed person is due", async () => {
		const { clock, join, log, mailServer, waitUntil, write } = await open(
			(at, to) => (at === "recipient" && to.includes("evil") ? "550 5.7.1 by policy" : undefined),
			GOOD,
		);
		await expect.poll(() => recipientsOf(mailServer).sort(), frequentPolling).toEqual(GOOD);
		await waitUntil(clock.ms + MINUTE_MS);
		await join(...people(40, (n) => `evil-${n}.example`));
		for (const email of GOOD) await write(email);
		let beforePause: string[] | undefined;
		log.mockImplementation((_, event) => {
			if (event === "emails paused") beforePause ??= recipientsOf(mailServer).slice(3).sort();
		});
		clock.ms += MINUTE_MS;
		await expect
			.poll(() => recipientsOf(mailServer).slice(3).sort(), frequentPolling)
			.toEqual(GOOD);
		expect(beforePause ?? GOOD).toEqual(GOOD);
	});

	it("keeps two of five connections for confirmed people while strangers' domains are slow", async () => {
		const kept: (() => void)[] = [];
		const { clock, join, mailServer, write } = await open(
			(step, to) =>
				step === "recipient" && to.includes("slow")
					? new Promise<SmtpAnswer>((resolve) => kept.push(() => resolve(undefined)))
					: undefined,
			GOOD,
		);
		await expect.poll(() => recipientsOf(mailServer).sort(), frequentPolling).toEqual(GOOD);
		await join(...people(20, (n) => `slow-${n}.example`));
		await expect.poll(() => kept.length, frequentPolling).toBe(3);
		for (const email of GOOD) await write(email);
		await expect
			.poll(() => recipientsOf(mailServer).slice(3).sort(), frequentPolling)
			.toEqual(GOOD);
		expect(kept).toHaveLength(3);
		await expect
			.poll(() => {
				clock.ms += 1000;
				for (const go of kept.splice(0)) go();
				return recipientsOf(mailServer).length;
			}, frequentPolling)
			.toBe(26);
	});
});
