import type { Browser } from "playwright-core";
import type { TimeRow } from "../row.ts";
import { estimateMedian, judgeTimeRatio, median } from "../time-verdict.ts";

interface Kernel {
	readonly name: string;
	readonly call: string;
	readonly times: number;
	/** Measures the CPU time of the page's thread, or of the GPU process. */
	readonly by: "page" | "gpu";
}

/** Eight pictures take 100 ms, long enough for the GPU process's clock, which has steps of 10 ms. */
const KERNELS: readonly Kernel[] = [
	{ name: "step", call: "runSteps", times: 120_000, by: "page" },
	{ name: "frame", call: "runFrames", times: 480, by: "page" },
	{ name: "picture", call: "drawPictures", times: 8, by: "gpu" },
];

/**
 * Without concurrent optimization in V8, equal builds differ by 1.3% instead of 9% (measured). The
 * large semi-space prevents garbage collection while allocations are measured.
 */
export const BENCH_V8_FLAGS = [
	"--no-concurrent-recompilation",
	...["--invocation-count-for-maglev=40", "--invocation-count-for-turbofan=300"],
	"--minimum-invocations-after-ic-update=50",
	...["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"],
];

const PAIRS = 9;
const WARM_UPS = 1;
const ROUNDS = 3;

const BUILDS = ["base", "subject"] as const;
type Build = (typeof BUILDS)[number];
type PerBuild<Value> = Readonly<Record<Build, Value>>;

/**
 * Measures CPU time, which other programs disturb less than wall time. Each build has its own page,
 * because in a shared one the first build was slower by a fifth. Builds take turns:
 *
 *     base, subject, subject, base, base, subject, …
 */
export async function compareCpuTimes(
	browser: Browser,
	codes: PerBuild<string>,
	progress: (pair: number, of: number) => void,
): Promise<TimeRow[]> {
	const samples: PerBuild<number>[][] = [];
	for (let pair = 0; pair < PAIRS; pair++) {
		progress(pair + 1, PAIRS);
		samples.push(await timePair(browser, codes));
	}
	return KERNELS.map(({ name }, kernel) => {
		const all = samples.map((sample) => sample[kernel]!);
		const ratio = estimateMedian(all.map(({ base, subject }) => subject / base));
		const [us, baseUs] = [median(all.map((us) => us.subject)), median(all.map((us) => us.base))];
		return { tier: "times", name, verdict: judgeTimeRatio(ratio), us, baseUs, ratio };
	});
}

async function timePair(browser: Browser, codes: PerBuild<string>): Promise<PerBuild<number>[]> {
	const [base, subject] = [await open(browser, codes.base), await open(browser, codes.subject)];
	const pages = { base, subject };
	try {
		const found: PerBuild<number>[] = [];
		for (const { call, times, by } of KERNELS) {
			const ms = { base: 0, subject: 0 };
			for (let round = -WARM_UPS; round < ROUNDS; round++) {
				for (const build of [...BUILDS, ...BUILDS.toReversed()]) {
					const page = pages[build];
					const before = await page.cpuMs[by]();
					await page.evaluate(`bundle.${call}(${times})`);
					if (round >= 0) ms[build] += (await page.cpuMs[by]()) - before;
				}
			}
			const calls = (ROUNDS * 2 * times) / 1000;
			found.push({ base: ms.base / calls, subject: ms.subject / calls });
		}
		return found;
	} finally {
		await base.close();
		await subject.close();
	}
}

async function open(browser: Browser, code: string) {
	const context = await browser.newContext();
	const page = await context.newPage();
	await page.addScriptTag({ content: code });
	const session = await context.newCDPSession(page);
	await session.send("Performance.enable", { timeDomain: "threadTicks" });
	const processes = await browser.newBrowserCDPSession();
	return {
		evaluate: (script: string) => page.evaluate(script),
		close: () => context.close(),
		cpuMs: {
			async page() {
				const { metrics } = await session.send("Performance.getMetrics");
				return metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
			},
			async gpu() {
				const { processInfo } = await processes.send("SystemInfo.getProcessInfo");
				return processInfo.find(({ type }) => type === "GPU")!.cpuTime * 1000;
			},
		},
	};
}
