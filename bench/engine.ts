/**
 * `npm run bench:engine`: what the engine costs a visitor of the built site, in real Chromium with
 * software GL, which stands for a very weak GPU. Prints, for a phone and a desktop: pictures a second
 * at the level that quality chose, the page's own frames meanwhile, a click's latency from the event
 * to the next paint, the longest block of the page's thread while the engine starts at 4x CPU
 * throttle, and the CPU of all of Chromium while the picture is paused, hidden or still.
 *
 * Times are for reading, not for gates: they hang on what else the machine does.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { launchChromium } from "../tests/browsers/chromium.ts";

const SIZES = [
	{ width: 390, height: 844 },
	{ width: 1440, height: 900 },
];
/** Quality settles within 10 s. */
const SETTLE_MS = 12_000;
const CLICKS = 40;
const REST_MS = 10_000;

async function startSite(): Promise<{ url: string; stop: () => Promise<void> }> {
	const folder = await mkdtemp(join(tmpdir(), "orbit-bench-"));
	const server = spawn(process.execPath, [join(process.cwd(), "dist/server/main.js")], {
		cwd: folder,
		env: { PATH: process.env.PATH, PORT: "0" },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const url = await new Promise<string>((resolve, reject) => {
		let output = "";
		server.stdout.on("data", (text) => {
			output += text;
			const found = /http:\/\/[\w.:]+\d/.exec(output);
			if (found) resolve(found[0]);
		});
		server.on("exit", (code) => reject(new Error(`The server ended with ${code}: ${output}`)));
	});
	const stop = async () => {
		server.removeAllListeners("exit");
		server.kill();
		await rm(folder, { recursive: true });
	};
	return { url, stop };
}

async function open(
	browser: Browser,
	url: string,
	options: BrowserContextOptions,
	prepare?: (page: Page, session: CDPSession) => Promise<void>,
): Promise<Page> {
	const page = await (await browser.newContext(options)).newPage();
	await prepare?.(page, await page.context().newCDPSession(page));
	await page.goto(url);
	await page.locator(".stage[data-way]").waitFor({ state: "attached" });
	return page;
}

/** ms of CPU that all processes of the browser have used so far. */
async function cpuMs(browser: Browser): Promise<number> {
	const session = await browser.newBrowserCDPSession();
	const { processInfo } = await session.send("SystemInfo.getProcessInfo");
	await session.detach();
	return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

function percentile(values: number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function playing(browser: Browser, url: string, path: string, viewport: (typeof SIZES)[0]) {
	const page = await open(browser, `${url}${path}?engine=stats`, { viewport });
	await page.waitForTimeout(SETTLE_MS);
	const overlay = () => page.locator(".stats-overlay pre").textContent();
	const measured = await page.evaluate(async () => {
		const pictures: number[] = [];
		let frames = 0;
		let counting = true;
		const count = () => {
			frames++;
			if (counting) requestAnimationFrame(count);
		};
		const shown = document.querySelector(".stats-overlay pre")!;
		const seen = new MutationObserver(() =>
			pictures.push(Number(/pictures +(\d+)/.exec(shown.textContent ?? "")?.[1])),
		);
		seen.observe(shown, { childList: true, characterData: true, subtree: true });
		requestAnimationFrame(count);
		const start = performance.now();
		await new Promise((resolve) => setTimeout(resolve, 5000));
		counting = false;
		seen.disconnect();
		const seconds = (performance.now() - start) / 1000;
		return {
			pageFps: frames / seconds,
			engineFps: (pictures.at(-1)! - pictures[0]!) / seconds,
		};
	});
	await page.evaluate(() => {
		const latencies: number[] = [];
		Object.assign(window, { latencies });
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries())
				if (entry.name === "pointerup") latencies.push(entry.duration);
		}).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
	});
	for (let click = 0; click < CLICKS; click++) {
		await page.mouse.click(10 + click, 200);
		await page.waitForTimeout(100);
	}
	const latencies = await page.evaluate(
		() => (window as never as { latencies: number[] }).latencies,
	);
	const level = /level +(.+)/.exec((await overlay()) ?? "")?.[1];
	await page.context().close();
	// Clicks under 16 ms are not reported at all.
	const all = [...latencies, ...Array<number>(Math.max(0, CLICKS - latencies.length)).fill(8)];
	return { ...measured, level, clickP95: percentile(all, 0.95) };
}

/** The longest task of the page's thread from the moment the engine's first file is asked for. */
async function starting(browser: Browser, url: string, viewport: (typeof SIZES)[0]) {
	const page = await open(browser, url, { viewport }, async (page, session) => {
		await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
		await page.addInitScript(() => {
			const tasks: { at: number; ms: number }[] = [];
			Object.assign(window, { tasks });
			new PerformanceObserver((list) => {
				for (const { startTime, duration } of list.getEntries())
					tasks.push({ at: startTime, ms: duration });
			}).observe({ type: "longtask", buffered: true });
		});
	});
	await page.waitForTimeout(3000);
	const longest = await page.evaluate(() => {
		const { tasks } = window as never as { tasks: { at: number; ms: number }[] };
		const engine = performance
			.getEntriesByType("resource")
			.find(({ name }) => /assets\/engine-/.test(name));
		const during = tasks.filter(({ at }) => engine && at >= engine.startTime);
		return Math.max(0, ...during.map(({ ms }) => ms));
	});
	await page.context().close();
	return longest;
}

async function resting(browser: Browser, url: string, how: "paused" | "still" | "blank") {
	const reducedMotion = how === "still" ? "reduce" : "no-preference";
	const context = await browser.newContext({ viewport: SIZES[0]!, reducedMotion });
	const page = await context.newPage();
	if (how !== "blank") {
		await page.goto(url);
		await page.locator(".stage[data-way]").waitFor({ state: "attached" });
		if (how === "paused") await page.getByRole("button", { name: "Pause animations" }).click();
	}
	await page.waitForTimeout(3000);
	const before = await cpuMs(browser);
	await page.waitForTimeout(REST_MS);
	const used = (await cpuMs(browser)) - before;
	await context.close();
	return used;
}

const site = await startSite();
const browser = await launchChromium({ graphics: "software" });
try {
	for (const viewport of SIZES) {
		for (const path of ["/", "/confirmation"]) {
			const { engineFps, pageFps, clickP95, level } = await playing(
				browser,
				site.url,
				path,
				viewport,
			);
			console.log(
				`${viewport.width} x ${viewport.height} ${path}: ${engineFps.toFixed(1)} pictures/s at level ${level}, ` +
					`page ${pageFps.toFixed(1)} frames/s, click p95 ${clickP95} ms`,
			);
		}
		const blocks: number[] = [];
		for (let run = 0; run < 5; run++) blocks.push(await starting(browser, site.url, viewport));
		console.log(
			`${viewport.width} x ${viewport.height} start at 4x throttle, longest tasks of 5 runs: ` +
				`${blocks.map((ms) => ms.toFixed(0)).join(", ")} ms (0: none of 50 ms or more)`,
		);
	}
	for (const how of ["blank", "paused", "still"] as const)
		console.log(
			`${how}: ${(await resting(browser, site.url, how)).toFixed(0)} ms of CPU in ${REST_MS / 1000} s`,
		);
} finally {
	await browser.close();
	await site.stop();
}
