import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BenchRow, Measured } from "./row.ts";
import { format } from "./table.ts";

export interface Budget {
	readonly limit: number;
	readonly unit: string;
	readonly reason: string;
	/**
	 * Bytes of the limit taken by the brand's own words and fonts. A heavier brand raises the limit
	 * by the difference.
	 */
	readonly own?: number;
}

export type Budgets = Readonly<Record<string, Budget>>;

const FILE = fileURLToPath(new URL("budgets.json", import.meta.url));

/** @throws Error with a sentence that names the file and its mistake */
export async function readBudgets(file = FILE): Promise<Budgets> {
	let value: unknown;
	try {
		value = JSON.parse(await readFile(file, "utf8"));
	} catch (error) {
		throw new Error(
			`${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}`,
		);
	}
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		throw new Error(`${file} must hold an object of budgets by name.`);
	}
	for (const [name, budget] of Object.entries(value as Record<string, Partial<Budget> | null>)) {
		const { limit, unit, reason } = budget ?? {};
		const fits = Number.isFinite(limit) && [unit, reason].every((text) => typeof text === "string");
		if (!fits) {
			throw new Error(`${file}: "${name}" must have a number "limit", a "unit" and a "reason".`);
		}
	}
	return value as Budgets;
}

export function holdAgainst(budgets: Budgets, measured: Measured): BenchRow {
	const { name, value, equal = false } = measured;
	const budget = budgets[name];
	if (!budget) {
		const note = "no budget yet: run --update";
		return { ...measured, verdict: measured.margin === undefined ? "breach" : "cannot tell", note };
	}
	const limit = budget.limit + Math.max(0, (measured.own ?? 0) - (budget.own ?? 0));
	const off = value - limit;
	const row = { ...measured, limit };
	if (off > 0 || (equal && off !== 0)) {
		return {
			...row,
			verdict: "breach",
			note: `${equal ? "must be" : "at most"} ${format(limit)}, off by ${off > 0 ? "+" : ""}${format(off)}`,
		};
	}
	// A limit above the measured count would hide the next growth.
	const note =
		off < 0 && measured.margin === undefined && !measured.goal
			? `the limit ${format(limit)} could be tighter: run --update`
			: undefined;
	return { ...row, verdict: "within", ...(note && { note }) };
}

/** Whether a row can set a limit: void rows were not measured, disputed ones have no known value. */
export function isSound({ verdict, disputed }: BenchRow): boolean {
	return verdict !== "void" && !disputed;
}

/** Updates limits: counts as measured, times with their margin. Goals and reasons stay. */
export function updateBudgets(budgets: Budgets, measurements: readonly Measured[]): Budgets {
	const updated: Record<string, Budget> = { ...budgets };
	for (const { name, value, unit, reason, goal, margin } of measurements) {
		if (goal && budgets[name]) continue;
		const limit =
			margin === undefined ? value : roundUp(Math.max(value, margin.least) * margin.times);
		updated[name] = { limit, unit, reason: budgets[name]?.reason ?? reason };
	}
	return updated;
}

export async function writeBudgets(budgets: Budgets, file = FILE): Promise<void> {
	const lines = Object.entries(budgets).map(
		([name, { limit, own, unit, reason }]) =>
			`\t${JSON.stringify(name)}: {\n\t\t"limit": ${limit},${own === undefined ? "" : `\n\t\t"own": ${own},`}\n\t\t"unit": ${JSON.stringify(unit)},\n\t\t"reason": ${JSON.stringify(reason)}\n\t}`,
	);
	await writeFile(file, `{\n${lines.join(",\n")}\n}\n`);
}

/** Rounds up to two significant digits. Zero and negative noise become 0. */
function roundUp(value: number): number {
	if (value <= 0) return 0;
	const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
	return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(2));
}
