import { describe, expect, it } from "vitest";
import type { MailServerOptions } from "../../../bench/harness/mail-server.ts";
import { placeOf } from "../registrations/databases.ts";
import { type FeedbackCall, MINUTE, openSender, received, untilSeen } from "./open-sender.ts";

const open = async (options: MailServerOptions, heard?: FeedbackCall) =>
	openSender(await placeOf("SQLite"), options, heard);

describe("the sender", () => {
	it("sends what it took although it did not hear of it", async () => {
		let losses = 1;
		const { join, logged, mailServer, states } = await open({}, (results) => {
			if ("emails" in results && losses-- > 0) throw new Error("connection lost");
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

	it("writes no more to an address that does not exist", async () => {
		const answer: MailServerOptions["answer"] = (step) =>
			step === "recipient" ? "550 5.1.1 no such user" : undefined;
		const { clock, join, emails, states } = await open({ answer });
		await join("ada@example.com");
		await expect.poll(states, untilSeen).toEqual(["refused"]);
		clock.ms += 60 * MINUTE;
		await join("ada@example.com");
		expect(await emails()).toEqual([{ state: "refused", code: "550 5.1.1", attempts: 1 }]);
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
		await expect.poll(logged, untilSeen).toEqual([["emails paused", "535 5.7.8"]]);
		await expect.poll(states, untilSeen).toEqual(Array(20).fill("waiting"));
		expect((await outbox.look()).pause).toEqual({
			until: new Date(clock.ms + 15 * MINUTE).toISOString(),
			reason: "The mail server refuses what we send, whoever it is for (535 5.7.8).",
			cause: "refused",
		});
		expect(mailServer.connections().made).toBeLessThanOrEqual(10);
		right = "right";
		clock.ms += 16 * MINUTE;
		await expect.poll(states, untilSeen).toEqual(Array(20).fill("accepted"));
		expect(logged()).toEqual([
			["emails paused", "535 5.7.8"],
			["emails go out again", undefined],
		]);
	});

	it("waits longer each time that the mail server is busy, and counts no try of a letter", async () => {
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
