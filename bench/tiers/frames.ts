/**
 * A visitor's experience of the built site, in real Chromium on software GL, which stands for a
 * very weak GPU. Times depend on the machine and its other work. So budgets are three times an
 * early measurement, and looks at a canvas that is only cleared bracket each measurement: if those
 * are not smooth, it is void.
 */
import type { Browser, CDPSession, Page } from "playwright-core";
import { sayStolen, watchStolen } from "../host-took.ts";
import type { Measured } from "../row.ts";
import { median } from "../verdict.ts";
import { playCleared } from "./cleared-canvas.ts";
import {
	clickMs,
	hideOverlay,
	pageIntervals,
	picturesPerSecond,
	type Start,
	startEngine,
} from "./visit.ts";

const VIEWPORT = { width: 390, height: 844 };
/** Quality finds its level within this time. */
const SETTLE_MS = 8_000;
const WORK_MS = 3_000;
/**
 * On an idle machine drawing on the page's thread, up to 14 % of the frames of 3 s were late, and
 * 0.5 to 4 % of those of 18 s.
 */
const LONG = { watchMs: 9_000, clicks: 30 };
/** The control only has to be smooth. */
const LOOK = { watchMs: 2_500, clicks: 30 };
const STARTS = 3;
const THROTTLES = [1, 4, 6] as const;

interface Smooth {
	/** Share of the page's frames that are more than half a period late. */
	readonly late: number;
	/** ms from a click to the next paint, 95th percentile. */
	readonly clickMs: number;
}

interface Felt extends Smooth {
	/** ms of the page's thread per sixtieth of a second, by throttle. */
	readonly workMs: readonly number[];
}

export interface FramesPart {
	readonly measured: readonly Measured[];
	readonly void: string | undefined;
}

interface Control extends Smooth {
	readonly pictures: number;
}

/**
 * Beyond these the machine is unfit for measuring. Late frames and clicks of the control may be at
 * most half of the playing pages' budgets, and the host may take a tenth of the CPU. The control's
 * pictures are the first sign of other drawing: with a second browser drawing in software, 50 to 57
 * a second arrived while the page's frames were on time. Late frames below this limit are noise, so
 * no budget of late frames is lower.
 */
const UNFIT = { late: 0.03, clickMs: 24, pictures: 57, stolen: 0.1 };
/** Clean measurements until a breach, and disturbed ones until a part is void. */
const CLEAN = 3;
const NOISY = 5;
/** Total looks that wait for a fit moment, about seven seconds each. */
const LOOKS = 24;

/**
 * @param url of the built site
 * @param isWithin whether a measurement is within its budget; others are repeated
 */
export async function measureFrames(
	browser: Browser,
	url: string,
	isWithin: (measured: Measured) => boolean,
): Promise<FramesPart[]> {
	const played = (path: string) =>
		withPage(browser, url + path, async (page, session) => {
			await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
			await page.waitForTimeout(SETTLE_MS);
			return { workMs: await readWork(page, session), ...(await feel(page)) };
		});
	const parts = [
		async () => describe("worker", await played("/")),
		async () => describe("page", await played("/?way=page")),
		async () => {
			const starts: Start[] = [];
			for (let run = 0; run < STARTS; run++) starts.push(await start(browser, url));
			return describeStarts(starts);
		},
	];
	const feelCleared = () =>
		withPage(browser, "about:blank", async (page) => {
			await playCleared(page, 0.5);
			await hideOverlay(page);
			await page.waitForTimeout(1000);
			const [felt, pictures] = await Promise.all([
				feel(page, LOOK),
				picturesPerSecond(page, LOOK.watchMs),
			]);
			return { ...felt, pictures };
		});
	return await measureParts(parts, feelCleared, isWithin);
}

type Part = () => Promise<readonly Measured[]>;

/**
 * Repeats a part if a look at the control was not smooth. A part that breaks a budget is measured
 * three times, and the medians count: on a loaded machine 7.4 % of the frames of one measurement
 * were late by chance, while most have 2 to 4 %.
 * @param readStolen share of CPU time that the host took since the last call, 0 to 1
 */
