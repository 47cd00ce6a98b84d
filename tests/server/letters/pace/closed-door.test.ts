import { describe, expect, it } from "vitest";
import type { MailServerOptions } from "../../../../bench/harness/mail-server.ts";
import { kind } from "../../../given/kind.ts";
import { placeOf, usePostgres } from "../../waitlist/databases.ts";
import { MINUTE, openSender, received, untilSeen } from "../open-sender.ts";

const cluster = usePostgres();

const people = (count: number, domainOf: (n: number) => string) =>
	Array.from({ length: count }, (_, n) => `visitor-${n}@${domainOf(n)}`);

describe(`a mail server that takes nothing more, on ${kind}`, () => {
	const open = async (answer: MailServerOptions["answer"], joined: string[]) =>
		openSender(await placeOf(kind, cluster()), { answer: answer! }, undefined, { joined });

	it.each([
		["a quota", "message", "454 Throttling failure: Daily message quota exceeded", "454", 5],
		["anything, to five domains", "recipient", "451 4.3.0 no space left", "451 4.3.0", 10],
	])(
		"saying %s, pauses everything, and costs no letter a try",
		async (_, step, said, code, most) => {
			let isClosed = false;
			let knocks = 0;
			const { clock, join, letters, logged, mailServer, outbox, states } = await open(
				(at) => {
					if (at !== step || !isClosed) return undefined;
					knocks += 1;
					return said;
				},
				["first@first.example"],
			);
			await expect.poll(states, untilSeen).toEqual(["accepted"]);
			isClosed = true;
			await join(...people(40, (n) => `site-${n}.example`));
			for (const seconds of [10, 60, 300, 900, 1800, 3600, 3600]) {
				const until = new Date(clock.ms + seconds * 1000).toISOString();
				await expect
					.poll(async () => (await outbox.look()).pause, untilSeen)
					.toEqual({
						until,
						cause: "quota",
						reason: `The mail server takes no more letters for now, whoever they are for (${code}).`,
					});
				await expect.poll(states, untilSeen).not.toContain("sending");
				clock.ms += seconds * 1000;
			}
			// One letter at a time knocks.
			expect(knocks).toBeLessThanOrEqual(most + 7);
			isClosed = false;
			await expect
				.poll(async () => {
					// A lease takes five minutes.
					const { due, pause } = await outbox.look();
					const isIdle = (!due || pause) && !(await states()).includes("sending");
					if (isIdle) clock.ms += 4 * MINUTE;
					return received(mailServer).length;
				}, untilSeen)
				.toBe(41);
			await expect
				.poll(letters, untilSeen)
				.toEqual(Array(41).fill({ state: "accepted", code: "250", attempts: 1 }));
			expect(logged()).toEqual([
				["letters paused", code],
				["letters go out again", undefined],
			]);
		},
	);

	it("pauses for as long as it says, an hour at most", async () => {
		let minutes = 12;
		const { clock, outbox, states } = await open(
			(at) => (at === "message" ? `452 4.5.3 try again in ${minutes} minutes` : undefined),
			people(10, (n) => `site-${n}.example`),
		);
		const paused = async () => {
			const { pause } = await outbox.look();
			return pause && (Date.parse(pause.until) - clock.ms) / MINUTE;
		};
		await expect.poll(paused, untilSeen).toBe(12);
		await expect.poll(states, untilSeen).not.toContain("sending");
		minutes = 2000;
		clock.ms += 12 * MINUTE;
		await expect.poll(paused, untilSeen).toBe(60);
	});

	it("is not meant by the owner of a domain: others wait once, and for ten seconds", async () => {
		const { clock, join, letterOf, logged, outbox, states } = await open(
			(at, to) => (at === "recipient" && to.includes("evil") ? "421 4.7.0 not now" : undefined),
			people(6, (n) => `x${n}.evil-${n % 3}.example`),
		);
		await expect.poll(logged, untilSeen).toEqual([["letters paused", "421 4.7.0"]]);
		await expect.poll(states, untilSeen).not.toContain("sending");
		for (let hour = 0; hour < 4; hour += 1) {
			clock.ms += 10_000;
			const ada = `ada-${hour}@good.example`;
			await join(ada);
			await expect.poll(() => letterOf(ada), untilSeen).toMatchObject({ state: "accepted" });
			expect((await outbox.look()).pause).toBeUndefined();
			await expect.poll(states, untilSeen).not.toContain("sending");
			clock.ms += 60 * MINUTE;
		}
		expect(logged()).toHaveLength(2);
	});
});
