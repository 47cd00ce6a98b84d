import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { sharedChromium } from "../../../shared.ts";

/** Where screenshots to look at are written. */
export const pictures = "node_modules/.cache/office";
/** Windows in which each page is looked at. */
const sizes = [[320, 640]] as const;

type Options = NonNullable<Parameters<Awaited<ReturnType<typeof sharedChromium>>["newContext"]>[0]>;

/** A tab of a browser context of its own. */
export async function openTab(options: Options = {}): Promise<Page> {
	const context = await (await sharedChromium()).newContext(options);
	onTestFinished(() => context.close());
	return context.newPage();
}

/** Signs in by a link. */
export async function signIn(page: Page, link: string): Promise<void> {
	await page.goto(link);
	await page.getByRole("button", { name: "Open the office" }).click();
	await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
}

/** What the page is called. */
export const heading = (page: Page) => page.locator("h1").textContent();

/** What is wrong with the controls of a page: too small, or outside of the window. */
function examine(): string[] {
	const { scrollWidth, clientWidth } = document.documentElement;
	const sideways = scrollWidth > clientWidth ? [`scrolls sideways by ${scrollWidth}`] : [];
	const controls = document.querySelectorAll<HTMLElement>("a, button, input, select, summary");
	const small = [...controls].filter((control) => {
		// Its label is pressed as well.
		const { height } = (control.closest("label") ?? control).getBoundingClientRect();
		const isShown = control.checkVisibility() && control.matches(":not(.skip, [type=hidden])");
		return isShown && height < 43.99;
	});
	return [...sideways, ...small.map((control) => `small: ${control.textContent}`)];
}

/**
 * What axe finds in a page.
 *
 * @param iframes whether it looks into frames; it cannot where a sandbox allows no script
 */
async function findings(page: Page, iframes = true): Promise<string[]> {
	const frames = iframes ? page.frames() : [page.mainFrame()];
	for (const frame of frames) await frame.evaluate(axe.source);
	const { violations } = await page.evaluate(async (iframes) => {
		const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
		return axe.run(document, {
			runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
			resultTypes: ["violations"],
			iframes,
		});
	}, iframes);
	return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
}

/**
 * A tab that looks at pages in every size of window: controls and axe.
 *
 * @param iframes whether axe looks into frames; it cannot where a sandbox allows no script
 */
export async function openLookingTab(colorScheme: "light" | "dark", { iframes = true } = {}) {
	// The policy would block axe.
	const page = await openTab({ bypassCSP: true, colorScheme, reducedMotion: "reduce" });
	const look = async (name: string) => {
		for (const [width, height] of sizes) {
			await page.setViewportSize({ width, height });
			expect.soft(await page.evaluate(examine), `${name}, ${width} px`).toEqual([]);
		}
		expect.soft(await findings(page, iframes), name).toEqual([]);
	};
	return { page, look };
}