async function measureParts(
	parts: readonly Part[],
	feelCleared: () => Promise<Control>,
	isWithin: (measured: Measured) => boolean,
	readStolen = watchStolen(),
): Promise<FramesPart[]> {
	const look = async () => unfit(await feelCleared(), readStolen());
	let why = await look();
	let looks = LOOKS;

	async function measurePart(measure: Part): Promise<FramesPart> {
		const clean: (readonly Measured[])[] = [];
		for (let noisy = 0; ; ) {
			for (; why !== undefined && looks > 0; looks--) why = await look();
			const before = why;
			const measured = await measure();
			why = await look();
			const noise = before ?? why;
			if (noise === undefined) {
				clean.push(measured);
				const isEnough = clean.length === 1 && measured.every(isWithin);
				if (isEnough || clean.length === CLEAN) {
					return { measured: medians(clean), void: undefined };
				}
			} else {
				noisy++;
				// A void part is still printed, as information.
				if (noisy === NOISY || looks === 0) return { measured, void: noise };
			}
		}
	}

	const frames: FramesPart[] = [];
	for (const part of parts) frames.push(await measurePart(part));
	return frames;
}

function medians(clean: readonly (readonly Measured[])[]): Measured[] {
	return clean[0]!.map((row, i) => ({
		...row,
		value: median(clean.map((measured) => measured[i]!.value)),
	}));
}

/** Returns a reason, or undefined if the machine is fit. */
export function unfit({ late, clickMs, pictures }: Control, stolen: number): string | undefined {
	if (stolen > UNFIT.stolen) return `the ${sayStolen(stolen)}`;
	if (late > UNFIT.late) {
		return `where a canvas is only cleared, ${(late * 100).toFixed(1)} % of the page's frames were late`;
	}
	if (clickMs > UNFIT.clickMs) return `where a canvas is only cleared, a click took ${clickMs} ms`;
	if (pictures < UNFIT.pictures) {
		return `a canvas that is only cleared got ${pictures.toFixed(1)} pictures a second`;
	}
	return undefined;
}

const shared = { tier: "frames" as const };

function describe(backend: "worker" | "page", { late, clickMs, workMs }: Felt): Measured[] {
	const drawn = backend === "worker" ? "drawn in a worker" : "drawn on the page's thread";
	return [
		...workMs.map((value, i) => ({
			...shared,
			name: `page's thread, ${backend}, ${THROTTLES[i]}x`,
			value,
			unit: "ms for each frame",
			reason: `all that the page's thread does for a 60th of a second, ${drawn}`,
			margin: { times: 3, least: 0.1 },
		})),
		{
			...shared,
			name: `late frames, ${backend}`,
			value: late * 100,
			unit: "% of the page's frames",
			reason: `later than half of the display's own period, ${drawn}`,
			margin: { times: 3, least: UNFIT.late * 100 },
		},
		{
			...shared,
			name: `click, ${backend}`,
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

async function feel(page: Page, { watchMs, clicks } = LONG): Promise<Smooth> {
	return { late: await lateShare(page, watchMs), clickMs: await clickMs(page, clicks) };
}

async function readWork(page: Page, session: CDPSession): Promise<number[]> {
	const workMs: number[] = [];
	await session.send("Performance.enable");
	for (const rate of THROTTLES) {
		await session.send("Emulation.setCPUThrottlingRate", { rate });
		await page.waitForTimeout(500);
		const before = await busyMs(session);
		await page.waitForTimeout(WORK_MS);
		const after = await busyMs(session);
		workMs.push((after.busy - before.busy) / ((after.time - before.time) * 0.06));
	}
	await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
	return workMs;
}

async function busyMs(session: CDPSession): Promise<{ busy: number; time: number }> {
	const { metrics } = await session.send("Performance.getMetrics");
	const read = (name: string) =>
		(metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
	return { busy: read("TaskDuration"), time: read("Timestamp") };
}

/**
 * Frames half a period late. The period is the one most frames have, but no longer than at 60 Hz:
 * if it looks longer, most frames are late.
 */
async function lateShare(page: Page, watchMs: number): Promise<number> {
	const intervals = await pageIntervals(page, watchMs);
	const period = Math.min(median(intervals), 1000 / 60);
	return intervals.filter((interval) => interval > period * 1.5).length / intervals.length;
}

/** A start at full speed times the first picture, one at 4x throttle the longest block. */
async function start(browser: Browser, url: string): Promise<Start> {
	const whole = await startEngine(browser, url, { viewport: VIEWPORT, throttle: 1 });
	const weak = await startEngine(browser, url, { viewport: VIEWPORT, throttle: 4 });
	return { firstMs: whole.firstMs, blockMs: Math.max(50, weak.blockMs) };
}
