import type { Browser } from "playwright-core";
import { isolate, type NodeProbe, runInNode, writeProbe } from "../run-probe.ts";
import { type Judged, judge, median } from "../verdict.ts";

/** The second base is the control: it must come out equal to the first. */
const ARMS = ["base", "subject", "control"] as const;

/** Processes until there is a verdict; each number has an interval of more than 95 %. */
const ENOUGH = [9, 15, 21];
const ROUNDS = 15;
/** ms of a block: many steps of the timer, and short beside what the machine does meanwhile. */
const BLOCK_MS = 3;

export const TIMED = {
	"step, Node": { kernel: "steps", unit: "µs", reason: "what is born, and whether anything is" },
	"frame, Node": { kernel: "frames", unit: "µs", reason: "clock, step, births, camera, regl" },
	"frame, Chromium": { kernel: "frames", unit: "µs", reason: "the same, with WebGL's own calls" },
} as const;
export type Timed = keyof typeof TIMED;

/** One process: µs a call for each arm, and the logarithm of each arm's time over the base's. */
interface Sample {
	readonly us: number;
	readonly subject: number;
	readonly control: number;
}

export interface TimedRow extends Judged {
	readonly name: Timed;
	/** Median over the processes of the subject's µs for each call. */
	readonly us: number;
	readonly baseUs: number;
	readonly processes: number;
}

/**
 * Runs in the process that is measured: rounds of one block for each arm, there and back again, so
 * that whatever the machine does hits all alike. Node can tell the time that its process had a
 * processor; a page has only the clock.
 */
const METER = `(kernel) => {
	const now =
		typeof process === "undefined"
			? () => performance.now()
			: () => {
					const { user, system } = process.cpuUsage();
					return (user + system) / 1000;
				};
	const arms = ${JSON.stringify(ARMS)}.map((name) => globalThis[name][kernel]);
	const time = (arm, times) => {
		const start = now();
		arm(times);
		return now() - start;
	};
	let times = 8;
	for (const arm of arms) time(arm, times);
	while (Math.min(...arms.map((arm) => time(arm, times))) < ${BLOCK_MS}) times *= 2;
	for (let warm = 0; warm < 12; warm++) for (const arm of arms) time(arm, times);
	const rounds = [];
	for (let round = 0; round < ${ROUNDS}; round++) {
		const ms = arms.map(() => 0);
		const order = [0, 1, 2].map((place) => (place + round) % 3);
		for (const arm of [...order, ...order.reverse()]) ms[arm] += time(arms[arm], times);
		rounds.push(ms.map((sum) => (sum / 2 / times) * 1000));
	}
	return rounds;
}`;

function readSample(
	rounds: readonly (readonly [number, number, number])[],
): Sample & { baseUs: number } {
	return {
		baseUs: median(rounds.map(([base]) => base)),
		us: median(rounds.map(([, subject]) => subject)),
		subject: median(rounds.map(([base, subject]) => Math.log(subject / base))),
		control: median(rounds.map(([base, , control]) => Math.log(control / base))),
	};
}

type Run = (kernel: string, turn: number) => Promise<unknown>;

/** Which arm is loaded first matters to the compiler, so they take turns at that as well. */
function orderOf(turn: number): string[] {
	return ARMS.map((_, place) => ARMS[(place + turn) % ARMS.length]!);
}

async function measure(name: Timed, run: Run): Promise<TimedRow> {
	const samples: ReturnType<typeof readSample>[] = [];
	const all = (read: (sample: (typeof samples)[number]) => number) => samples.map(read);
	for (let stage = 0; ; stage++) {
		while (samples.length < ENOUGH[stage]!) {
			const rounds = await run(TIMED[name].kernel, samples.length);
			samples.push(readSample(rounds as [number, number, number][]));
		}
		const judged = judge(
			all(({ subject }) => subject),
			all(({ control }) => control),
		);
		const told = judged.verdict !== "cannot tell" && judged.verdict !== "void";
		if (!told && stage < ENOUGH.length - 1) continue;
		const [us, baseUs] = [
			median(all((sample) => sample.us)),
			median(all((sample) => sample.baseUs)),
		];
		return { ...judged, name, us, baseUs, processes: samples.length };
	}
}

/**
 * Compares two engines: in each fresh process both, and the base once more, in interleaved blocks;
 * one ratio from each process; a verdict from their median and its interval.
 * @param browser draws on software GL, one page (and so one process) for each sample
 */
export async function compareTimes(
	codes: { readonly base: string; readonly subject: string },
	browser?: Browser,
	wanted: readonly Timed[] = Object.keys(TIMED) as Timed[],
): Promise<TimedRow[]> {
	const scripts = { base: codes.base, subject: codes.subject, control: codes.base };
	const probe: NodeProbe = await writeProbe(scripts);
	const inNode: Run = (kernel, turn) =>
		runInNode(probe, `return (${METER})(${JSON.stringify(kernel)})`, { order: orderOf(turn) });
	const rows: TimedRow[] = [];
	try {
		for (const name of wanted) {
			if (name.endsWith("Node")) rows.push(await measure(name, inNode));
			else if (browser)
				rows.push(await measure(name, (kernel, turn) => inPage(browser, scripts, kernel, turn)));
		}
	} finally {
		await probe.remove();
	}
	return rows;
}

async function inPage(
	browser: Browser,
	scripts: Record<(typeof ARMS)[number], string>,
	kernel: string,
	turn: number,
): Promise<unknown> {
	const context = await browser.newContext();
	try {
		const page = await context.newPage();
		for (const arm of orderOf(turn) as (typeof ARMS)[number][])
			await page.addScriptTag({ content: isolate(scripts[arm], arm) });
		return await page.evaluate(`(${METER})(${JSON.stringify(kernel)})`);
	} finally {
		await context.close();
	}
}
