import { describe, expect, it } from "vitest";
import { rampAsText, readRamp } from "../../../src/server/mail/overview.ts";
import { change } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { DAY, openRate, people } from "./rate-desk.ts";

describe(`a ramp on ${kind}`, () => {
	const ramp = [10, 20, 40];

	async function open(more: Partial<Parameters<typeof openRate>[1]> = {}) {
		const pace = await openRate(kind, { rate: undefined, ramp, ...more });
		return {
			...pace,
			said: async () => rampAsText((await readRamp(pace.server, { ramp }))!),
			async days(count: number) {
				const counts: number[] = [];
				for (let day = 0; day < count; day += 1) {
					const before = pace.sent.length;
					for (let n = 0; n < 48; n += 1, pace.clock.ms += DAY / 48) await pace.send();
					counts.push(pace.sent.length - before);
				}
				return counts;
			},
			most: () =>
				Math.max(
					...pace.sent.map(
						({ ms: from }) => pace.sent.filter(({ ms }) => ms >= from && ms < from + DAY).length,
					),
				),
		};
	}

	it("climbs a step for each day with emails, over two copies", async () => {
		const { days, join, most, said, sent } = await open({ copies: 2 });
		await join(people(10, "early"));
		expect(await days(1)).toEqual([10]);
		expect(await said()).toMatch(/^Step 1 .* the next one begins on 2026-11-23T10:00:00\.000Z\.$/);
		expect(await days(3)).toEqual([0, 0, 0]);
		expect(await said()).toMatch(/^Step 2 .* 20 emails a day/);
		await join(people(200, "late"));
		const [first, second, third] = await days(3);
		expect(first).toBeGreaterThanOrEqual(15);
		expect(first).toBeLessThanOrEqual(20);
		expect(second).toBeGreaterThanOrEqual(30);
		expect(third).toBeGreaterThanOrEqual(36);
		expect(most()).toBeLessThanOrEqual(40);
		expect(await said()).toMatch(/^Step 3 of 3 .* which is the last\.$/);
		expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length);
	});

	it("never exceeds the rate", async () => {
		const { days, join, most } = await open({ rate: { count: 12, periodMs: DAY } });
		await join(people(100, "p"));
		await days(4);
		expect(most()).toBe(12);
	});

	it("stays where it is while a stream is throttled", async () => {
		const { days, join, said, server } = await open();
		await join(people(500, "p"));
		await days(1);
		await change(server, "outbox", { confirmedSlowed: 4 });
		await days(2);
		expect(await said()).toMatch(/^Step 1 .* stays there while emails are throttled\.$/);
		await change(server, "outbox", { confirmedSlowed: 1 });
		await days(1);
		expect(await said()).toMatch(/^Step 2 /);
	});
});
