import { setTimeout as sleep } from "node:timers/promises";
import { launchChromium } from "../harness/browsers/chromium.ts";
import { openTab } from "../harness/browsers/tab.ts";
import { median } from "../verdict.ts";

/** A phone's window at 4x CPU throttle. */
const SCREEN = { width: 412, height: 823, deviceScaleFactor: 1.75, mobile: true };
const THROTTLE = { rate: 4 };
const PATIENCE_MS = 60_000;

/** In ms, one per run. */
export interface FirstPaints {
	plain: number[];
	pages: { site: string; path: string; ms: number[] }[];
}

/**
 * Alternates between pages: a machine that slows down affects all of them.
 * @param plain URL of a page of one line
 * @param sites URLs by their names in the table
 */
export async function firstPaints(
	plain: string,
	sites: Readonly<Record<string, string>>,
	paths: readonly string[],
	runs: number,
): Promise<FirstPaints> {
	const paints: FirstPaints = { plain: [], pages: [] };
	const turns = [{ url: plain, ms: paints.plain }];
	for (const path of paths) {
		for (const [site, url] of Object.entries(sites)) {
			const page = { site, path, ms: [] };
			paints.pages.push(page);
			turns.push({ url: url + path, ms: page.ms });
		}
	}
	for (let run = 0; run < runs; run++) {
		for (const { url, ms } of run % 2 === 0 ? turns : turns.toReversed()) {
			ms.push(await firstPaint(url));
		}
	}
	return paints;
}

/** Median, minimum and maximum, and the ratio of the median to that of the page of one line. */
export function sayFirstPaints({ plain, pages }: FirstPaints): string {
	const line = (title: string, ms: readonly number[]) => {
		const [middle, ...ends] = [median(ms), Math.min(...ms), Math.max(...ms)].map(Math.round);
		const ratio = (median(ms) / median(plain)).toFixed(2);
		return `${title.padEnd(29)}${ratio} of one line's; ${middle} (${ends.join("-")}) ms`;
	};
	return [
		"First paint of words on a phone at 4x throttle, software GL",
		line("one line", plain),
		...pages.map(({ site, path, ms }) => line(`${path} ${site}`, ms)),
	].join("\n");
}

/**
 * First Contentful Paint with software GL, where whatever is painted with the words delays them as
 * on a weak GPU.
 * @returns ms from the navigation
 * @throws Error if nothing is painted within a minute
 */
async function firstPaint(url: string): Promise<number> {
	const browser = await launchChromium({ graphics: "software" });
	try {
		const tab = await openTab(browser, "about:blank");
		await tab.send("Emulation.setDeviceMetricsOverride", SCREEN);
		await tab.send("Emulation.setCPUThrottlingRate", THROTTLE);
		// Lets the blank page's paint finish.
		await sleep(300);
		await tab.send("Page.navigate", { url });
		const deadline = Date.now() + PATIENCE_MS;
		while (Date.now() < deadline) {
			await sleep(200);
			// Fails while the page changes.
			const ms = await tab.evaluate<number | null>(PAINTED).catch(() => null);
			if (ms !== null) return ms;
		}
		throw new Error(`${url} painted no words within ${PATIENCE_MS / 1000} s.`);
	} finally {
		await browser.close();
	}
}

const PAINTED = `location.protocol === "about:" ? null :
	performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null`;
