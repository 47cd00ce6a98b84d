/** A void measurement never passes and never fails. */
import { expect, test } from "vitest";
import { bundleProbe, ROOT } from "../../bench/bundle-probe.ts";
import { judgeFrames, rowOfTime, rowsOfAllocations } from "../../bench/measure.ts";
import { unfit } from "../../bench/tiers/frames.ts";
import type { TimedRow } from "../../bench/tiers/times.ts";
import { idleControls } from "./edit.ts";

const one = { median: 1, low: 1, high: 1 };
const time: TimedRow = {
	...{ name: "step, Node", us: 9, baseUs: 3, processes: 36 },
	...{ verdict: "slower", ratio: { median: 3, low: 2.9, high: 3.1 }, control: one },
};
const budgets = (limit: number) => ({ "step, Node": { limit, unit: "µs", reason: "any" } });

test("a time whose equal arms differ is void, over its budget or not", () => {
	for (const limit of [5, 50])
		for (const compared of [true, false])
			expect(rowOfTime(budgets(limit), { ...time, verdict: "void" }, compared).verdict).toBe(
				"void",
			);
});

test("a time beside a base is judged by its ratio, and alone by its budget", () => {
	expect(rowOfTime(budgets(50), time, true)).toMatchObject({ verdict: "slower", base: 3 });
	expect(rowOfTime(budgets(50), { ...time, verdict: "as fast" }, false).verdict).toBe("within");
	expect(rowOfTime(budgets(5), { ...time, verdict: "as fast" }, false).verdict).toBe("breach");
});

test("frames are void where an empty page has late ones, or slow clicks", () => {
	expect(unfit({ late: 0.1, clickMs: 80 })).toBeUndefined();
	expect(unfit({ late: 0.11, clickMs: 8 })).toContain("11 % of its frames late");
	expect(unfit({ late: 0, clickMs: 81 })).toContain("81 ms for a click");
	const click = { tier: "frames", name: "step, Node", value: 9, unit: "ms", reason: "" } as const;
	const verdicts = (why?: string) =>
		[5, 50].map(
			(limit) => judgeFrames(budgets(limit), { measured: [click], void: why })[0]!.verdict,
		);
	expect(verdicts("noise")).toEqual(["void", "void"]);
	expect(verdicts()).toEqual(["breach", "within"]);
});

test("allocations are void when the control that allocates is not seen to", async () => {
	const code = await bundleProbe(ROOT, idleControls());
	const rows = await rowsOfAllocations({}, code);
	expect(rows.map(({ verdict }) => verdict)).toEqual(["void", "void", "void"]);
}, 240_000);
