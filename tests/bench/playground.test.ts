/** @module-tag slow */
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../../bench/harness/browsers/chromium.ts";
import { servePlayground } from "../../bench/playground/build.ts";
import { fingerprint } from "../../engine/simulation/fingerprint.ts";
import { restoreSimulation } from "../../engine/simulation/index.ts";

let server: Awaited<ReturnType<typeof servePlayground>>;
let browser: Browser;
const complaints: string[] = [];

beforeAll(async () => {
	server = await servePlayground(0);
	browser = await launchChromium({ graphics: "processor" });
});

afterAll(async () => {
	await browser?.close();
	await server?.close();
});

afterEach(async () => {
	for (const context of browser.contexts()) await context.close();
	expect(complaints.splice(0)).toEqual([]);
});

async function open(query = "", options: BrowserContextOptions = {}): Promise<Page> {
	const context = await browser.newContext({
		viewport: { width: 1300, height: 900 },
		permissions: ["clipboard-read", "clipboard-write"],
		...options,
	});
	const page = await context.newPage();
	page.on("pageerror", (error) => complaints.push(String(error)));
	page.on("console", (message) => {
		// Chromium logs this performance warning on machines without a GPU.
		if (message.text().includes("GPU stall")) return;
		if (["error", "warning"].includes(message.type())) complaints.push(message.text());
	});
	await page.goto(server.url + query);
	return page;
}

const text = (page: Page, id: string) => page.locator(`#${id}`).textContent();
const tickOf = async (page: Page) => Number(await page.locator("#tick").inputValue());
const agrees = (page: Page, backend: string) =>
	expect.poll(() => text(page, "agreement")).toBe(`${backend} agrees`);

test("a link opens at the same tick with the same fingerprint", async () => {
	const page = await open();
	await page.getByRole("combobox", { name: "Scenario" }).selectOption("fireworks");
	await page.getByRole("spinbutton", { name: "Seed" }).fill("7");
	await page.getByRole("combobox", { name: "Backend" }).selectOption("flat");
	await page.getByRole("combobox", { name: "Quality" }).selectOption("3");
	await page.getByRole("spinbutton", { name: "Tick" }).fill("777");
	await page.keyboard.press("Enter");
	await agrees(page, "flat");
	await page.getByRole("button", { name: "Copy link" }).click();
	await expect.poll(() => text(page, "status")).toBe("Link copied: tick 777.");
	const link = await page.evaluate(() => navigator.clipboard.readText());
	const print = await text(page, "fingerprint");
	const query = `?tick=777&scenario=fireworks&seed=7&way=flat&level=3&fingerprint=${print}`;
	expect(new URL(link).search).toBe(query);

	const other = await open(query);
	await expect.poll(() => text(other, "status")).toContain("Same run as in the link.");
	expect(await text(other, "fingerprint")).toBe(print);
	expect(await text(other, "counters")).toContain("quality level3,");
});

test("a link's invalid parts are named and ignored", async () => {
	const page = await open("?scenario=snow&seed=7");
	expect(await text(page, "status")).toContain("scenario=snow is invalid and was ignored.");
	expect(await page.getByRole("spinbutton", { name: "Seed" }).inputValue()).toBe("7");
});

test.each(["worker", "page"])("%s plays, counts and rests at the displayed tick", async (way) => {
	const page = await open(`?scenario=both&tick=100&way=${way}`);
	const track = page.getByRole("slider");
	await track.focus();
	await page.keyboard.press("ArrowRight");
	expect(await tickOf(page)).toBe(101);
	await agrees(page, way);
	await page.keyboard.press("Space");
	await expect.poll(() => text(page, "frames")).toMatch(/^median \d/);
	await expect.poll(() => text(page, "counters")).toMatch(/GL calls per picture[1-9]/);
	await page.keyboard.press("Space");
	expect(await text(page, "play")).toBe("Play");
	await agrees(page, way);
	const tick = await tickOf(page);
	expect(tick).toBeGreaterThan(101);
	const again = restoreSimulation({ seed: 42, inputs: [{ tick: 0, scene: "both" }], tick });
	expect(await text(page, "fingerprint")).toBe(fingerprint(again));
});

test.each([
	[1440, "light"],
	[360, "dark"],
] as const)("axe finds no violations at %d px, %s", async (width, colorScheme) => {
	const page = await open("?scenario=both&tick=600", {
		viewport: { width, height: 800 },
		colorScheme,
	});
	await agrees(page, "worker");
	await page.addScriptTag({ path: createRequire(import.meta.url).resolve("axe-core/axe.min.js") });
	const { violations } = await page.evaluate(() =>
		(window as never as { axe: { run(): Promise<AxeResults> } }).axe.run(),
	);
	expect(
		violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
	).toEqual([]);
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
});
