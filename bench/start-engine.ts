import type { Browser } from "playwright-core";

/** How the engine started for one visitor. */
export interface Start {
	/** ms from asking for the engine's first file to its first shown picture. */
	readonly firstMs: number;
	/** ms of the longest task of the page's thread meanwhile; 0 when none took 50. */
	readonly blockMs: number;
}

/**
 * Opens a page whose CPU is `throttle` times as slow, and waits for its engine.
 * @throws Error when the page does not ask for an engine
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
				for (const { startTime, duration } of list.getEntries())
					tasks.push({ at: startTime, ms: duration });
			}).observe({ type: "longtask", buffered: true });
			new MutationObserver(() => {
				if (document.querySelector(".stage[data-backend]"))
					(window as never as { shownAt: number }).shownAt ||= performance.now();
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
			if (asked === undefined) throw new Error("The page has not asked for its engine.");
			const during = tasks.filter(({ at, ms }) => at + ms >= asked && at <= shownAt);
			return { firstMs: shownAt - asked, blockMs: Math.max(0, ...during.map(({ ms }) => ms)) };
		});
	} finally {
		await context.close();
	}
}
