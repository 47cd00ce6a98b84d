import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, CDPSession } from "playwright-core";
import { litShare, openStage, type Stage } from "./page.ts";
import type { Scene } from "./scene.ts";
import type { Built } from "./shipped.ts";

/** Per drawn picture. */
export interface Sample {
	pageMs: number;
	/** 0 without a worker. */
	workerMs: number;
	/** On the heaps of page and worker. */
	bytes: number;
	/** By wall time. */
	picturesPerSecond: number;
	pictures: number;
	/** Brotli bytes. */
	shipped: number;
	sprites: number;
	/** Non-empty share of the canvas. */
	lit: number;
}

export interface Watch {
	/** Pictures before the measurement, or as many as are drawn in `leastMs`. */
	warmUp: number;
	/** After `mostMs` fewer pictures suffice. */
	leastMs: number;
	pictures: number;
	mostMs: number;
}

/**
 * Measures times first: the heap profiler, which counts allocations, would slow them down. The canvas is
 * inspected beforehand, on another page: by the end, a worker that does not wait for the GPU can be
 * minutes ahead of the canvas.
 * @throws Error if the arm does not start or does not draw
 */
export async function measure(
	browser: Browser,
	arm: Built,
	scene: Scene,
	watch: Watch,
): Promise<Sample> {
	const lit = await look(browser, arm, scene);
	const stage = await openStage(browser, arm, scene);
	try {
		// Wait until shaders and bitmaps exist, and code is compiled.
		await stage.waitForPictures(watch.warmUp, watch.leastMs);
		await renew(stage);
		const times = await measureTimes(browser, stage, watch);
		await renew(stage);
		const bytes = await measureBytes(stage, watch);
		const { sprites } = await stage.thread.evaluate(() => globalThis.drawn);
		const { shipped } = stage;
		return { ...times, bytes, shipped, sprites, lit };
	} finally {
		await stage.close();
	}
}

async function look(browser: Browser, arm: Built, scene: Scene): Promise<number> {
	const stage = await openStage(browser, arm, scene);
	try {
		await stage.waitForPictures(2, 0);
		return await litShare(stage.page);
	} finally {
		await stage.close();
	}
}

async function renew({ page, waitForPictures }: Stage): Promise<void> {
	if (!(await page.evaluate(() => globalThis.playing.renew !== undefined))) return;
	await page.evaluate(() => globalThis.playing.renew?.());
	await waitForPictures(1, 0);
}

async function mark({ page, thread }: Stage, name: string): Promise<number> {
	const set = (name: string) => {
		performance.mark(name);
		return globalThis.drawn.pictures;
	};
	const [pictures] = await Promise.all([
		thread.evaluate(set, name),
		...(thread === page ? [] : [page.evaluate(set, name)]),
	]);
	return pictures;
}

/** An event of Chromium's trace; times in µs. */
interface TraceEvent {
	name: string;
	pid: number;
	tid: number;
	ts: number;
	dur?: number;
	/** CPU time within `dur`. */
	tdur?: number;
}

/**
 * CPU time of a thread's tasks between two marks of Chromium's trace. Excludes other programs, the
 * software GPU and waiting for them.
 */
async function measureTimes(browser: Browser, stage: Stage, watch: Watch) {
	await browser.startTracing(stage.page, { categories: ["toplevel", "blink.user_timing"] });
	const before = await mark(stage, "begin");
	const begin = performance.now();
	let pictures = 0;
	let ms = 0;
	let ends = 0;
	do {
		await sleep(watch.leastMs);
		ends++;
		pictures = (await mark(stage, `end ${ends}`)) - before;
		ms = performance.now() - begin;
	} while (pictures < watch.pictures && (ms < watch.mostMs || pictures === 0) && ms < 60_000);
	const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
		traceEvents: TraceEvent[];
	};
	const inWorker = stage.thread !== stage.page;
	const threads = traceEvents
		.filter(({ name }) => name === "begin")
		.map((first) => {
			const isHere = ({ pid, tid }: TraceEvent) => pid === first.pid && tid === first.tid;
			const last = traceEvents.find((event) => event.name === `end ${ends}` && isHere(event));
			if (!last) throw new Error("The trace ends before its end.");
			let sum = 0;
			for (const event of traceEvents) {
				if (
					event.name === "ThreadControllerImpl::RunTask" &&
					isHere(event) &&
					event.ts >= first.ts &&
					event.ts + (event.dur ?? 0) <= last.ts
				) {
					sum += event.tdur ?? 0;
				}
			}
			// The page's thread is the first of its process.
			return { tid: first.tid, ms: sum / 1000 / pictures };
		})
		.sort((a, b) => a.tid - b.tid);
	if (threads.length !== (inWorker ? 2 : 1)) {
		throw new Error(`Unexpected number of threads in the trace: ${threads.length}.`);
	}
	return {
		pageMs: threads[0]!.ms,
		workerMs: threads[1]?.ms ?? 0,
		picturesPerSecond: (pictures / ms) * 1000,
		pictures,
	};
}

/**
 * On the heaps of all threads, garbage included, by V8's sampling profiler: on average one object
 * per 512 bytes.
 */
async function measureBytes(stage: Stage, watch: Watch): Promise<number> {
	const page = stage.session;
	const heaps: Send[] = [(method, params) => page.send(method as never, params as never)];
	if (stage.thread !== stage.page) heaps.push(await reachWorker(page));
	const count = () => stage.thread.evaluate(() => globalThis.drawn.pictures);
	const sampling = {
		samplingInterval: 512,
		includeObjectsCollectedByMajorGC: true,
		includeObjectsCollectedByMinorGC: true,
	};
	const before = await count();
	await Promise.all(heaps.map((send) => send("HeapProfiler.startSampling", sampling)));
	await sleep(watch.leastMs);
	const profiles = await Promise.all(
		heaps.map(async (send) => {
			const { profile } = (await send("HeapProfiler.stopSampling", {})) as { profile: Profile };
			return sumOf(profile.head);
		}),
	);
	const pictures = (await count()) - before;
	return profiles.reduce((sum, bytes) => sum + bytes, 0) / Math.max(1, pictures);
}

type Send = (method: string, params: object) => Promise<unknown>;

interface Profile {
	head: ProfileNode;
}

interface ProfileNode {
	selfSize: number;
	children: ProfileNode[];
}

function sumOf({ selfSize, children }: ProfileNode): number {
	return children.reduce((sum, child) => sum + sumOf(child), selfSize);
}

/** Playwright has no session for a worker: messages go through the page's. */
async function reachWorker(page: CDPSession): Promise<Send> {
	const attached = new Promise<string>((resolve) =>
		page.once("Target.attachedToTarget", ({ sessionId }) => resolve(sessionId)),
	);
	await page.send("Target.setAutoAttach", {
		autoAttach: true,
		waitForDebuggerOnStart: false,
		flatten: false,
	});
	const sessionId = await attached;
	let lastId = 0;
	return async (method, params) => {
		lastId++;
		const id = lastId;
		const answered = new Promise<{ result: unknown; error?: { message: string } }>((resolve) => {
			const listen = ({ message }: { message: string }) => {
				const answer = JSON.parse(message);
				if (answer.id !== id) return;
				page.off("Target.receivedMessageFromTarget", listen);
				resolve(answer);
			};
			page.on("Target.receivedMessageFromTarget", listen);
		});
		const message = JSON.stringify({ id, method, params });
		await page.send("Target.sendMessageToTarget", { sessionId, message });
		const { result, error } = await answered;
		if (error) throw new Error(error.message);
		return result;
	};
}
