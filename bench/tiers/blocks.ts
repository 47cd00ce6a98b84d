import type { Browser } from "playwright-core";
import { isolate, type NodeProbe, runInNode } from "../probe/run-probe.ts";

/** The second base is the control: it must come out equal to the first. */
const ARMS = ["base", "subject", "control"] as const;
export type Arm = (typeof ARMS)[number];

/** What is timed: a function of the probe, and how often a block calls it. */
export interface Kernel {
	readonly call: "steps" | "frames";
	/** What is part of the call and has a row of its own, to be taken off. */
	readonly without?: "steps";
	/** A multiple of 240 ticks, in which births repeat (48 between rockets, 60 between floats). */
	readonly times: number;
}

/**
 * CPU µs of a call in each arm, one row for each time that all had a block: two for each round. They
 * stay apart, as what disturbs one block would spoil the mean of two.
 */
export type Blocks = readonly Readonly<Record<Arm, number>>[];

/**
 * V8 compiles on a thread beside, and what it knows by the time it is through is chance: equal arms
 * came out apart by 9 % (standard deviation over processes), of which 1.3 % are left when it compiles
 * in place. What it comes to is as fast either way.
 */
export const SAME_COMPILER = ["--no-concurrent-recompilation"];

const WARM_UPS = 12;
const ROUNDS = 15;

/**
 * What is loaded, warmed up and run first is compiled first and lies first in memory. Over six
 * processes each arm has each place equally often, beside each other arm.
 */
const ORDERS: readonly (readonly Arm[])[] = ARMS.flatMap((first) => {
	const [second, third] = ARMS.filter((arm) => arm !== first) as [Arm, Arm];
	return [
		[first, second, third],
		[first, third, second],
	];
});

/** How the arms are ordered in a process, by its turn. */
export const orderOf = (turn: number): readonly Arm[] => ORDERS[turn % ORDERS.length]!;

/** The arms of a round: there and back again, so that whatever the machine does hits all alike. */
export function turnsOf(order: readonly Arm[], round: number): Arm[] {
	const there = order.map((_, place) => order[(place + round) % order.length]!);
	return [...there, ...there.toReversed()];
}

/**
 * Runs in the process that is measured: it notes the time before and after each block, and after
 * what is to be taken off. What the GPU still has to do is waited for in between, so that no block
 * waits for the one before.
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

/** Reads the times that were noted, in µs. @throws Error when there are not three for each block */
export function readBlocks(
	notes: readonly number[],
	order: readonly Arm[],
	{ times }: Kernel,
): Blocks {
	const blocks = ROUNDS * ARMS.length * 2;
	if (notes.length !== blocks * 3)
		throw new Error(`${blocks} blocks noted ${notes.length} times, not three each.`);
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

/** A fresh process of Node, which tells the time that it had a processor. */
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
 * A fresh page, and so a process, of Chromium. Its clock would count what other programs do, and the
 * software that stands in for a GPU; a mark in Chromium's trace has the time that the thread itself
 * had a processor.
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
			/** `tts` is the thread's own time in µs. */
			traceEvents: { name: string; tts: number }[];
		};
		const notes = traceEvents.filter(({ name }) => name === MARK).map(({ tts }) => tts);
		return readBlocks(
			notes.sort((a, b) => a - b),
			order,
			kernel,
		);
	} finally {
		await context.close();
	}
}
