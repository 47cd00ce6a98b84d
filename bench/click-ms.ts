import type { Page } from "playwright-core";

/**
 * ms from a click to the next paint, the 95th of a hundred, of as many clicks on the picture as asked
 * for. By Event Timing, which counts to the paint: the handler alone hides what a busy GPU does.
 */
export async function clickMs(page: Page, clicks: number): Promise<number> {
	await page.evaluate(() => {
		const durations: number[] = [];
		Object.assign(window, { durations });
		new PerformanceObserver((list) => {
			for (const { name, duration } of list.getEntries())
				if (name === "pointerup") durations.push(duration);
		}).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
	});
	for (let click = 0; click < clicks; click++) {
		await page.mouse.click(10 + click, 200);
		await page.waitForTimeout(97);
	}
	const durations = await page.evaluate(
		() => (window as never as { durations: number[] }).durations,
	);
	// Chromium counts in steps of 8 ms, and does not report what is under 16.
	const quick = Array<number>(Math.max(0, clicks - durations.length)).fill(8);
	return [...quick, ...durations].sort((a, b) => a - b)[Math.floor(clicks * 0.95)]!;
}
