import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BudgetRow, MeasuredRow } from "./row.ts";

interface Table {
	readonly columns: readonly string[];
	readonly limits: Readonly<Record<string, readonly number[]>>;
	/** Bytes of the brand's words and fonts in each limit. If they grow, the limit grows as much. */
	readonly own?: Readonly<Record<string, number>>;
	readonly reasons: Readonly<Record<string, string>>;
}

export type Budgets = Readonly<Record<MeasuredRow["tier"], Table>>;

const FILE = fileURLToPath(new URL("budgets.json", import.meta.url));

export async function readBudgets(file = FILE): Promise<Budgets> {
	try {
		const tables = JSON.parse(await readFile(file, "utf8")) as Record<string, Table>;
		for (const { columns, limits, reasons } of Object.values(tables)) {
			for (const [name, row] of Object.entries(limits)) {
				if (!reasons[name]) throw new Error(`"${name}" has no reason`);
				if (row.length !== columns.length || !row.every(Number.isFinite)) {
					throw new Error(`"${name}" must have ${columns.length} limits: ${columns.join(", ")}`);
				}
			}
		}
		return tables as Budgets;
	} catch (error) {
		throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
	}
}

/**
 * In the tier `counts`, values must equal their limits: a higher limit would hide the next increase.
 * @throws Error if the row has no budget
 */
export function compareWithBudget(budgets: Budgets, measured: MeasuredRow): BudgetRow {
	const { tier, name, values, own = [] } = measured;
	const table = budgets[tier];
	const row = table.limits[name];
	if (!row) throw new Error(`budgets.json has no row "${name}" in its table "${tier}".`);
	const included = table.own?.[name] ?? 0;
	const limits = row.map((limit, i) => limit + Math.max(0, (own[i] ?? 0) - included));
	const fits = values.every((value, i) =>
		tier === "counts" ? value === limits[i] : value <= limits[i]!,
	);
	return { ...measured, columns: table.columns, limits, verdict: fits ? "within" : "over" };
}

export function updateBudgets(budgets: Budgets, measurements: readonly MeasuredRow[]): Budgets {
	const updated: Record<string, Table> = { ...budgets };
	for (const { tier, name, values } of measurements) {
		const table = updated[tier]!;
		updated[tier] = { ...table, limits: { ...table.limits, [name]: values } };
	}
	return updated as Budgets;
}

/** Writes each row on one line, so that a diff shows which rows changed. */
export async function writeBudgets(budgets: Budgets, file = FILE): Promise<void> {
	const text = JSON.stringify(budgets, null, "\t").replace(/\[[^\]]*\]/g, (list) =>
		list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
	);
	await writeFile(file, `${text}\n`);
}
