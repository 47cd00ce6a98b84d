/** @module-tag slow */
/**
 * Tests the bench: each planted fault turns its own rows red and no others. Without a fault all
 * stay green.
 */
import type { Plugin } from "vite";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { isSound, readBudgets } from "../../bench/budgets.ts";
import { launchChromium } from "../../bench/harness/browsers/chromium.ts";
import { rowsOfAllocations, rowsOfCounts, rowsOfTimes } from "../../bench/measure.ts";
import { bundleProbe, ROOT } from "../../bench/probe/bundle-probe.ts";
import type { BenchRow } from "../../bench/row.ts";
import {
	extraDrawCall,
	extraDrawCallOnPages,
	extraUniform,
	leakedBuffer,
	objectEachStep,
	slowShaders,
	slowStep,
	uploadEachFrame,
} from "./planted-faults.ts";

const budgets = await readBudgets();
let untouched = "";
beforeAll(async () => {
	untouched = await bundleProbe();
});

const time = (code: string): Promise<BenchRow[]> =>
	rowsOfTimes(budgets, code, { baseCode: untouched, wanted: ["step, Node", "frame, Node"] });

function red(rows: readonly BenchRow[]): string[] {
	const failed = rows.filter(({ verdict }) => verdict === "breach" || verdict === "slower");
	return [
		...new Set(failed.map(({ tier, name }) => (tier === "counts" ? name.split(",")[0]! : name))),
	];
}

const faults: [name: string, edits: Plugin[], rows: string[]][] = [
	["nothing", [], []],
	["a draw call", [extraDrawCall()], ["draw calls"]],
	["an object each step", [objectEachStep()], ["allocated by a step, Node"]],
	["a step of twice the work", [slowStep()], ["step, Node"]],
];

/** Faults visible in counts alone, which are the same on a machine under any load. */
const counted: [name: string, edit: () => Plugin, row: string][] = [
	["a uniform", extraUniform, "uniforms"],
	["an upload each frame", uploadEachFrame, "bytes uploaded"],
	["a leaked GL object", leakedBuffer, "GL objects"],
];

test.each(counted)(
	"with %s planted, exactly its own row of counts is red",
	async (_, edit, row) => {
		const code = await bundleProbe(ROOT, [edit()]);
		expect(red(await rowsOfCounts(budgets, code))).toEqual([row]);
	},
);

test("a draw call in Chromium only is reported as such", async () => {
	const browser = await launchChromium({ graphics: "processor", shell: true });
	onTestFinished(() => browser.close());
	const code = await bundleProbe(ROOT, [extraDrawCallOnPages()]);
	const rows = await rowsOfCounts(budgets, code, browser);
	expect(red(rows)).toEqual(["draw calls"]);
	const disputed = rows.find(({ name }) => name === "draw calls, drift 42")!;
	expect(disputed).toMatchObject({ verdict: "breach", note: "Chromium counts 1800" });
	expect(isSound(disputed), "no limit settles it").toBe(false);
});

/** Times take a minute per fault, and allocations some seconds. */
test.each(faults)("with %s planted, exactly its own row is red", async (_, edits, expected) => {
	const code = edits.length > 0 ? await bundleProbe(ROOT, edits) : untouched;
	const allocates = expected[0]?.startsWith("allocated") ?? false;
	const rows = [
		...(await rowsOfCounts(budgets, code)),
		...(await rowsOfAllocations(budgets, code)),
		// An object per step also costs a fifth of a step, which times would rightly report.
		...(!allocates ? await time(code) : []),
	];
	// Whether 36,000 planted objects trigger a collection is up to V8.
	const found = red(rows).filter((name) => !(allocates && name === "collections"));
	expect(found, JSON.stringify(rows.filter(({ tier }) => tier !== "counts"))).toEqual(expected);
});

test("costlier sphere shaders slow down pictures, which no other row detects", async () => {
	const code = await bundleProbe(ROOT, [slowShaders()]);
	expect(red(await rowsOfCounts(budgets, code))).toEqual([]);
	const wanted = ["picture, Chromium"];
	const rows = await rowsOfTimes(budgets, code, { chromium: true, baseCode: untouched, wanted });
	expect(red(rows), JSON.stringify(rows)).toEqual(wanted);
});
