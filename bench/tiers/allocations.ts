import type { Browser } from "playwright-core";
import type { MeasuredRow } from "../row.ts";

/** Warm-ups last until V8 has optimized all functions: unoptimized ones allocate numbers. */
const SUBJECTS = [
	{ name: "step", call: "runSteps", warmUp: 50_000, times: 20_000 },
	{ name: "frame", call: "runFrames", warmUp: 6_000, times: 2_000 },
] as const;
const SAMPLES = 3;

/**
 * Measures bytes per call: the minimum of several samples, because the browser may allocate, too.
 * @param browser launched with `BENCH_V8_FLAGS`
 */
export async function measureAllocations(browser: Browser, code: string): Promise<MeasuredRow[]> {
	const page = await browser.newPage();
	try {
		await page.addScriptTag({ content: code });
		const session = await page.context().newCDPSession(page);
		const used = async () => (await session.send("Runtime.getHeapUsage")).usedSize;
		const rows: MeasuredRow[] = [];
		for (const { name, call, warmUp, times } of SUBJECTS) {
			const work = `bundle.${call}(${times})`;
			await page.evaluate(`bundle.${call}(${warmUp})`);
			let least = Number.POSITIVE_INFINITY;
			for (let sample = 0; sample < SAMPLES; sample++) {
				await session.send("HeapProfiler.collectGarbage");
				const before = await used();
				await page.evaluate(work);
				least = Math.min(least, ((await used()) - before) / times);
			}
			rows.push({ tier: "allocations", name, values: [Math.max(0, least)] });
		}
		return rows;
	} finally {
		await page.close();
	}
}
