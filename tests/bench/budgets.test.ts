import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readBudgets } from "../../bench/budgets.ts";
import { bundleProbe, ROOT } from "../../bench/bundle-probe.ts";
import { launchChromium } from "../../bench/harness/browsers/chromium.ts";
import { rowsOfBytes, rowsOfCounts } from "../../bench/measure.ts";
import { writeTable } from "../../bench/table.ts";

const budgets = await readBudgets(join(ROOT, "bench/budgets.json"));
let code = "";
beforeAll(async () => {
	code = await bundleProbe();
}, 120_000);

test("600 frames of every scenario cost what their budgets say, in Node and in Chromium", async () => {
	const browser = await launchChromium({ graphics: "processor" });
	try {
		const rows = await rowsOfCounts(budgets, code, browser);
		const off = rows.filter(({ verdict }) => verdict !== "within");
		expect(off, `${writeTable(rows)}\nnpm run bench -- --only counts --update`).toEqual([]);
	} finally {
		await browser.close();
	}
}, 240_000);

test("every count has a budget, and every budget of a count is measured", async () => {
	const rows = await rowsOfCounts(budgets, code);
	const kept = Object.entries(budgets).filter(([, { unit }]) => unit.endsWith("in 600 frames"));
	expect(rows.map(({ name }) => name).sort()).toEqual(kept.map(([name]) => name).sort());
});

test("the engine ships no more bytes than its budgets say", async () => {
	const rows = await rowsOfBytes(budgets, ROOT);
	const off = rows.filter(({ verdict }) => verdict !== "within");
	expect(off, `${writeTable(rows)}\nnpm run bench -- --only bytes --update`).toEqual([]);
});
