/** A void measurement never passes and never fails. */
import { expect, test } from "vitest";
import { bundleProbe, ROOT } from "../../bench/bundle-probe.ts";
import { judgeFrames, rowOfTime, rowsOfAllocations } from "../../bench/measure.ts";
import { unfit, whileFit } from "../../bench/tiers/frames.ts";
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

test("frames are void where an empty page has late ones, or slow clicks, or a host takes much", () => {
	const smooth = { late: 0.03, clickMs: 24 };
	expect(unfit(smooth, 0.1)).toBeUndefined();
	expect(unfit({ ...smooth, late: 0.04 }, 0)).toContain("4 % of its frames late");
	expect(unfit({ ...smooth, clickMs: 32 }, 0)).toContain("32 ms for a click");
	expect(unfit(smooth, 0.11)).toBe("the host took 11 %");
	const click = { tier: "frames", name: "step, Node", value: 9, unit: "ms", reason: "" } as const;
	const verdicts = (why?: string) =>
		[5, 50].map(
			(limit) => judgeFrames(budgets(limit), [{ measured: [click], void: why }])[0]!.verdict,
		);
	expect(verdicts("noise")).toEqual(["void", "void"]);
	expect(verdicts()).toEqual(["breach", "within"]);
});

/** Plays `whileFit` on a machine that an empty page feels like this, one look after the other. */
async function measureOn(...looks: { late: number }[]) {
	let measured = 0;
	const frames = await whileFit(
		async () => [{ tier: "frames", name: "any", value: ++measured, unit: "", reason: "" }],
		async () => ({ ...looks.shift()!, clickMs: 8 }),
		() => 0,
	);
	return { measured, why: frames.void, kept: frames.measured[0]!.value };
}

test("frames between two smooth looks are measured once", async () => {
	expect(await measureOn({ late: 0 }, { late: 0 })).toEqual({ measured: 1, kept: 1 });
});

test("frames are measured again where what came before or after was not smooth", async () => {
	const [smooth, rough] = [{ late: 0 }, { late: 1 }];
	expect(await measureOn(rough, smooth, rough, smooth, smooth)).toEqual({ measured: 2, kept: 2 });
});

test("frames are void where five times nothing was smooth, and can be read all the same", async () => {
	const [smooth, rough] = [{ late: 0 }, { late: 1 }];
	const found = await measureOn(rough, rough, rough, rough, smooth, rough);
	expect(found).toMatchObject({ measured: 1, kept: 1 });
	expect(found.why).toContain("100 % of its frames late");
	expect((await measureOn(rough, rough, rough, rough, rough, smooth)).why).toContain("100 %");
});

test("allocations are void when the control that allocates is not seen to", async () => {
	const code = await bundleProbe(ROOT, idleControls());
	const rows = await rowsOfAllocations({}, code);
	expect(rows.map(({ verdict }) => verdict)).toEqual(["void", "void", "void"]);
}, 240_000);
