/**
 * Cost of the picture without a GPU, where the CPU draws and composites. Informational, without
 * budgets: the numbers depend on the machine, its other work and its host, whose share is printed
 * as well.
 */
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../harness/browsers/chromium.ts";
import { sayStolen, watchStolen } from "../host-took.ts";
import type { BenchRow } from "../row.ts";
import { median } from "../verdict.ts";
import { playCleared } from "./cleared-canvas.ts";
import { clickMs, hideOverlay, pageIntervals, picturesPerSecond, startEngine } from "./visit.ts";

const SIZES = [
	{ width: 390, height: 844 },
	{ width: 1440, height: 900 },
] as const;
type Size = (typeof SIZES)[number];

const SKIES = [
	["day", "/"],
	["night", "/confirmation"],
] as const;

/** Quality settles within 10 s. */
const SETTLE_MS = 12_000;
const WATCH_MS = 5_000;
const CLICKS = 40;
const STARTS = 3;
const REST_MS = 5_000;

/** @param url of the built site */
export async function readFrames(url: string): Promise<BenchRow[]> {
	const browser = await launchChromium({ graphics: "processor" });
	try {
		const rows: BenchRow[] = [];
		for (const size of SIZES) {
			const name = `${size.width} x ${size.height}`;
			for (const [sky, path] of SKIES) {
				rows.push(await readPlaying(browser, url + path, size, `${name}, ${sky}`));
			}
			rows.push(await readStarts(browser, url, size, name));
			rows.push(await readRest(browser, "blank", "about:blank", size, name));
			for (const [sky, path] of SKIES) {
				for (const how of ["paused", "still"] as const) {
					rows.push(await readRest(browser, how, url + path, size, `${name}, ${sky}`));
				}
			}
		}
		return rows;
	} finally {
		await browser.close();
	}
}

const reading = (name: string, value: number, unit: string, note: string): BenchRow => ({
	tier: "frames",
	name,
	value,
	unit,
	note,
	verdict: "for reading",
	reason: "drawn by the processor of a machine without a GPU",
});

async function readPlaying(browser: Browser, url: string, viewport: Size, name: string) {
	const readStolen = watchStolen();
	const page = await browser.newPage({ viewport });
	await page.goto(`${url}?engine=stats`);
	await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
	const ours = await watch(page);
	const click = await clickMs(page, CLICKS);
	const overlay = await page.locator(".stats-overlay pre").textContent();
	const [, level = "?", ratio] = /level +(\d+) \(([\d.]+) px\)/.exec(overlay ?? "") ?? [];
	await page.close();
	const cleared = await watchCleared(browser, viewport, Number(ratio));
	return reading(
		`pictures, ${name}`,
		ours.pictures,
		"a second",
		`level ${level} at ${ratio} px; page ${ours.frames.toFixed(1)} frames/s; click p95 ${click} ms; ` +
			`a canvas only cleared ${cleared.pictures.toFixed(1)} and ${cleared.frames.toFixed(1)}; ` +
			sayStolen(readStolen()),
	);
}

async function watchCleared(browser: Browser, viewport: Size, pixelRatio: number) {
	const page = await browser.newPage({ viewport });
	await playCleared(page, pixelRatio);
	const watched = await watch(page);
	await page.close();
	return watched;
}

async function watch(page: Page) {
	await hideOverlay(page);
	await page.waitForTimeout(SETTLE_MS);
	const [pictures, intervals] = await Promise.all([
		picturesPerSecond(page, WATCH_MS),
		pageIntervals(page, WATCH_MS),
	]);
	const ms = intervals.reduce((sum, interval) => sum + interval, 0);
	return { pictures, frames: (1000 * intervals.length) / ms };
}

async function readStarts(browser: Browser, url: string, viewport: Size, name: string) {
	const blocks: number[] = [];
	for (let run = 0; run < STARTS; run++) {
		blocks.push((await startEngine(browser, url, { viewport, throttle: 4 })).blockMs);
	}
	const runs = blocks.map((ms) => ms.toFixed(0)).join(", ");
	return reading(
		`longest task at the start, 4x, ${name}`,
		median(blocks),
		"ms of the page's thread",
		`runs ${runs}; 0 when none took 50 ms`,
	);
}

/** CPU of all Chromium processes while nothing moves: paused, or with reduced motion. */
async function readRest(
	browser: Browser,
	how: "blank" | "paused" | "still",
	url: string,
	viewport: Size,
	name: string,
) {
	const readStolen = watchStolen();
	const reducedMotion = how === "still" ? "reduce" : "no-preference";
	const context = await browser.newContext({ viewport, reducedMotion });
	const page = await context.newPage();
	await page.goto(url);
	if (how !== "blank") await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
	if (how === "paused") await page.getByRole("button", { name: "Pause animations" }).click();
	await page.waitForTimeout(3000);
	const before = await cpuMs(browser);
	await page.waitForTimeout(REST_MS);
	const used = (await cpuMs(browser)) - before;
	await context.close();
	return reading(
		`CPU, ${how}, ${name}`,
		used / (REST_MS / 1000),
		"ms a second",
		sayStolen(readStolen()),
	);
}

async function cpuMs(browser: Browser): Promise<number> {
	const session = await browser.newBrowserCDPSession();
	const { processInfo } = await session.send("SystemInfo.getProcessInfo");
	await session.detach();
	return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}
