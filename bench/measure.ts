/** Each tier as rows, compared with budgets and the base. */
import type { Browser } from "playwright-core";
import { type Budgets, holdAgainst } from "./budgets.ts";
import { writeProbe } from "./probe/run-probe.ts";
import type { BenchRow, Measured } from "./row.ts";
import { format } from "./table.ts";
import {
	type Allocated,
	allocateInChromium,
	allocateInNode,
	countCollections,
	LONG_RUN,
} from "./tiers/allocations.ts";
import { measureBytes } from "./tiers/bytes.ts";
import { countInChromium, countInNode, differences, measureCounts } from "./tiers/counts.ts";
import { type FramesPart, measureFrames } from "./tiers/frames.ts";
import { measureRoutes } from "./tiers/routes.ts";
import { compareTimes, TIMED, type TimedRow } from "./tiers/times.ts";

function beside(row: BenchRow, base: readonly Measured[] | undefined): BenchRow {
	const found = base?.find(({ name }) => name === row.name);
	return found ? { ...row, base: found.value } : row;
}

async function withProbe<Result>(
	code: string,
	use: (probe: Awaited<ReturnType<typeof writeProbe>>) => Promise<Result>,
): Promise<Result> {
	const probe = await writeProbe({ bundle: code });
	try {
		return await use(probe);
	} finally {
		probe.remove();
	}
}

/** Counts in Node. With a browser, Chromium must count the same. */
export async function rowsOfCounts(
	budgets: Budgets,
	code: string,
	browser?: Browser,
	baseCode?: string,
): Promise<BenchRow[]> {
	const counts = await withProbe(code, countInNode);
	const base = baseCode === undefined ? undefined : await withProbe(baseCode, countInNode);
	const apart = browser
		? differences(counts, await countInChromium(browser, code))
		: new Map<string, string>();
	return measureCounts(counts).map((measured) => {
		const row = beside(holdAgainst(budgets, measured), base && measureCounts(base));
		const note = apart.get(row.name);
		return note === undefined ? row : { ...row, verdict: "breach" as const, note, disputed: true };
	});
}

/** Bytes of the engine's files. With a browser, also of first visits to each page. */
export async function rowsOfBytes(
	budgets: Budgets,
	tree: string,
	{ browser, baseTree }: { browser?: Browser; baseTree?: string | undefined } = {},
): Promise<BenchRow[]> {
	const weigh = async (of: string) => [
		...(await measureBytes(of)),
		...(browser ? await measureRoutes(browser, of) : []),
	];
	const base = baseTree === undefined ? undefined : await weigh(baseTree);
	return (await weigh(tree)).map((row) => beside(holdAgainst(budgets, row), base));
}

/** Valid size of the control's object: 16 bytes with compressed pointers, 32 without. */
const OBJECT = { least: 15, most: 64 };

function describeAllocated({ object, step, frame }: Allocated, where: string): Measured[] {
	const shared = { tier: "allocations" as const, unit: "objects of the control" };
	return [
		{
			...shared,
			name: `allocated by a step, ${where}`,
			value: Math.max(0, step / object),
			reason: "none: births that run before they are compiled box a few numbers",
			margin: { times: 1, least: 0.25 },
		},
		{
			...shared,
			name: `allocated by a frame, ${where}`,
			value: Math.max(0, frame / object),
			reason: "a frame without its steps: the numbers that closures keep are boxed",
			margin: { times: 2, least: 0.25 },
		},
	];
}

/** Allocations in units of the control's object. Void if its size is unexpected. */
export async function rowsOfAllocations(
	budgets: Budgets,
	code: string,
	{ chromium = false, baseCode }: { chromium?: boolean; baseCode?: string | undefined } = {},
): Promise<BenchRow[]> {
	const places: [string, (code: string) => Promise<Allocated>][] = [
		["Node", (script) => withProbe(script, allocateInNode)],
	];
	if (chromium) places.push(["Chromium", allocateInChromium]);
	const rows: BenchRow[] = [];
	for (const [where, allocate] of places) {
		const allocated = await allocate(code);
		const base =
			baseCode === undefined ? undefined : describeAllocated(await allocate(baseCode), where);
		const { object } = allocated;
		const fit = object >= OBJECT.least && object <= OBJECT.most;
		for (const measured of describeAllocated(allocated, where)) {
			const row = beside(holdAgainst(budgets, measured), base);
			const bytes = `${format(measured.value * object)} bytes; the control's object ${format(object)}`;
			rows.push({
				...row,
				...(!fit && { verdict: "void" as const }),
				note: row.note ? `${row.note}; ${bytes}` : bytes,
			});
		}
	}
	return [...rows, await rowOfCollections(budgets, code)];
}

async function rowOfCollections(budgets: Budgets, code: string): Promise<BenchRow> {
	const { steps, control } = await withProbe(code, countCollections);
	const row = holdAgainst(budgets, {
		tier: "allocations",
		name: "collections",
		value: steps,
		unit: `in ${format(LONG_RUN)} steps`,
		reason: "none: ten minutes make less garbage than one nursery holds",
	});
	return control > 0
		? row
		: { ...row, verdict: "void", note: "the control collected nothing either" };
}

/**
 * With a base the verdict is on the ratio. Without one the engine is timed against itself, which
 * shows whether the machine can measure, and against its budget.
 */
export async function rowsOfTimes(
	budgets: Budgets,
	code: string,
	{
		chromium = false,
		baseCode,
		wanted,
	}: { chromium?: boolean; baseCode?: string | undefined; wanted?: readonly string[] } = {},
): Promise<BenchRow[]> {
	const timed = await compareTimes({ base: baseCode ?? code, subject: code }, chromium, wanted);
	return timed.map((time) => rowOfTime(budgets, time, baseCode !== undefined));
}

/** @param compared whether the base is a different engine */
export function rowOfTime(budgets: Budgets, time: TimedRow, compared: boolean): BenchRow {
	const { name, us, baseUs, verdict, ratio, control, processes } = time;
	const { unit, reason } = TIMED[name]!;
	const measured = {
		tier: "times" as const,
		name,
		value: us,
		unit,
		reason,
		margin: { times: 3, least: 0 },
	};
	const equal = `${control.median.toFixed(3)} [${control.low.toFixed(3)}, ${control.high.toFixed(3)}]`;
	const note = `equal arms ${equal}, ${processes} processes`;
	if (compared) return { ...measured, verdict, ratio, base: baseUs, note };
	const row = holdAgainst(budgets, measured);
	return {
		...row,
		...(verdict === "void" && { verdict }),
		note: row.note ? `${row.note}; ${note}` : note,
	};
}

export async function rowsOfFrames(
	budgets: Budgets,
	browser: Browser,
	url: string,
): Promise<BenchRow[]> {
	const isWithin = (measured: Measured) => holdAgainst(budgets, measured).verdict !== "breach";
	return judgeFrames(budgets, await measureFrames(browser, url, isWithin));
}

export function judgeFrames(budgets: Budgets, frames: readonly FramesPart[]): BenchRow[] {
	return frames.flatMap(({ measured, void: why }) =>
		measured.map((each) => {
			const row = holdAgainst(budgets, each);
			return why === undefined ? row : { ...row, verdict: "void" as const, note: why };
		}),
	);
}
