/** A void measurement never passes and never fails. */
import { expect, test } from "vitest";
import { judgeFrames, rowOfTime, rowsOfAllocations } from "../../bench/measure.ts";
import { bundleProbe, ROOT } from "../../bench/probe/bundle-probe.ts";
import { measureParts, unfit } from "../../bench/tiers/frames.ts";
import type { TimedRow } from "../../bench/tiers/times.ts";
import { idleControls } from "./planted-faults.ts";

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

test("a time beside a base is judged by its ratio, and alone by its budget", () => {
	expect(rowOfTime(budgets(50), time, true)).toMatchObject({ verdict: "slower", base: 3 });
	expect(rowOfTime(budgets(50), { ...time, verdict: "as fast" }, false).verdict).toBe("within");
	expect(rowOfTime(budgets(5), { ...time, verdict: "as fast" }, false).verdict).toBe("breach");
});

test("frames are void where a cleared canvas is not smooth, or the host takes much", () => {
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

const [smooth, rough] = [0, 1];
const any = { tier: "frames", unit: "", reason: "" } as const;

/**
 * Measures parts of two rows on a machine on which the control's looks are these, one after the other.
 * Values up to 10 are within budget. Returns for each part how often it was measured, and its rows.
 */
async function measureOn(looks: number[], parts: (readonly [number, number])[][], stolen = [0]) {
	const measured = parts.map(() => 0);
	const frames = await measureParts(
		parts.map((values, part) => async () => {
			const [a, b] = values[Math.min(measured[part]!++, values.length - 1)]!;
			return [
				{ ...any, name: "a", value: a },
				{ ...any, name: "b", value: b },
			];
		}),
		async () => ({ late: looks.length > 1 ? looks.shift()! : looks[0]!, clickMs: 8, pictures: 60 }),
		({ value }) => value <= 10,
		() => (stolen.length > 1 ? stolen.shift()! : stolen[0]!),
	);
	return frames.map(({ measured: rows, void: why }, part) => ({
		times: measured[part],
		rows: rows.map(({ value }) => value),
		isVoid: why !== undefined,
	}));
}

test("frames between two smooth looks are measured once", async () => {
	const found = await measureOn([smooth], [[[1, 2]], [[3, 4]]]);
	expect(found).toEqual([
		{ times: 1, rows: [1, 2], isVoid: false },
		{ times: 1, rows: [3, 4], isVoid: false },
	]);
});

test("frames are measured again where the look before or after was not smooth", async () => {
	const looks = [rough, smooth, rough, smooth, smooth];
	const values = [
		[12, 12],
		[2, 3],
	] as const;
	expect(await measureOn(looks, [[...values]])).toEqual([
		{ times: 2, rows: [2, 3], isVoid: false },
	]);
	const stolen = [0, 0.2, 0, 0];
	expect(await measureOn([smooth], [[...values]], stolen)).toMatchObject([
		{ times: 2, isVoid: false },
	]);
});

test("frames over their budget are judged by the medians of three measurements, row by row", async () => {
	const found = await measureOn(
		[smooth],
		[
			[
				[12, 1],
				[9, 12],
				[8, 3],
			],
			[
				[1, 12],
				[1, 9],
				[1, 11],
			],
		],
	);
	expect(found).toEqual([
		{ times: 3, rows: [9, 3], isVoid: false },
		{ times: 3, rows: [1, 11], isVoid: false },
	]);
});

test("frames over their budget are no breach before three clean measurements", async () => {
	const looks = [...Array<number>(2).fill(smooth), ...Array<number>(30).fill(rough)];
	expect(await measureOn(looks, [[[12, 12]]])).toMatchObject([{ times: 3, isVoid: true }]);
});

test("frames wait for a smooth moment, but not for each part anew", async () => {
	const looks = [...Array<number>(24).fill(rough), smooth, smooth, rough];
	expect(await measureOn(looks, [[[1, 2]], [[3, 4]]])).toMatchObject([
		{ times: 1, isVoid: false },
		{ times: 1, rows: [3, 4], isVoid: true },
	]);
});

test("frames are void where each look after them was not smooth", async () => {
	const looks = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? smooth : rough));
	expect(await measureOn(looks, [[[1, 2]]])).toMatchObject([{ times: 5, isVoid: true }]);
});

test("allocations are void when the control is not seen to allocate", {
	tags: "slow",
}, async () => {
	const code = await bundleProbe(ROOT, idleControls());
	const rows = await rowsOfAllocations({}, code);
	expect(rows.map(({ verdict }) => verdict)).toEqual(["void", "void", "void"]);
});
