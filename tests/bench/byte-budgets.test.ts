import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readBudgets } from "../../bench/budgets.ts";
import { ROOT } from "../../bench/bundle-probe.ts";
import { launchChromium } from "../../bench/harness/browsers/chromium.ts";
import { startFront } from "../../bench/harness/front.ts";
import { rowsOfBytes } from "../../bench/measure.ts";
import { writeTable } from "../../bench/table.ts";
import { fetchedBy, isScript } from "../../bench/tiers/routes.ts";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium({ graphics: "processor" });
});

afterAll(() => browser?.close());

test("every route keeps its budgets, and every budget has its route", async () => {
	const budgets = await readBudgets(join(ROOT, "bench/budgets.json"));
	const rows = await rowsOfBytes(budgets, ROOT, { browser });
	const off = rows.filter(({ verdict }) => verdict !== "within");
	expect(off, writeTable(rows)).toEqual([]);
	const measured = rows.map(({ name }) => name).filter((name) => name.startsWith("route "));
	const limited = Object.keys(budgets).filter((name) => name.startsWith("route "));
	expect(limited.toSorted()).toEqual(measured.toSorted());
}, 240_000);

test("the boot script is the only one before the page is idle, and imports nothing statically", async () => {
	const { url } = await startServer({ folder: await temporaryFolder() });
	const front = await startFront(url);
	onTestFinished(front.close);
	const scripts = (await fetchedBy(browser, front, "/", { application: false })).filter(isScript);
	expect(scripts.map(({ path }) => path)).toEqual([expect.stringMatching(/assets\/boot-/)]);
	const code = await readFile(`dist/site${scripts[0]!.path}`, "utf8");
	expect(code).toContain("import(");
	expect(code).not.toMatch(/\bimport\s*["'{*\w]|\bfrom\s*["']/);
});
