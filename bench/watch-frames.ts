import type { Page } from "playwright-core";

/**
 * Pictures a second that the engine, or the cleared canvas in its place, draws: by what its overlay
 * says four times a second, and when. The overlay is read and not seen from now on: visitors have
 * none, and its plot is drawn on the page's thread.
 * @param page that plays with `?engine=stats`, or a `playCleared`
 * @returns 0 when the overlay said nothing
 */
export async function picturesPerSecond(page: Page, ms: number): Promise<number> {
	return await page.evaluate(async (ms) => {
		const seen: { pictures: number; at: number }[] = [];
		document.querySelector<HTMLElement>(".stats-overlay")!.style.visibility = "hidden";
		const text = document.querySelector(".stats-overlay pre")!;
		const watch = new MutationObserver(() => {
			const pictures = Number(/pictures +(\d+)/.exec(text.textContent ?? "")?.[1]);
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

/** ms from each of the page's own frames to the next, for so long. */
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
