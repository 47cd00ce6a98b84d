import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../../../bench/harness/browsers/chromium.ts";
import { openTab } from "../../../../bench/harness/browsers/tab.ts";
import { startServer } from "../../../server-process.ts";
import { sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { headlineStart } from "../../sentences.ts";
import { hold } from "../visit.ts";

/* What the visitor sees while parts of the page are still on their way, and after the way back. */

let browser: Browser;

beforeAll(async () => {
	browser = await sharedChromium();
});

/** A new visitor's tab, on a server of their own, without a page yet. */
async function begin(viewport = { width: 1280, height: 720 }): Promise<Page> {
	const server = await startServer({ folder: await temporaryFolder() });
	const context = await browser.newContext({ baseURL: server.url, viewport });
	onTestFinished(() => context.close());
	return context.newPage();
}

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 720 };

const visits = ["/", "/confirmation"].flatMap((path) =>
	[phone, desktop].map((viewport) => ({ path, viewport, width: viewport.width })),
);

test.each(visits)(
	"nothing moves on $path at $width px, however late fonts, application and engine come",
	async ({ path, viewport }) => {
		const page = await begin(viewport);
		await page.addInitScript(() => {
			Object.assign(window, { shift: 0 });
			new PerformanceObserver((list) => {
				for (const entry of list.getEntries()) {
					window.shift += (entry as PerformanceEntry & { value: number }).value;
				}
			}).observe({ type: "layout-shift", buffered: true });
		});
		const releases = [];
		for (const file of [/\.woff2$/, /\/main-[^/]+\.js$/, /\/engine-[^/]+\.js$/]) {
			releases.push(await hold(page, file));
		}
		await page.goto(path, { waitUntil: "commit" });
		for (const release of releases) {
			await page.waitForTimeout(500);
			release();
		}
		await page.evaluate(() => document.fonts.ready);
		if ((await page.locator("script").count()) > 0) {
			await page.locator(".stage[data-backend=worker]").waitFor({ state: "attached" });
		}
		await page.waitForTimeout(300);
		// Legal texts have the same face under a name of their own.
		const isThere = await page.evaluate(() => {
			const [face] = getComputedStyle(document.querySelector("p")!).fontFamily.split(",");
			return document.fonts.check(`1em ${face}`);
		});
		expect(isThere).toBe(true);
		expect(await page.evaluate(() => window.shift)).toBeLessThan(0.01);
	},
);

declare global {
	interface Window {
		shift: number;
		/** Frames in which a line of the headline, or its first word, was invisible. */
		hidden: number;
		watched: number;
		largest: string[];
		cameBack: boolean;
	}
}

test("the headline is there from the first paint on, whatever is still loading", async () => {
	const page = await begin();
	await page.addInitScript(() => {
		Object.assign(window, { hidden: 0, watched: 0, largest: [] });
		const isSeen = (element: Element) =>
			element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
			Number(getComputedStyle(element).opacity) > 0.9;
		const watch = () => {
			const lines = [...document.querySelectorAll("h1 .line")];
			if (lines.length > 0) {
				window.watched++;
				if (!lines.every(isSeen)) window.hidden++;
				// Another test is about the words that follow.
				const first = document.querySelector('.word:first-child[data-turn="now"] .ink');
				if (first && !isSeen(first)) window.hidden++;
			}
			requestAnimationFrame(watch);
		};
		requestAnimationFrame(watch);
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries() as (PerformanceEntry & { element?: Element })[]) {
				window.largest.push(entry.element?.closest("h1, p, form, header")?.tagName ?? "nothing");
			}
		}).observe({ type: "largest-contentful-paint", buffered: true });
	});
	const releaseFonts = await hold(page, /\.woff2$/);
	const releaseCode = await hold(page, /\.js$/);
	await page.goto("/", { waitUntil: "commit" });
	await expect.poll(() => page.evaluate(() => window.largest)).toContain("H1");
	expect(await page.evaluate(() => performance.getEntriesByType("paint").length)).toBe(2);
	releaseFonts();
	releaseCode();
	await page.locator(".stage[data-backend=worker]").waitFor({ state: "attached" });
	await page.waitForTimeout(500);
	const { watched, hidden } = await page.evaluate(() => ({
		watched: window.watched,
		hidden: window.hidden,
	}));
	expect(watched).toBeGreaterThan(5);
	expect(hidden).toBe(0);
});

test("going back shows the page as it was left, and the engine plays on", {
	tags: "slow",
}, async () => {
	const { url } = await startServer({ folder: await temporaryFolder() });
	const browser = await launchChromium({ graphics: "processor", backForwardCache: true });
	onTestFinished(() => browser.close());
	const tab = await openTab(browser, `${url}/?engine=stats`);
	const tick = async () =>
		Number(
			/tick +(\d+)/.exec(
				await tab.evaluate<string>(
					`document.querySelector(".stats-overlay pre")?.textContent ?? ""`,
				),
			)?.[1] ?? 0,
		);
	await expect.poll(tick).toBeGreaterThan(30);
	await tab.evaluate(`{
		document.querySelector("#email").value = "ada@exam";
		addEventListener("pageshow", ({ persisted }) => { window.cameBack = persisted; });
		location.href = "/privacy";
	}`);
	const heading = () => tab.evaluate<string>(`document.querySelector("h1")?.textContent`);
	await expect.poll(heading).toBe("Privacy Policy");
	await tab.evaluate("history.back()");
	await expect.poll(heading).toContain(headlineStart);
	expect(await tab.evaluate("window.cameBack")).toBe(true);
	expect(await tab.evaluate(`document.querySelector("#email").value`)).toBe("ada@exam");
	const back = await tick();
	await expect.poll(tick).toBeGreaterThan(back + 30);
	expect(await tab.evaluate(`document.querySelector(".stage").dataset.backend`)).toBe("worker");
});
