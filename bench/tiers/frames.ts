/**
 * What a visitor of the built site feels, in real Chromium on software GL, which stands for a very
 * weak GPU. Times hang on the machine and on what else it does: their budgets are three times what
 * was measured once, and an empty page in the same run says whether this run is worth anything.
 */
import type { Browser, CDPSession, Page } from "playwright-core";
import { clickMs } from "../click-ms.ts";
import type { Measured } from "../row.ts";
import { startEngine } from "../start-engine.ts";
import { median } from "../verdict.ts";

const VIEWPORT = { width: 390, height: 844 };
/** Quality finds its level within these ms. */
const SETTLE_MS = 8_000;
const WATCH_MS = 5_000;
const CLICKS = 30;
const STARTS = 3;
const THROTTLES = [1, 4, 6] as const;

/** What the page itself shows while something plays on it, or nothing. */
interface Felt {
	/** Share of the page's frames that come later than half a period after they should. */
	late: number;
	/** ms from a click to the next paint, the 95th of a hundred. */
	clickMs: number;
	/** ms of the page's thread for each sixtieth of a second, by throttle. */
	workMs: number[];
}

export interface Frames {
	readonly measured: readonly Measured[];
	/** Why the run says nothing, if it does. */
	readonly void: string | undefined;
}

/** Share of late frames, and ms of a click, with which even an empty page says that nothing fits. */
const UNFIT = { late: 0.1, clickMs: 80 };

/** Measures the visitor's frames. @param url of the built site */
export async function measureFrames(browser: Browser, url: string): Promise<Frames> {
	const empty = await withPage(browser, `${url}/terms`, (page, session) => feel(page, session));
	const worker = await withPage(browser, `${url}/`, async (page, session) => {
		await playing(page);
		return await feel(page, session);
	});
	const onPage = await withPage(browser, `${url}/?way=page`, async (page, session) => {
		await playing(page);
		return await feel(page, session);
	});
	const starts: Start[] = [];
	for (let run = 0; run < STARTS; run++) starts.push(await start(browser, url));
	return {
		measured: [
			...describe("worker", worker),
			...describe("page", onPage),
			...describeStarts(starts),
		],
		void: unfit(empty),
	};
}

/** Why nothing can be said by what an empty page felt, if so. */
export function unfit({ late, clickMs }: Pick<Felt, "late" | "clickMs">): string | undefined {
	if (late > UNFIT.late)
		return `a page without any picture had ${Math.round(late * 100)} % of its frames late`;
	if (clickMs > UNFIT.clickMs) return `a page without any picture took ${clickMs} ms for a click`;
	return undefined;
}

const shared = { tier: "frames" as const };

function describe(way: "worker" | "page", { late, clickMs, workMs }: Felt): Measured[] {
	const drawn = way === "worker" ? "drawn in a worker" : "drawn on the page's thread";
	return [
		...workMs.map((value, i) => ({
			...shared,
			name: `page's thread, ${way}, ${THROTTLES[i]}x`,
			value,
			unit: "ms for each frame",
			reason: `all that the page's thread does for a 60th of a second, ${drawn}`,
			margin: { times: 3, least: 0.1 },
		})),
		{
			...shared,
			name: `late frames, ${way}`,
			value: late * 100,
			unit: "% of the page's frames",
			reason: `later than half of the display's own period, ${drawn}`,
			margin: { times: 3, least: 2 },
		},
		{
			...shared,
			name: `click, ${way}`,
			value: clickMs,
			unit: "ms from event to paint, p95",
			reason: `the next paint has to wait for the GPU, ${drawn}`,
			margin: { times: 3, least: 16 },
		},
	];
}

function describeStarts(starts: readonly Start[]): Measured[] {
	return [
		{
			...shared,
			name: "first picture, 1x",
			value: median(starts.map(({ firstMs }) => firstMs)),
			unit: "ms from asking for the engine",
			reason: "fetch, worker, shaders, atlas, first finished frame",
			margin: { times: 3, least: 50 },
		},
		{
			...shared,
			name: "longest block at the start, 4x",
			value: median(starts.map(({ blockMs }) => blockMs)),
			unit: "ms of the page's thread",
			reason:
				"the longest task from asking for the engine to its first picture; 50 when none is longer",
			margin: { times: 3, least: 50 },
		},
	];
}

async function withPage<Result>(
	browser: Browser,
	url: string,
	use: (page: Page, session: CDPSession) => Promise<Result>,
): Promise<Result> {
	const context = await browser.newContext({ viewport: VIEWPORT });
	try {
		const page = await context.newPage();
		await page.goto(url);
		return await use(page, await context.newCDPSession(page));
	} finally {
		await context.close();
	}
}

async function playing(page: Page): Promise<void> {
	await page.locator(".stage[data-way]").waitFor({ state: "attached" });
	await page.waitForTimeout(SETTLE_MS);
}

async function feel(page: Page, session: CDPSession): Promise<Felt> {
	const workMs: number[] = [];
	await session.send("Performance.enable");
	for (const rate of THROTTLES) {
		await session.send("Emulation.setCPUThrottlingRate", { rate });
		await page.waitForTimeout(500);
		const before = await busyMs(session);
		await page.waitForTimeout(WATCH_MS);
		const after = await busyMs(session);
		workMs.push((after.busy - before.busy) / ((after.time - before.time) * 0.06));
	}
	await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
	return { workMs, late: await lateShare(page), clickMs: await clickMs(page, CLICKS) };
}

/** ms in which the page's thread was busy so far, and the time of that. */
async function busyMs(session: CDPSession): Promise<{ busy: number; time: number }> {
	const { metrics } = await session.send("Performance.getMetrics");
	const read = (name: string) =>
		(metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
	return { busy: read("TaskDuration"), time: read("Timestamp") };
}

/** Judged by the display's own period, which is what most of its frames have. */
async function lateShare(page: Page): Promise<number> {
	const intervals = await page.evaluate(
		(watchMs) =>
			new Promise<number[]>((resolve) => {
				const found: number[] = [];
				let latest = 0;
				let first = 0;
				const see = (timeMs: number) => {
					first ||= timeMs;
					if (latest > 0) found.push(timeMs - latest);
					latest = timeMs;
					if (timeMs - first < watchMs) requestAnimationFrame(see);
					else resolve(found);
				};
				requestAnimationFrame(see);
			}),
		WATCH_MS,
	);
	const period = median(intervals);
	return intervals.filter((interval) => interval > period * 1.5).length / intervals.length;
}

interface Start {
	firstMs: number;
	blockMs: number;
}

async function start(browser: Browser, url: string): Promise<Start> {
	const whole = await startEngine(browser, url, { viewport: VIEWPORT, throttle: 1 });
	const weak = await startEngine(browser, url, { viewport: VIEWPORT, throttle: 4 });
	return { firstMs: whole.firstMs, blockMs: Math.max(50, weak.blockMs) };
}
