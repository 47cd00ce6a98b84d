import { expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../../../bench/harness/browsers/chromium.ts";
import { openTab } from "../../../../bench/harness/browsers/tab.ts";
import { sharedChromium, sharedSite } from "../../../shared.ts";
import { headlineStart } from "../../sentences.ts";
import { holdRequests, nextFrames, waitUntilReady } from "../visit.ts";

declare global {
	interface Window {
		shift: number;
		/** Frames with an invisible headline line or first word. */
		hidden: number;
		largest: string[];
	}
}

function watch(): void {
	Object.assign(window, { shift: 0, hidden: 0, largest: [] });
	const isSeen = (element: Element) =>
		element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
		Number(getComputedStyle(element).opacity) > 0.9;
	const look = () => {
		// Looks only at the first rotating word. Another test covers the others.
		const parts = document.querySelectorAll('h1 .line, .word:first-child[data-turn="now"] .ink');
		if (![...parts].every(isSeen)) window.hidden++;
		requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
	type Entry = PerformanceEntry & { value: number; element?: Element };
	new PerformanceObserver((list) => {
		for (const { value } of list.getEntries() as Entry[]) window.shift += value;
	}).observe({ type: "layout-shift", buffered: true });
	new PerformanceObserver((list) => {
		for (const { element } of list.getEntries() as Entry[]) {
			window.largest.push(element?.closest("h1, p, form, header")?.tagName ?? "nothing");
		}
	}).observe({ type: "largest-contentful-paint", buffered: true });
}

test.each([
	{ path: "/", width: 390, height: 844 },
	{ path: "/confirmation", width: 1280, height: 720 },
])(
	"on $path at $width px the heading shows from the first paint and nothing shifts, however late fonts, application and engine arrive",
	async ({ path, ...viewport }) => {
		const { url } = await sharedSite();
		const context = await (await sharedChromium()).newContext({ baseURL: url, viewport });
		onTestFinished(() => context.close());
		const page = await context.newPage();
		await page.addInitScript(watch);
		const releaseFonts = await holdRequests(page, /\.woff2$/);
		const releaseCode = await holdRequests(page, /\/main-[^/]+\.js$/);
		const releaseEngine = await holdRequests(page, /\/engine-[^/]+\.js$/);
		await page.goto(path, { waitUntil: "commit" });
		await expect.poll(() => page.evaluate(() => window.largest)).toContain("H1");
		expect(await page.evaluate(() => performance.getEntriesByType("paint").length)).toBe(2);
		releaseFonts();
		await page.evaluate(() => document.fonts.ready);
		releaseCode();
		await waitUntilReady(page);
		releaseEngine();
		await page.locator(".stage[data-backend=worker]").waitFor({ state: "attached" });
		await nextFrames(page);
		const { shift, hidden, isThere } = await page.evaluate(() => {
			const [face] = getComputedStyle(document.querySelector("p")!).fontFamily.split(",");
			const { shift, hidden } = window;
			return { shift, hidden, isThere: document.fonts.check(`1em ${face}`) };
		});
		expect(isThere).toBe(true);
		expect(shift).toBeLessThan(0.01);
		expect(hidden).toBe(0);
	},
);

test("going back restores the page, and the engine plays on", { tags: "slow" }, async () => {
	const { url } = await sharedSite();
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
	const backend = () => tab.evaluate(`document.querySelector(".stage").dataset.backend`);
	const played = await backend();
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
	expect(await backend()).toBe(played);
});
