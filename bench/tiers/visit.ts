/** Measurements of a visit to the built site, from outside of the page. */
import type { Browser, Page } from "playwright-core";

export interface Start {
	/** ms from requesting the engine's first file to its first visible picture. */
	readonly firstMs: number;
	/** ms of the longest task of the page's thread during the start; 0 if none took 50. */
	readonly blockMs: number;
}

/**
 * Opens a page whose CPU is `throttle` times as slow, and waits for its engine.
 * @throws Error if the page requests no engine
 */
export async function startEngine(
	browser: Browser,
	url: string,
	{ viewport, throttle }: { viewport: { width: number; height: number }; throttle: number },
): Promise<Start> {
	const context = await browser.newContext({ viewport });
	try {
		const page = await context.newPage();
		const session = await context.newCDPSession(page);
		await session.send("Emulation.setCPUThrottlingRate", { rate: throttle });
		await page.addInitScript(() => {
			const tasks: { at: number; ms: number }[] = [];
			Object.assign(window, { tasks, shownAt: 0 });
			new PerformanceObserver((list) => {
				for (const { startTime, duration } of list.getEntries()) {
					tasks.push({ at: startTime, ms: duration });
				}
			}).observe({ type: "longtask", buffered: true });
			new MutationObserver(() => {
				if (document.querySelector(".stage[data-backend]")) {
					(window as never as { shownAt: number }).shownAt ||= performance.now();
				}
			}).observe(document, { subtree: true, attributeFilter: ["data-backend"] });
		});
		await page.goto(url);
		await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
		await page.waitForTimeout(1000);
		return await page.evaluate(() => {
			const { tasks, shownAt } = window as never as {
				tasks: { at: number; ms: number }[];
				shownAt: number;
			};
			const asked = performance
				.getEntriesByType("resource")
				.find(({ name }) => /assets\/engine-(?!settings)/.test(name))?.startTime;
			if (asked === undefined) throw new Error("The page did not request its engine.");
			const during = tasks.filter(({ at, ms }) => at + ms >= asked && at <= shownAt);
			return { firstMs: shownAt - asked, blockMs: Math.max(0, ...during.map(({ ms }) => ms)) };
		});
	} finally {
		await context.close();
	}
}

/** Hides the overlay for good: visitors have none, and its plot is drawn on the page's thread. */
export async function hideOverlay(page: Page): Promise<void> {
	await page.locator(".stats-overlay").evaluate((overlay) => {
		(overlay as HTMLElement).style.visibility = "hidden";
	});
}

/**
 * From the overlay, which counts four times a second.
 * @param page one that plays with `?engine=stats`, or by `playCleared`
 * @returns 0 if the overlay is empty
 */
export async function picturesPerSecond(page: Page, ms: number): Promise<number> {
	return await page.evaluate(async (ms) => {
		const seen: { pictures: number; at: number }[] = [];
		const text = document.querySelector(".stats-overlay pre")!;
		const watch = new MutationObserver(() => {
			const pictures = Number(/drawn +(\d+)/.exec(text.textContent ?? "")?.[1]);
			seen.push({ pictures, at: performance.now() });
		});
		watch.observe(text, { childList: true, characterData: true, subtree: true });
		await new Promise((resolve) => setTimeout(resolve, ms));
		watch.disconnect();
		const [first, last] = [seen[0], seen.at(-1)];
		return first && last && last.at > first.at
			? (1000 * (last.pictures - first.pictures)) / (last.at - first.at)
			: 0;
	}, ms);
}

export async function pageIntervals(page: Page, watchMs: number): Promise<number[]> {
	return await page.evaluate(
		(watchMs) =>
			new Promise<number[]>((resolve) => {
				const intervals: number[] = [];
				let latest = 0;
				let first = 0;
				const see = (timeMs: number) => {
					first ||= timeMs;
					if (latest > 0) intervals.push(timeMs - latest);
					latest = timeMs;
					if (timeMs - first < watchMs) requestAnimationFrame(see);
					else resolve(intervals);
				};
				requestAnimationFrame(see);
			}),
		watchMs,
	);
}

/**
 * The 95th percentile from a click on the picture to the next paint. Event Timing measures up to
 * the paint; the handler's time alone would hide a busy GPU.
 */
export async function clickMs(page: Page, clicks: number): Promise<number> {
	await page.evaluate(() => {
		const durations: number[] = [];
		Object.assign(window, { durations });
		new PerformanceObserver((list) => {
			for (const { name, duration } of list.getEntries()) {
				if (name === "pointerup") durations.push(duration);
			}
		}).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
	});
	for (let click = 0; click < clicks; click++) {
		await page.mouse.click(10 + click, 200);
		await page.waitForTimeout(97);
	}
	const durations = await page.evaluate(
		() => (window as never as { durations: number[] }).durations,
	);
	// Chromium counts in steps of 8 ms, and does not report durations under 16.
	const quick = Array<number>(Math.max(0, clicks - durations.length)).fill(8);
	return [...quick, ...durations].sort((a, b) => a - b)[Math.floor(clicks * 0.95)]!;
}
