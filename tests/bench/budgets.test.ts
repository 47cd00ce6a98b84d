import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holdAgainst, readBudgets, updateBudgets, writeBudgets } from "../../bench/budgets.ts";
import type { Measured } from "../../bench/row.ts";

let folder = "";
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "budget-"));
});
afterAll(() => rm(folder, { recursive: true }));

const count: Measured = {
	tier: "counts",
	name: "calls",
	value: 12,
	unit: "calls",
	reason: "two each",
};
const budget = (limit: number) => ({ calls: { limit, unit: "calls", reason: "as agreed" } });

test("one call over budget is a breach that reports the excess", () => {
	expect(holdAgainst(budget(11), count)).toMatchObject({
		verdict: "breach",
		limit: 11,
		note: "at most 11, off by +1",
	});
});

test("less than the budget passes, with a note that the budget could be tighter", () => {
	const row = holdAgainst(budget(13), count);
	expect(row).toMatchObject({ verdict: "within", note: expect.stringContaining("--update") });
});

test("less than a goal gets no note, and an update keeps the goal", () => {
	const measured = { ...count, goal: true };
	expect(holdAgainst(budget(13), measured)).not.toHaveProperty("note");
	expect(updateBudgets(budget(13), [measured])).toEqual(budget(13));
	expect(holdAgainst(budget(11), measured).verdict).toBe("breach");
});

test("another brand's extra bytes raise a budget, fewer never lower it", () => {
	const budgets = { calls: { ...budget(12).calls, own: 5 } };
	const weighs = (value: number, own: number) =>
		holdAgainst(budgets, { ...count, goal: true, value, own });
	expect(weighs(15, 8)).toMatchObject({ verdict: "within", limit: 15 });
	expect(weighs(16, 8)).toMatchObject({ verdict: "breach", note: "at most 15, off by +1" });
	expect(weighs(12, 2)).toMatchObject({ verdict: "within", limit: 12 });
});

test("an update writes exact counts, times with their margin, and keeps reasons and other budgets", async () => {
	const file = join(folder, "budgets.json");
	const time: Measured = {
		tier: "frames",
		name: "click",
		value: 17,
		unit: "ms",
		reason: "GPU",
		margin: { times: 3, least: 16 },
	};
	const before = {
		...budget(99),
		"route /": { limit: 7, own: 2, unit: "bytes", reason: "a page" },
	};
	await writeBudgets(updateBudgets(before, [count, time]), file);
	expect(await readBudgets(file)).toEqual({
		calls: { limit: 12, unit: "calls", reason: "as agreed" },
		click: { limit: 51, unit: "ms", reason: "GPU" },
		"route /": { limit: 7, own: 2, unit: "bytes", reason: "a page" },
	});
	expect(await readFile(file, "utf8")).toMatch(/^\{\n\t"calls": \{\n\t\t"limit": 12,/);
});

test.each([
	["no JSON", "{", "cannot be read as JSON"],
	["a list", "[]", "must hold an object"],
	[
		"a limit in words",
		'{"a":{"limit":"7","unit":"","reason":""}}',
		'"a" must have a number "limit"',
	],
	["no reason", '{"a":{"limit":7,"unit":""}}', '"a" must have a number "limit"'],
	["nothing", '{"a":null}', '"a" must have a number "limit"'],
])("refuses a file with %s", async (_, text, complaint) => {
	const file = join(folder, "bad.json");
	await writeFile(file, text);
	await expect(readBudgets(file)).rejects.toThrow(complaint);
});
