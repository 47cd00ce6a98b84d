/** A void measurement never passes and never fails. */
import { expect, test } from "vitest";
import { bundleProbe, ROOT } from "../../bench/bundle-probe.ts";
import { judgeFrames, rowOfTime, rowsOfAllocations } from "../../bench/measure.ts";
import { measureParts, unfit } from "../../bench/tiers/frames.ts";
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

test("frames are void where a cleared canvas has late ones, or slow clicks, or a host takes much", () => {
	const smooth = { late: 0.03, clickMs: 24 };
	expect(unfit(smooth, 0.1)).toBeUndefined();
	expect(unfit({ ...smooth, late: 0.04 }, 0)).toContain("4 % of the page's frames were late");
	expect(unfit({ ...smooth, clickMs: 32 }, 0)).toContain("a click took 32 ms");
	expect(unfit(smooth, 0.11)).toBe("the host took 11 %");
	const click = { tier: "frames", name: "step, Node", value: 9, unit: "ms", reason: "" } as const;
	const verdicts = (why?: string) =>
		[5, 50].map(
			(limit) => judgeFrames(budgets(limit), [{ measured: [click], void: why }])[0]!.verdict,
		);
	expect(verdicts("noise")).toEqual(["void", "void"]);
	expect(verdicts()).toEqual(["breach", "within"]);
});

const [smooth, rough] = [0, 1];

/**
 * Measures one part on a machine that feels like this to the control, one look after the other,
 * and reads these values, of which 10 are within budget.
 */
async function measureOn(looks: number[], values = [1, 2, 3, 4, 5]) {
	let measured = 0;
	const [frames] = await measureParts(
		[async () => [{ ...any, value: values[measured++]! }]],
		async () => ({ late: looks.shift()!, clickMs: 8 }),
		({ value }) => value <= 10,
		() => 0,
	);
	return { measured, kept: frames!.measured[0]!.value, why: frames!.void };
}
const any = { tier: "frames", name: "any", unit: "", reason: "" } as const;

test("frames between two smooth looks are measured once", async () => {
	expect(await measureOn([smooth, smooth])).toEqual({ measured: 1, kept: 1 });
});

test("frames are measured again where what came before or after was not smooth", async () => {
	const looks = [rough, smooth, rough, smooth, smooth];
	expect(await measureOn(looks)).toEqual({ measured: 2, kept: 2 });
});

test("frames over their budget are measured again, and the least is kept", async () => {
	const looks = () => Array<number>(6).fill(smooth);
	expect(await measureOn(looks(), [12, 9])).toEqual({ measured: 2, kept: 9 });
	expect(await measureOn(looks(), [15, 12, 14, 13, 16])).toEqual({ measured: 5, kept: 12 });
});

test("frames wait for a smooth moment", async () => {
	const looks = [...Array<number>(24).fill(rough), smooth, smooth];
	expect(await measureOn(looks)).toEqual({ measured: 1, kept: 1 });
});

test("frames for which none comes are void, and can be read all the same", async () => {
	const found = await measureOn(Array<number>(26).fill(rough));
	expect(found).toMatchObject({ measured: 1, kept: 1 });
	expect(found.why).toContain("100 % of the page's frames were late");
});

test("frames are void where each time what came after was not smooth", async () => {
	const looks = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? smooth : rough));
	expect(await measureOn(looks)).toMatchObject({ measured: 5, kept: 5 });
});

test("allocations are void when the control that allocates is not seen to", async () => {
	const code = await bundleProbe(ROOT, idleControls());
	const rows = await rowsOfAllocations({}, code);
	expect(rows.map(({ verdict }) => verdict)).toEqual(["void", "void", "void"]);
}, 240_000);
