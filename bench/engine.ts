/**
 * `npm run bench:engine`: what the engine costs a visitor of the built site, in real Chromium without
 * a GPU, where the processor draws and puts the page together. Prints, for a phone and a desktop:
 * pictures a second at the level that quality chose, the page's own frames meanwhile, a click's
 * latency from the event to the next paint, the longest block of the page's thread while the engine
 * starts at 4x CPU throttle, and the CPU of all of Chromium while the picture is paused or still.
 *
 * Times are for reading, not for gates: they hang on what else the machine does.
 */
import type { Browser } from "playwright-core";
import { launchChromium } from "../tests/browsers/chromium.ts";
import { serveBuiltSite } from "./built-site.ts";
import { clickMs } from "./click-ms.ts";
import { startEngine } from "./start-engine.ts";

const SIZES = [
	{ width: 390, height: 844 },
	{ width: 1440, height: 900 },
];
/** Quality settles within 10 s. */
const SETTLE_MS = 12_000;
const CLICKS = 40;
const REST_MS = 10_000;

/** ms of CPU that all processes of the browser have used so far. */
async function cpuMs(browser: Browser): Promise<number> {
	const session = await browser.newBrowserCDPSession();
	const { processInfo } = await session.send("SystemInfo.getProcessInfo");
	await session.detach();
	return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0);
}

async function playing(browser: Browser, url: string, path: string, viewport: (typeof SIZES)[0]) {
	const page = await browser.newPage({ viewport });
	await page.goto(`${url}${path}?engine=stats`);
	await page.locator(".stage[data-way]").waitFor({ state: "attached" });
	await page.waitForTimeout(SETTLE_MS);
	const overlay = () => page.locator(".stats-overlay pre").textContent();
	const measured = await page.evaluate(async () => {
		// What the overlay says, and when: it says it four times a second.
		const pictures: number[] = [];
		const times: number[] = [];
		let frames = 0;
		let counting = true;
		const count = () => {
			frames++;
			if (counting) requestAnimationFrame(count);
		};
		const shown = document.querySelector(".stats-overlay pre")!;
		const seen = new MutationObserver(() => {
			pictures.push(Number(/pictures +(\d+)/.exec(shown.textContent ?? "")?.[1]));
			times.push(performance.now());
		});
		seen.observe(shown, { childList: true, characterData: true, subtree: true });
		requestAnimationFrame(count);
		const start = performance.now();
		await new Promise((resolve) => setTimeout(resolve, 5000));
		counting = false;
		seen.disconnect();
		const seconds = (performance.now() - start) / 1000;
		return {
			pageFps: frames / seconds,
			engineFps: ((pictures.at(-1)! - pictures[0]!) / (times.at(-1)! - times[0]!)) * 1000,
		};
	});
	const clickP95 = await clickMs(page, CLICKS);
	const level = /level +(.+)/.exec((await overlay()) ?? "")?.[1];
	await page.close();
	return { ...measured, level, clickP95 };
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

const site = await serveBuiltSite(process.cwd());
const browser = await launchChromium({ graphics: "processor" });
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
		for (let run = 0; run < 5; run++)
			blocks.push((await startEngine(browser, site.url, { viewport, throttle: 4 })).blockMs);
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
