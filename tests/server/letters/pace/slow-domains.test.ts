import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { MailAnswer } from "../../../../bench/harness/mail-server.ts";
import { rememberSlowDomains } from "../../../../src/server/letters/pace/slow-domains.ts";
import { kind } from "../../../given/kind.ts";
import { placeOf, usePostgres } from "../../waitlist/databases.ts";
import { openSender, received, untilSeen } from "../open-sender.ts";

const cluster = usePostgres();

const people = (count: number, domainOf: (n: number) => string) =>
	Array.from({ length: count }, (_, n) => `visitor-${n}@${domainOf(n)}`);

describe(`slow domains on ${kind}`, () => {
	/** A mail server that keeps letters waiting to whom a test says, until it lets them go. */
	async function open(
		isSlow: (to: string) => boolean,
		more: Parameters<typeof openSender>[3] = {},
	) {
		const kept: (() => void)[] = [];
		const letGo = () => {
			for (const go of kept.splice(0)) go();
		};
		const slowMs = 20;
		const options = {
			answer: (step: string, to: string) =>
				step === "recipient" && isSlow(to)
					? new Promise<MailAnswer>((resolve) => kept.push(() => resolve(undefined)))
					: undefined,
		};
		const place = await placeOf(kind, cluster());
		const sender = await openSender(place, options, undefined, { slowMs, tryMs: 60_000, ...more });
		/** How many letters are kept waiting after those came back that had been put back. */
		const keptLater = () => {
			sender.clock.ms += 5000;
			return kept.length;
		};
		return {
			...sender,
			kept,
			letGo,
			/** The sender notices that what it carries takes long. */
			async becomeSlow() {
				await expect.poll(() => kept.length, untilSeen).toBe(5);
				await wait(slowMs);
				letGo();
			},
			keptLater,
		};
	}

	it("hold two of five connections, lose no try, and keep nobody waiting", async () => {
		const slow = people(20, (n) => `x${n}.slow.example`);
		const good = people(10, (n) => `good-${n}.example`);
		// The sender does not wait for its next look to go on.
		const { becomeSlow, clock, join, kept, keptLater, letGo, letters, mailServer } = await open(
			(to) => to.endsWith(".slow.example"),
			{ joined: slow, lookMs: 60_000 },
		);
		clock.ms += 1;
		await join(...good);
		await becomeSlow();
		await expect.poll(keptLater, untilSeen).toBe(2);
		await expect.poll(() => received(mailServer), untilSeen).toEqual(expect.arrayContaining(good));
		expect(received(mailServer)).toHaveLength(5 + 10);
		expect(kept).toHaveLength(2);
		const most = () => {
			clock.ms += 5000;
			const held = kept.length;
			letGo();
			return held;
		};
		let held = 0;
		await expect
			.poll(() => {
				held = Math.max(held, most());
				return received(mailServer).sort();
			}, untilSeen)
			.toEqual([...slow, ...good].sort());
		expect(held).toBe(2);
		await expect
			.poll(letters, untilSeen)
			.toEqual(Array(30).fill({ state: "accepted", code: "250", attempts: 1 }));
	});

	it("are all written to by a sender that ends when nothing is left", async () => {
		const joined = people(8, () => "slow.example");
		const slow = await open(() => true, { once: true, joined });
		await slow.becomeSlow();
		await expect.poll(slow.keptLater, untilSeen).toBe(2);
		await expect.poll(async () => (await slow.outbox.look()).due, untilSeen).toBe(false);
		slow.letGo();
		await expect.poll(() => received(slow.mailServer).length, untilSeen).toBe(7);
		await expect.poll(slow.keptLater, untilSeen).toBe(1);
		slow.letGo();
		await slow.ended;
		expect(received(slow.mailServer).sort()).toEqual(joined);
	});

	it("hold up no wave, however many there are", { tags: "slow" }, async () => {
		const slow = people(60, (n) => `slow-${n}.example`);
		const good = people(6, (n) => `good-${n}.example`);
		const { becomeSlow, clock, join, keptLater, letGo, mailServer, write } = await open((to) =>
			to.includes("@slow-"),
		);
		await join(...good);
		await expect.poll(() => received(mailServer).sort(), untilSeen).toEqual(good);
		await join(...slow);
		// The sender learns of 20 domains and more, which then wait for good.
		for (let known = 0; known < 25; known += 5) await becomeSlow();
		await expect.poll(keptLater, untilSeen).toBe(5);
		for (const email of good) await write(email);
		letGo();
		await expect
			.poll(() => {
				clock.ms += 50;
				return received(mailServer).filter((to) => good.includes(to)).length;
			}, untilSeen)
			.toBe(12);
		letGo();
	});

	it("silence nobody where the mail server is slow for everybody", async () => {
		const all = people(12, (n) => `site-${n}.example`);
		const { becomeSlow, clock, join, letGo, letters, mailServer } = await open(() => true);
		await join(...all);
		await becomeSlow();
		await expect
			.poll(() => {
				clock.ms += 200;
				letGo();
				return received(mailServer).sort();
			}, untilSeen)
			.toEqual([...all].sort());
		await expect
			.poll(letters, untilSeen)
			.toEqual(Array(12).fill({ state: "accepted", code: "250", attempts: 1 }));
	});
});

describe("what a sender knows of slow domains", () => {
	const open = (connections = 5) => {
		const clock = { ms: 0 };
		return { clock, slow: rememberSlowDomains(connections, () => clock.ms) };
	};

	it("is forgotten after an hour, and is of the latest 20", () => {
		const { clock, slow } = open();
		expect(slow.room(new Map())).toBeUndefined();
		for (let n = 0; n < 21; n++) slow.note(`site-${n}.example`);
		expect(slow.room(new Map())!.domains).toEqual(
			Array.from({ length: 20 }, (_, n) => `site-${n + 1}.example`),
		);
		clock.ms += 59 * 60_000;
		slow.note("site-1.example");
		clock.ms += 60_000;
		expect(slow.room(new Map())!.domains).toEqual(["site-1.example"]);
		clock.ms += 59 * 60_000;
		expect(slow.room(new Map())).toBeUndefined();
	});

	it.each([
		[5, 2],
		[20, 8],
		[1, 1],
	])("leaves them of %i connections %i, less what they hold", (connections, most) => {
		const { slow } = open(connections);
		slow.note("slow.example");
		expect(slow.room(new Map())!.letters).toBe(most);
		const to = (...domains: string[]) => new Map(domains.map((domain) => [{ wave: "" }, domain]));
		expect(slow.room(to("slow.example", "good.example"))!.letters).toBe(most - 1);
		expect(slow.room(to(...Array(connections).fill("slow.example")))!.letters).toBe(0);
	});

	it("brings letters back one by one, however many were put back", () => {
		const { clock, slow } = open();
		slow.note("slow.example");
		const times: number[] = [];
		for (let n = 0; n < 100; n++) {
			times.push(slow.room(new Map())!.until);
			slow.putBack(1);
		}
		expect(times).toEqual(Array.from({ length: 100 }, (_, n) => (n + 1) * 200));
		slow.putBack(100_000);
		expect(slow.room(new Map())!.until).toBe(60_000);
		clock.ms = 59_999;
		expect(slow.waits()).toBe(true);
		clock.ms = 60_000;
		expect(slow.waits()).toBe(false);
	});
});
