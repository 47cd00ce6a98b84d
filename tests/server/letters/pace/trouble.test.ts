import { describe, expect, it } from "vitest";
import type { MailAnswer, MailServerOptions } from "../../../../bench/harness/mail-server.ts";
import { kind } from "../../../given/kind.ts";
import { placeOf, usePostgres } from "../../waitlist/databases.ts";
import { MINUTE, openSender, received, untilSeen } from "../open-sender.ts";

type Answer = NonNullable<MailServerOptions["answer"]>;

const cluster = usePostgres();

const GOOD = ["ada@one.example", "bob@two.example", "eve@three.example"];

/** A mail server that refuses some recipients. */
const refusing =
	(isRefused: (to: string) => boolean, said: MailAnswer = "550 5.7.1 by policy"): Answer =>
	(at, to) =>
		at === "recipient" && isRefused(to) ? said : undefined;

describe(`trouble with a mail server on ${kind}`, () => {
	const open = async (answer: Answer) => openSender(await placeOf(kind, cluster()), { answer });

	it.each<[said: MailAnswer, code: string]>([
		["550 5.7.1 by policy", "550 5.7.1"],
		["drop", "ECONNECTION"],
	])("over one recipient, by %s, stops no other letter", async (said, code) => {
		const bad = "bad@bad.example";
		const { clock, join, letterOf, logged, outbox, states } = await open(
			refusing((to) => to === bad, said),
		);
		await join(bad, ...GOOD);
		await expect.poll(states, untilSeen).toEqual(["accepted", "deferred", "accepted", "accepted"]);
		for (let attempts = 1; attempts < 11; attempts++) {
			await expect
				.poll(() => letterOf(bad), untilSeen)
				.toEqual({ state: "deferred", code, attempts });
			expect((await outbox.look()).pause).toBeUndefined();
			clock.ms += attempts < 10 ? 2 * 24 * 60 * MINUTE : 0;
		}
		expect(logged()).toEqual([]);
	});

	it("that refuses everybody pauses soon, and one letter at a time tries again", async () => {
		let isBlocked = true;
		let tries = 0;
		const { clock, join, letters, logged, outbox, states } = await open((step) => {
			if (step !== "recipient" || !isBlocked) return undefined;
			tries += 1;
			return "550 5.7.1 blocked";
		});
		const count = 40;
		await join(...Array.from({ length: count }, (_, n) => `visitor@site-${n}.example`));
		await expect.poll(logged, untilSeen).toEqual([["letters paused", "550 5.7.1"]]);
		await expect.poll(states, untilSeen).not.toContain("sending");
		expect(tries).toBeLessThanOrEqual(10);
		const undecided = tries;
		for (const minutes of [1, 2, 4, 8, 15, 15]) {
			const until = new Date(clock.ms + minutes * MINUTE).toISOString();
			await expect
				.poll(async () => (await outbox.look()).pause, untilSeen)
				.toEqual({
					until,
					cause: "refused",
					reason: "The mail server refuses what we send, whoever it is for (550 5.7.1).",
				});
			const before = tries;
			clock.ms += minutes * MINUTE;
			await expect.poll(() => tries, untilSeen).toBe(before + 1);
		}
		await expect.poll(states, untilSeen).not.toContain("sending");
		// What tries again after a pause is no try of a letter.
		const counted = (await letters()).reduce((sum, { attempts }) => sum + attempts, 0);
		expect(counted).toBeLessThanOrEqual(undecided);
		isBlocked = false;
		clock.ms += 30 * MINUTE;
		await expect.poll(states, untilSeen).toEqual(Array(count).fill("accepted"));
		expect(logged()).toEqual([
			["letters paused", "550 5.7.1"],
			["letters go out again", undefined],
		]);
	});

	it("that domains of a stranger cause begins no pause while a letter of a wave is due", async () => {
		const { clock, join, logged, mailServer, waitUntil, write } = await open(
			refusing((to) => to.includes("evil")),
		);
		await join(...GOOD);
		await expect.poll(() => received(mailServer).sort(), untilSeen).toEqual(GOOD);
		await waitUntil(clock.ms + MINUTE);
		await join(...Array.from({ length: 40 }, (_, n) => `x@evil-${n}.example`));
		for (const email of GOOD) await write(email);
		clock.ms += MINUTE;
		let pauses: unknown[] = [];
		await expect
			.poll(() => {
				pauses = logged();
				return received(mailServer).slice(3).sort();
			}, untilSeen)
			.toEqual(GOOD);
		expect(pauses).toEqual([]);
	});
});
