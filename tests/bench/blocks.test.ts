import { expect, test } from "vitest";
import { type Arm, orderOf, readBlocks, turnsOf } from "../../bench/tiers/blocks.ts";

const processes = Array.from({ length: 6 }, (_, turn) => orderOf(turn));

test("over six processes each arm has each place equally often, beside each other arm", () => {
	const places = processes.flatMap((order) => order.map((arm, place) => `${arm} ${place}`));
	const pairs = processes.flatMap(([a, b, c]) => [`${a}, ${b}`, `${b}, ${c}`]);
	for (const counted of [places, pairs]) {
		const times = [...new Set(counted)].map((one) => counted.filter((it) => it === one).length);
		expect(new Set(times)).toEqual(new Set([2]));
	}
	expect(new Set(places).size).toBe(9);
	expect(new Set(pairs).size).toBe(6);
});

test("in a round the arms go forth and back, and the next round begins with another arm", () => {
	const [order] = processes;
	const rounds = [0, 1, 2].map((round) => turnsOf(order!, round));
	for (const turns of rounds) expect(turns.toReversed()).toEqual(turns);
	expect(new Set(rounds.map(([first]) => first)).size).toBe(3);
});

test("a drift of the machine hits all arms alike, and a part with its own row is subtracted", () => {
	const order = orderOf(3);
	const costs: Record<Arm, number> = { base: 5, subject: 8, control: 5 };
	const part = 2;
	const times = 240;
	const notes: number[] = [];
	let now = 0;
	let slower = 0;
	for (let round = 0; round < 15; round++) {
		for (const arm of turnsOf(order, round)) {
			notes.push(now, now + (costs[arm] + part + slower) * times);
			now = notes.at(-1)! + part * times;
			notes.push(now);
			slower += 0.01;
		}
	}
	const blocks = readBlocks(notes, order, { call: "frames", without: "steps", times });
	const mean = (arm: Arm) => blocks.reduce((sum, us) => sum + us[arm], 0) / blocks.length;
	expect(mean("subject") - mean("base")).toBeCloseTo(3, 6);
	expect(mean("control") - mean("base")).toBeCloseTo(0, 6);
	expect(blocks[0]!.base).toBeCloseTo(5 + 0.01 * order.indexOf("base"), 6);
});

test("a missing time is an error, not a measurement", () => {
	expect(() => readBlocks([1, 2, 3], orderOf(0), { call: "steps", times: 240 })).toThrow(
		"90 blocks noted 3 times, not three each.",
	);
});
