/** @module-tag slow */
import type { Browser } from "playwright-core";
import type { Plugin } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareWithBudget, readBudgets } from "../../bench/budgets.ts";
import { launchChromium } from "../../bench/harness/browsers/chromium.ts";
import { bundleProbe, REPOSITORY_ROOT } from "../../bench/probe/bundle-probe.ts";
import { isFailing, type Row } from "../../bench/row.ts";
import { measureAllocations } from "../../bench/tiers/allocations.ts";
import { countScenarios, explainCountChange, measureCounts } from "../../bench/tiers/counts.ts";
import { BENCH_V8_FLAGS, compareCpuTimes } from "../../bench/tiers/times.ts";
import {
	addStateChange,
	allocatePerParticle,
	slowShaders,
	tripleStepWork,
} from "./planted-faults.ts";

const budgets = await readBudgets();
let browser: Browser;
let untouched = "";

beforeAll(async () => {
	browser = await launchChromium({
		graphics: "software",
		shell: true,
		engineFlags: BENCH_V8_FLAGS,
	});
	untouched = await bundleProbe();
});
afterAll(() => browser?.close());

const faults: [name: string, edits: Plugin[], red: string[]][] = [
	["nothing", [], []],
	["a state change per frame", [addStateChange()], ["counts: state changes"]],
	["an object per particle", [allocatePerParticle()], ["allocations: step"]],
	["a step of three times the work", [tripleStepWork()], ["times: step"]],
	["a heavier shader", [slowShaders()], ["times: picture"]],
];

test.each(faults)("planting %s turns exactly its own row red", async (_, edits, expected) => {
	const subject = edits.length > 0 ? await bundleProbe(REPOSITORY_ROOT, edits) : untouched;
	const measured = [
		...measureCounts(await countScenarios(browser, subject, budgets)),
		...(await measureAllocations(browser, subject)),
	];
	const rows: Row[] = measured.map((row) => compareWithBudget(budgets, row));
	// Skips time rows if a fault allocates: allocation takes time, so they may turn red, too.
	if (!expected.includes("allocations: step")) {
		rows.push(...(await compareCpuTimes(browser, { base: untouched, subject }, () => {})));
	}
	const red = rows.filter(isFailing).map(({ tier, name }) => `${tier}: ${name}`);
	expect(red, JSON.stringify(rows)).toEqual(expected);
});

test("names the WebGL methods of a count that moved", async () => {
	const code = await bundleProbe(REPOSITORY_ROOT, [addStateChange()]);
	const [base, played] = [
		await countScenarios(browser, untouched, budgets),
		await countScenarios(browser, code, budgets),
	];
	expect(explainCountChange("state changes", played, base)).toBe("depthMask +1 per frame");
	expect(explainCountChange("draw calls", played, base)).toBeUndefined();
});
