import { launchChromium } from "../harness/browsers/chromium.ts";
import { type NodeProbe, runInNode } from "../probe/run-probe.ts";

/** A nursery so large that nothing is collected during a measurement. */
const ROOMY = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];

const STEPS = 100_000;
/** After fewer frames the player is not fully compiled, and the numbers it boxes vary. */
const FRAMES = 20_000;
const SAMPLES = 5;
const SUBJECTS = [
	["keepObjects", STEPS],
	["steps", STEPS],
	["emptyFrames", FRAMES],
	["frames", FRAMES],
] as const;

export interface Allocated {
	readonly object: number;
	readonly step: number;
	/** A frame without its step, and without the overhead of calling frames by hand. */
	readonly frame: number;
}

type Read = Record<(typeof SUBJECTS)[number][0], number> & {
	ticks: { steps: number; frames: number };
};

function readAllocated({ keepObjects, steps, emptyFrames, frames, ticks }: Read): Allocated {
	const runs = SAMPLES + 2;
	if (ticks.steps < runs * STEPS || ticks.frames < runs * FRAMES - 1) {
		throw new Error(`The simulations did not advance: ${JSON.stringify(ticks)}.`);
	}
	return {
		object: keepObjects,
		step: steps,
		frame: frames - emptyFrames - steps,
	};
}

/** Takes the minimum of several samples, because other allocations only add. */
export async function allocateInNode(probe: NodeProbe): Promise<Allocated> {
	const used = "v8.getHeapStatistics().used_heap_size";
	const read = await runInNode(
		probe,
		`			const read = {};
			for (const [name, times] of ${JSON.stringify(SUBJECTS)}) {
				for (let warm = 0; warm < 2; warm++) bundle[name](times);
				read[name] = Infinity;
				for (let sample = 0; sample < ${SAMPLES}; sample++) {
					gc();
					const before = ${used};
					bundle[name](times);
					read[name] = Math.min(read[name], (${used} - before) / times);
				}
			}
			return { ...read, ticks: bundle.whereabouts() };
		`,
		{ flags: ROOMY },
	);
	return readAllocated(read as Read);
}

/** Chromium's pointers are half as long as Node's. */
export async function allocateInChromium(code: string): Promise<Allocated> {
	const browser = await launchChromium({ graphics: "software", engineFlags: ROOMY });
	try {
		const page = await browser.newPage();
		await page.addScriptTag({ content: code });
		const session = await page.context().newCDPSession(page);
		const used = async () => (await session.send("Runtime.getHeapUsage")).usedSize;
		const read: Partial<Read> = {};
		for (const [name, times] of SUBJECTS) {
			for (let warm = 0; warm < 2; warm++) await page.evaluate(`void bundle.${name}(${times})`);
			read[name] = Number.POSITIVE_INFINITY;
			for (let sample = 0; sample < SAMPLES; sample++) {
				await session.send("HeapProfiler.collectGarbage");
				const before = await used();
				await page.evaluate(`void bundle.${name}(${times})`);
				read[name] = Math.min(read[name], ((await used()) - before) / times);
			}
		}
		return readAllocated({ ...read, ticks: await page.evaluate("bundle.whereabouts()") } as Read);
	} finally {
		await browser.close();
	}
}

export const LONG_RUN = 36_000;

/**
 * Garbage collections during ten minutes of steps, and during as many allocated kilobytes: the
 * control.
 */
export async function countCollections(
	probe: NodeProbe,
): Promise<{ steps: number; control: number }> {
	return (await runInNode(
		probe,
		`			const { PerformanceObserver } = require("node:perf_hooks");
			let count = 0;
			const observer = new PerformanceObserver((list) => (count += list.getEntries().length));
			const told = () => new Promise((resolve) => setTimeout(resolve, 100));
			bundle.steps(${LONG_RUN});
			gc();
			await told();
			observer.observe({ entryTypes: ["gc"] });
			bundle.steps(${LONG_RUN});
			await told();
			const steps = count;
			bundle.keepKilobytes(${LONG_RUN});
			await told();
			return { steps, control: count - steps };
		`,
		// In MB. By default the nursery grows with the loaded code, so that a leaner engine had a
		// smaller one, and more collections for the same garbage.
		{ flags: ["--expose-gc", "--min-semi-space-size=2"] },
	)) as { steps: number; control: number };
}
