import type { Browser } from "playwright-core";
import { isolate, type NodeProbe, runInNode } from "../probe/run-probe.ts";

/** The control is a second copy of the base and must come out equal to it. */
const ARMS = ["base", "subject", "control"] as const;
export type Arm = (typeof ARMS)[number];

/** The timed work: a function of the probe, and calls per block. */
export interface Kernel {
	readonly call: "steps" | "frames" | "pictures";
	/** A part of the call with its own row, to be subtracted. */
	readonly without?: "steps";
	/**
	 * A multiple of 240 ticks, in which births repeat (48 between rockets, 60 between floats), or
	 * few: the arms of a round have the same ticks.
	 */
	readonly times: number;
	/** By wall time, because another process does the work: the GPU's. */
	readonly wall?: true;
}

/**
 * CPU µs per call, two entries per round. They are kept apart, because a disturbance of one block
 * would spoil a mean of both.
 */
export type Blocks = readonly Readonly<Record<Arm, number>>[];

/**
 * V8 compiles on another thread, and its type feedback at that moment depends on chance. Equal arms
 * differed by 9 % (standard deviation over processes), and by 1.3 % when compiled in place. The
 * code is as fast either way.
 */
export const SAME_COMPILER = ["--no-concurrent-recompilation"];

const WARM_UPS = 12;
const ROUNDS = 15;

/**
 * The arm that runs first is compiled first and is first in memory. So over six processes each arm
 * has each position equally often, and each neighbor.
 */
const ORDERS: readonly (readonly Arm[])[] = ARMS.flatMap((first) => {
	const [second, third] = ARMS.filter((arm) => arm !== first) as [Arm, Arm];
	return [
		[first, second, third],
		[first, third, second],
	];
});

const orderOf = (turn: number): readonly Arm[] => ORDERS[turn % ORDERS.length]!;

/** The arms of a round: back and forth, so that machine drift affects all arms equally. */
function turnsOf(order: readonly Arm[], round: number): Arm[] {
	const there = order.map((_, place) => order[(place + round) % order.length]!);
	return [...there, ...there.toReversed()];
}

/**
 * Runs in the measured process. Records the time around each block, and after the part to subtract.
 * Waits for the GPU in between.
 */
const play = (order: readonly Arm[], { call, without, times }: Kernel) => `(note) => {
	const blocks = (arms) => {
		for (const arm of arms) {
			const { ${call}: work, ${without}: part = () => {}, settle } = globalThis[arm];
			note();
			work(${times});
			note();
			part(${times});
			note();
			settle();
		}
	};
	const keep = note;
	note = () => {};
	for (let i = 0; i < ${WARM_UPS}; i++) blocks(${JSON.stringify(order)});
	note = keep;
	blocks(${JSON.stringify(Array.from({ length: ROUNDS }, (_, round) => turnsOf(order, round)).flat())});
}`;

/** Parses the recorded times, in µs. @throws Error unless there are three per block */
function readBlocks(notes: readonly number[], order: readonly Arm[], { times }: Kernel): Blocks {
	const blocks = ROUNDS * ARMS.length * 2;
	if (notes.length !== blocks * 3) {
		throw new Error(`${blocks} blocks recorded ${notes.length} times instead of three each.`);
	}
	return Array.from({ length: ROUNDS * 2 }, (_, row) => {
		const us = { base: 0, subject: 0, control: 0 };
		const back = (row % 2) * ARMS.length;
		const turns = turnsOf(order, Math.floor(row / 2)).slice(back, back + ARMS.length);
		for (const [place, arm] of turns.entries()) {
			const at = (row * ARMS.length + place) * 3;
			const [start, worked, end] = notes.slice(at, at + 3) as [number, number, number];
			us[arm] = (worked - start - (end - worked)) / times;
		}
		return us;
	});
}

/** Measures the CPU time of a fresh process. */
export async function timeInNode(probe: NodeProbe, kernel: Kernel, turn: number): Promise<Blocks> {
	const order = orderOf(turn);
	const notes = await runInNode(
		probe,
		`
		const notes = [];
		(${play(order, kernel)})(() => {
			const { user, system } = process.cpuUsage();
			notes.push(user + system);
		});
		return notes;`,
		{ order, flags: SAME_COMPILER },
	);
	return readBlocks(notes as number[], order, kernel);
}

const MARK = "block";

/**
 * In a fresh page, and so a fresh process, of Chromium. A page's clock also counts other programs
 * and the software GPU. A mark in Chromium's trace has the CPU time of the thread alone; if the GPU
 * is meant, alternation has to suffice.
 */
export async function timeInChromium(
	browser: Browser,
	scripts: Readonly<Record<Arm, string>>,
	kernel: Kernel,
	turn: number,
): Promise<Blocks> {
	const order = orderOf(turn);
	const context = await browser.newContext();
	try {
		const page = await context.newPage();
		for (const arm of order) await page.addScriptTag({ content: isolate(scripts[arm], arm) });
		await browser.startTracing(page, { categories: ["blink.user_timing"] });
		await page.evaluate(`(${play(order, kernel)})(() => void performance.mark("${MARK}"))`);
		const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
			/** In µs: `ts` is wall time, `tts` the thread's CPU time. */
			traceEvents: { name: string; ts: number; tts: number }[];
		};
		const marks = traceEvents.filter(({ name }) => name === MARK);
		const notes = marks.map(({ ts, tts }) => (kernel.wall ? ts : tts));
		return readBlocks(
			notes.sort((a, b) => a - b),
			order,
			kernel,
		);
	} finally {
		await context.close();
	}
}
