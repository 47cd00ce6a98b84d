import { join } from "node:path";
import { expect, test } from "vitest";
import { readBudgets } from "../../bench/budgets.ts";
import { bundleProbe, ROOT } from "../../bench/bundle-probe.ts";
import { judgeInstructions, rowsOfInstructions } from "../../bench/measure.ts";
import { findValgrind, readCollected } from "../../bench/tiers/instructions.ts";
import { sized } from "../sized.ts";
import { slowStep } from "./edit.ts";

const budgets = {
	"instructions of a step": { limit: 100, unit: "instructions", reason: "any" },
	"instructions of a frame": { limit: 1000, unit: "instructions", reason: "any" },
};

test("instructions are held against their budgets, and stand beside their base", () => {
	const base = { step: [50, 50], frame: [900, 900] } as const;
	const rows = judgeInstructions(budgets, { step: [90, 91], frame: [1100, 1101] }, base);
	expect(rows).toMatchObject([
		{ value: 91, verdict: "within", base: 50 },
		{ value: 1101, verdict: "breach", base: 900 },
	]);
});

test("where two counts of the same run are apart, they are void, over their budget or not", () => {
	const rows = judgeInstructions(budgets, { step: [93, 91], frame: [1100, 1140] });
	expect(rows.map(({ verdict }) => verdict)).toEqual(["void", "void"]);
	expect(rows[0]!.note).toBe("two counts are 2.2 % apart");
});

test("callgrind's count is read from its log, and a log without one is an error with it", () => {
	expect(readCollected("==7== Events    : Ir\n==7== Collected : 728024586\n")).toBe(728_024_586);
	expect(() => readCollected("==7== valgrind: Unrecognised instruction")).toThrow(
		"Callgrind counted nothing:\n==7== valgrind: Unrecognised instruction",
	);
});

/** Each takes two minutes: for `npm run test:full`. */
const counted = sized(
	[],
	[
		{ fault: "nothing", edits: [], expected: [] },
		{
			fault: "a step of twice the work",
			edits: [slowStep()],
			expected: ["instructions of a step"],
		},
	],
);

test.each(counted)(
	"with $fault planted, exactly its instructions are red",
	async ({ edits, expected }) => {
		const valgrind = await findValgrind();
		const kept = await readBudgets(join(ROOT, "bench/budgets.json"));
		const rows = await rowsOfInstructions(kept, await bundleProbe(ROOT, edits), { valgrind });
		const red = rows.filter(({ verdict }) => verdict !== "within").map(({ name }) => name);
		expect(red, JSON.stringify(rows)).toEqual(expected);
	},
	600_000,
);
