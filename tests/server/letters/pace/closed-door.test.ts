import { describe, expect, it } from "vitest";
import type { MailServerOptions } from "../../../../bench/harness/mail-server.ts";
import type { TriedLetter } from "../../../../src/server/letters/letter.ts";
import { watchDoor } from "../../../../src/server/letters/pace/closed-door.ts";
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
		["a quota for good", "message", "550 5.4.5 Daily user sending limit exceeded", "550 5.4.5", 5],
		["a rate, and hangs up", "recipient", "421 4.7.0 too many letters", "421 4.7.0", 5],
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
		const isTheirs = (to: string) => to.includes("evil");
		const { clock, join, letterOf, logged, outbox, states } = await open(
			(at, to) => (at === "recipient" && isTheirs(to) ? "421 4.7.0 not now" : undefined),
			people(6, (n) => `x${n}.evil-${n % 3}.example`),
		);
		await expect.poll(logged, untilSeen).toEqual([["letters paused", "421 4.7.0"]]);
		await expect.poll(states, untilSeen).not.toContain("sending");
		for (let hour = 0; hour < 12; hour += 1) {
			clock.ms += 10_000;
			const ada = `ada-${hour}@good.example`;
			await join(ada);
			await expect.poll(() => letterOf(ada), untilSeen).toMatchObject({ state: "accepted" });
			expect((await outbox.look()).pause).toBeUndefined();
			// A lease takes five minutes.
			await expect.poll(states, untilSeen).not.toContain("sending");
			clock.ms += 60 * MINUTE;
		}
		expect(logged()).toHaveLength(2);
	});
});

describe("whether a mail server takes letters", () => {
	const letter = (n: number): TriedLetter => ({
		id: `${n}`,
		state: "deferred",
		nextAt: 1,
		code: "451",
		version: "v1",
	});
	const untried = (n: number, domain?: string, ms = 0) => ({
		...letter(n),
		state: "waiting",
		nextAt: ms + 60 * MINUTE,
		...(domain && { doubt: { cause: "quota", code: "451", domain } }),
	});

	it("is told by five owners in a row, whose letters had no try", () => {
		const door = watchDoor(() => 0);
		const putOff = (n: number, key: string) => door.putOff(letter(n), key, {});
		for (const [n, key] of ["a@x.example", "b@x.example", "a@y.example", "a@gmail.com"].entries()) {
			expect(putOff(n, key)).toEqual({ closed: false, tried: [letter(n)] });
		}
		// Another code says nothing of this one, and whoever passes begins anew.
		expect(door.putOff({ ...letter(9), code: "450" }, "a@z.example", {}).closed).toBe(false);
		expect(putOff(4, "b@gmail.com").closed).toBe(false);
		expect(putOff(5, "a@z.example")).toEqual({
			closed: true,
			tried: [
				...["x", "x", "y"].map((name, n) => untried(n, `${name}.example`)),
				...[untried(3), untried(4), untried(5, "z.example")],
			],
		});
		expect(putOff(6, "a@z.example")).toEqual({ closed: true, tried: [untried(6, "z.example")] });
		door.passed();
		expect(putOff(7, "a@w.example")).toEqual({ closed: false, tried: [letter(7)] });
	});

	it("is not told for two days by owners who were put off while others passed, but by 30 letters", () => {
		const clock = { ms: 0 };
		const door = watchDoor(() => clock.ms);
		const evil = (n: number, quota?: true) =>
			door.putOff(letter(n), `${n}@evil-${n % 5}.example`, quota ? { quota } : {});
		for (let n = 0; n < 5; n += 1) evil(n);
		door.passed();
		// Not even a code that names a quota.
		for (let n = 0; n < 29; n += 1) expect(evil(n, true).closed).toBe(false);
		expect(evil(29).closed).toBe(true);
		door.passed();
		clock.ms += 49 * 60 * MINUTE;
		expect(evil(0, true)).toEqual({
			closed: false,
			tried: [untried(0, "evil-0.example", clock.ms)],
		});
		expect(evil(1, true).closed).toBe(true);
	});

	it("lets one letter in and not the next, as the window of a quota moves, and that is no try for long", () => {
		const door = watchDoor(() => 0);
		const alone = () => {
			const { closed, tried } = door.putOff(letter(1), "a@x.example", { quota: true });
			expect(closed).toBe(false);
			door.passed();
			return tried[0]!;
		};
		for (const hours of [1, 2, 4, 8, 16, 24, 24, 24, 24, 24]) {
			expect(alone()).toMatchObject({ state: "waiting", nextAt: hours * 60 * MINUTE });
		}
		expect(alone()).toEqual(letter(1));
	});
});
