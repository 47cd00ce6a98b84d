import type { Browser } from "playwright-core";
import { type Budgets, compareWithBudget, readBudgets } from "./budgets.ts";
import { bundleProbe } from "./probe/bundle-probe.ts";
import { type BudgetRow, type MeasuredRow, type Row, TIERS, type Tier } from "./row.ts";
import { measureAllocations } from "./tiers/allocations.ts";
import { measureBytes } from "./tiers/bytes.ts";
import { countScenarios, explainCountChange, measureCounts } from "./tiers/counts.ts";
import { measurePages } from "./tiers/pages.ts";
import { compareCpuTimes } from "./tiers/times.ts";

interface Subject {
	readonly tree: string;
	readonly code: string;
}

interface Run {
	readonly browser: Browser;
	readonly budgets: Budgets;
	readonly now: Subject;
	readonly base: Subject | undefined;
	progress(text: string): void;
}

/** @param browser launched with `BENCH_V8_FLAGS` */
export async function measureTiers(
	browser: Browser,
	tiers: readonly Tier[],
	trees: { now: string; base: string | undefined },
	progress: (text: string) => void,
): Promise<Row[]> {
	const bundled = async (tree: string) => ({ tree, code: await bundleProbe(tree) });
	const run: Run = {
		browser,
		budgets: await readBudgets(),
		now: await bundled(trees.now),
		base: trees.base === undefined ? undefined : await bundled(trees.base),
		progress,
	};
	const rows: Row[] = [];
	for (const tier of TIERS.filter((each) => tiers.includes(each))) {
		progress(`Measuring ${tier}`);
		rows.push(...(await MEASURE[tier](run)));
	}
	return rows;
}

const MEASURE: Readonly<Record<Tier, (run: Run) => Promise<Row[]>>> = {
	async counts({ browser, budgets, now, base }) {
		const played = await countScenarios(browser, now.code, budgets);
		const others = base && (await countScenarios(browser, base.code, budgets));
		return hold(budgets, measureCounts(played), others && measureCounts(others)).map((row) => {
			const note = others && explainCountChange(row.name, played, others);
			return note === undefined ? row : { ...row, note };
		});
	},
	bytes: (run) => compare(run, ({ tree }) => measureBytes(tree)),
	pages: (run) => compare(run, ({ tree }) => measurePages(run.browser, tree, run.budgets)),
	allocations: (run) => compare(run, ({ code }) => measureAllocations(run.browser, code)),
	async times({ browser, now, base, progress }) {
		if (!base) return [];
		return await compareCpuTimes(browser, { base: base.code, subject: now.code }, (pair, of) =>
			progress(`Measuring times, pair ${pair} of ${of}`),
		);
	},
};

async function compare(
	{ budgets, now, base }: Run,
	of: (subject: Subject) => Promise<MeasuredRow[]>,
): Promise<BudgetRow[]> {
	return hold(budgets, await of(now), base && (await of(base)));
}

function hold(
	budgets: Budgets,
	now: readonly MeasuredRow[],
	base?: readonly MeasuredRow[],
): BudgetRow[] {
	return now.map((row) => {
		const other = base?.find(({ name }) => name === row.name);
		return { ...compareWithBudget(budgets, row), ...(other && { base: other.values }) };
	});
}
