import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	type Budgets,
	compareWithBudget,
	readBudgets,
	updateBudgets,
	writeBudgets,
} from "../../bench/budgets.ts";
import type { MeasuredRow } from "../../bench/row.ts";

let folder = "";
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "budget-"));
});
afterAll(() => rm(folder, { recursive: true }));

const budgets = {
	counts: {
		columns: ["drift", "both"],
		limits: { calls: [12, 20] },
		reasons: { calls: "two each" },
	},
	pages: { columns: ["/"], limits: { bytes: [12] }, own: { bytes: 5 }, reasons: { bytes: "few" } },
} as unknown as Budgets;
const calls = (...values: number[]): MeasuredRow => ({ tier: "counts", name: "calls", values });
const bytes = (value: number, own: number): MeasuredRow => ({
	tier: "pages",
	name: "bytes",
	values: [value],
	own: [own],
});

test("counts must match exactly, bytes may be fewer", () => {
	expect(compareWithBudget(budgets, calls(12, 20)).verdict).toBe("within");
	expect(compareWithBudget(budgets, calls(12, 21)).verdict).toBe("over");
	expect(compareWithBudget(budgets, calls(11, 20)).verdict).toBe("over");
	expect(compareWithBudget(budgets, bytes(11, 5)).verdict).toBe("within");
	expect(compareWithBudget(budgets, bytes(13, 5)).verdict).toBe("over");
});

test("extra bytes of another brand raise a limit, and fewer bytes never lower it", () => {
	expect(compareWithBudget(budgets, bytes(15, 8))).toMatchObject({
		verdict: "within",
		limits: [15],
	});
	expect(compareWithBudget(budgets, bytes(16, 8)).verdict).toBe("over");
	expect(compareWithBudget(budgets, bytes(12, 2))).toMatchObject({
		verdict: "within",
		limits: [12],
	});
});

test("a row without a budget is an error that names it", () => {
	expect(() => compareWithBudget(budgets, { ...calls(1, 1), name: "loops" })).toThrow(
		'budgets.json has no row "loops" in its table "counts".',
	);
});

test("an update changes limits and keeps everything else", async () => {
	const file = join(folder, "budgets.json");
	await writeBudgets(updateBudgets(budgets, [calls(13, 20)]), file);
	const read = await readBudgets(file);
	expect(read.counts).toEqual({ ...budgets.counts, limits: { calls: [13, 20] } });
	expect(read.pages).toEqual(budgets.pages);
});

test("the budgets are formatted as an update writes them", async () => {
	const file = join(folder, "copy.json");
	await writeBudgets(await readBudgets(), file);
	expect(await readFile("bench/budgets.json", "utf8")).toBe(await readFile(file, "utf8"));
});

test.each([
	["broken JSON", "{", "budgets.json: "],
	["too few limits", '{"a":{"columns":["b","c"],"limits":{"d":[1]},"reasons":{"d":"e"}}}', "b, c"],
	["no reason", '{"a":{"columns":["b"],"limits":{"d":[1]},"reasons":{}}}', '"d" has no reason'],
])("refuses a file with %s", async (_, text, complaint) => {
	const file = join(folder, "budgets.json");
	await writeFile(file, text);
	await expect(readBudgets(file)).rejects.toThrow(complaint);
});
