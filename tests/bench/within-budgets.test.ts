import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readBudgets } from "../../bench/budgets.ts";
import { launchChromium } from "../../bench/harness/browsers/chromium.ts";
import { startFront } from "../../bench/harness/front.ts";
import { rowsOfBytes, rowsOfCounts } from "../../bench/measure.ts";
import { bundleProbe, ROOT } from "../../bench/probe/bundle-probe.ts";
import { writeTable } from "../../bench/table.ts";
import { fetchedBy, isScript } from "../../bench/tiers/routes.ts";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

const budgets = await readBudgets();
let code = "";
let browser: Browser;

beforeAll(async () => {
	code = await bundleProbe();
	browser = await launchChromium({ graphics: "processor", shell: true });
});

afterAll(() => browser?.close());

test("600 frames of every scenario match their budgets, in Node and in Chromium", async () => {
	const rows = await rowsOfCounts(budgets, code, browser);
	const off = rows.filter(({ verdict }) => verdict !== "within");
	expect(off, `${writeTable(rows)}\nnpm run bench -- --only counts --update`).toEqual([]);
});

test("every count has a budget, and every count budget is measured", async () => {
	const rows = await rowsOfCounts(budgets, code);
	const kept = Object.entries(budgets).filter(([, { unit }]) => unit.endsWith("in 600 frames"));
	expect(rows.map(({ name }) => name).sort()).toEqual(kept.map(([name]) => name).sort());
});

test("the engine ships within its byte budgets", async () => {
	const rows = await rowsOfBytes(budgets, ROOT);
	const off = rows.filter(({ verdict }) => verdict !== "within");
	expect(off, `${writeTable(rows)}\nnpm run bench -- --only bytes --update`).toEqual([]);
});

test("every route is within its budgets, and every budget has its route", async () => {
	const rows = await rowsOfBytes(budgets, ROOT, { browser });
	const off = rows.filter(({ verdict }) => verdict !== "within");
	expect(off, writeTable(rows)).toEqual([]);
	const measured = rows.map(({ name }) => name).filter((name) => name.startsWith("route "));
	const limited = Object.keys(budgets).filter((name) => name.startsWith("route "));
	expect(limited.toSorted()).toEqual(measured.toSorted());
});

test("only the boot script loads before the page is idle, and it imports nothing statically", async () => {
	const { url } = await startServer({ folder: await temporaryFolder() });
	const front = await startFront(url);
	onTestFinished(front.close);
	const scripts = (await fetchedBy(browser, front, "/", { application: false })).filter(isScript);
	expect(scripts.map(({ path }) => path)).toEqual([expect.stringMatching(/assets\/boot-/)]);
	const code = await readFile(`dist/site${scripts[0]!.path}`, "utf8");
	expect(code).toContain("import(");
	expect(code).not.toMatch(/\bimport\s*["'{*\w]|\bfrom\s*["']/);
});
