/** A void measurement neither passes nor fails. */
import { expect, test } from "vitest";
import { judgeFrames, rowOfTime } from "../../bench/measure.ts";
import { unfit } from "../../bench/tiers/frames.ts";
import type { TimedRow } from "../../bench/tiers/times.ts";

const one = { median: 1, low: 1, high: 1 };
const time: TimedRow = {
	name: "step, Node",
	us: 9,
	baseUs: 3,
	processes: 36,
	verdict: "slower",
	ratio: { median: 3, low: 2.9, high: 3.1 },
	control: one,
};
const budgets = (limit: number) => ({ "step, Node": { limit, unit: "µs", reason: "any" } });

test("a time whose equal arms differ is void, over its budget or not", () => {
	for (const limit of [5, 50]) {
		for (const compared of [true, false]) {
			expect(rowOfTime(budgets(limit), { ...time, verdict: "void" }, compared).verdict).toBe(
				"void",
			);
		}
	}
});

test("a time with a base is judged by its ratio, and alone by its budget", () => {
	expect(rowOfTime(budgets(50), time, true)).toMatchObject({ verdict: "slower", base: 3 });
	expect(rowOfTime(budgets(50), { ...time, verdict: "as fast" }, false).verdict).toBe("within");
	expect(rowOfTime(budgets(5), { ...time, verdict: "as fast" }, false).verdict).toBe("breach");
});

test("frames are void if a cleared canvas is not smooth, or the host takes much", () => {
	const fit = { late: 0.03, clickMs: 24, pictures: 57 };
	expect(unfit(fit, 0.1)).toBeUndefined();
	expect(unfit({ ...fit, late: 0.034 }, 0)).toContain("3.4 % of the page's frames were late");
	expect(unfit({ ...fit, clickMs: 32 }, 0)).toContain("a click took 32 ms");
	expect(unfit({ ...fit, pictures: 56.9 }, 0)).toContain("got 56.9 pictures a second");
	expect(unfit(fit, 0.11)).toBe("the host took 11 %");
	const click = { tier: "frames", name: "step, Node", value: 9, unit: "ms", reason: "" } as const;
	const verdicts = (why?: string) =>
		[5, 50].map(
			(limit) => judgeFrames(budgets(limit), [{ measured: [click], void: why }])[0]!.verdict,
		);
	expect(verdicts("noise")).toEqual(["void", "void"]);
	expect(verdicts()).toEqual(["breach", "within"]);
});
