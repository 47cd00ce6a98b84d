import { expect, test } from "vitest";
import { birthTick, bornBy, runsOf } from "../../../engine/simulation/runs.ts";

const cadence = { initial: 6, batch: 1, every: 60 };
const inputs = [
	{ tick: 0, scene: "drift" },
	{ tick: 60, scene: "none" },
	{ tick: 100, scene: "drift" },
] as const;

test("a run that ends on the tick of a birth does not have it", () => {
	const runs = runsOf(inputs, 1, cadence);
	expect(runs.map(({ start, end, first }) => [start, end, first])).toEqual([
		[1, 61, 0],
		[101, expect.any(Number), 6],
	]);
	expect([0, 1, 60, 61, 100, 101, 160, 161].map((tick) => bornBy(runs, cadence, tick))).toEqual([
		...[0, 6, 6, 6, 6, 12, 12, 13],
	]);
	expect([6, 11, 12, 13].map((ordinal) => birthTick(runs[1]!, cadence, ordinal))).toEqual([
		...[101, 101, 161, 221],
	]);
});
