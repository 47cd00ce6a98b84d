import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { compareWithBudget, readBudgets } from "../../bench/budgets.ts";
import { launchChromium } from "../../bench/harness/browsers/chromium.ts";
import { startCspProxy } from "../../bench/harness/csp-proxy.ts";
import { bundleProbe, REPOSITORY_ROOT } from "../../bench/probe/bundle-probe.ts";
import { formatReport } from "../../bench/report.ts";
import { isFailing, type MeasuredRow } from "../../bench/row.ts";
import { measureBytes } from "../../bench/tiers/bytes.ts";
import { countScenarios, measureCounts } from "../../bench/tiers/counts.ts";
import { isScript, loadPageResponses, measurePages } from "../../bench/tiers/pages.ts";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

const budgets = await readBudgets();
let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium({ graphics: "processor", shell: true });
});

afterAll(() => browser?.close());

function expectWithin(tier: MeasuredRow["tier"], measured: readonly MeasuredRow[]): void {
	const rows = measured.map((row) => compareWithBudget(budgets, row));
	expect(rows.filter(isFailing), formatReport(rows)).toEqual([]);
	const names = measured.map(({ name }) => name).toSorted();
	expect(names).toEqual(Object.keys(budgets[tier].limits).toSorted());
}

test("600 frames of every scenario match their counts", async () => {
	expectWithin(
		"counts",
		measureCounts(await countScenarios(browser, await bundleProbe(), budgets)),
	);
});

test("the engine ships within its byte budgets", async () => {
	expectWithin("bytes", await measureBytes(REPOSITORY_ROOT));
});

test("every page is within its budgets", async () => {
	expectWithin("pages", await measurePages(browser, REPOSITORY_ROOT, budgets));
});

test("only the boot script loads before the page is idle, and it imports nothing statically", async () => {
	const { url } = await startServer({ folder: await temporaryFolder() });
	const front = await startCspProxy(url);
	onTestFinished(front.close);
	const scripts = (await loadPageResponses(browser, front, "/", { application: false })).filter(
		isScript,
	);
	expect(scripts.map(({ path }) => path)).toEqual([expect.stringMatching(/assets\/boot-/)]);
	const code = await readFile(`dist/site${scripts[0]!.path}`, "utf8");
	expect(code).toContain("import(");
	expect(code).not.toMatch(/\bimport\s*["'{*\w]|\bfrom\s*["']/);
});
