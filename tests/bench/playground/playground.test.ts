/** @module-tag slow */
/** The playground as built and served by `npm run bench:page`, in Chromium with software GL. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { servePlayground } from "../../../bench/playground/build.ts";
import { record } from "../../../engine/simulation/replay.ts";

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
		// Wide enough to keep the picture visible while scrolling.
		viewport: { width: 1300, height: 900 },
		permissions: ["clipboard-read", "clipboard-write"],
		...options,
	});
	const page = await context.newPage();
	page.on("pageerror", (error) => complaints.push(String(error)));
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) complaints.push(message.text());
	});
	await page.goto(server.url + query);
	return page;
}

const text = (page: Page, id: string) => page.locator(`#${id}`).textContent();
const printOf = (page: Page) => text(page, "fingerprint");
const statusOf = (page: Page) => text(page, "status");
const tickOf = (page: Page) => page.getByRole("slider", { name: "Tick" }).inputValue();
const agrees = (page: Page, backend: string) =>
	expect.poll(() => text(page, "agreement")).toBe(`${backend} agrees`);

test("a link opens at the same tick with the same fingerprint", async () => {
	const page = await open();
	await page.getByRole("combobox", { name: "Scenario" }).selectOption("fireworks");
	await page.getByRole("spinbutton", { name: "Seed" }).fill("7");
	await page.getByRole("combobox", { name: "Backend" }).selectOption("flat");
	await page.getByRole("combobox", { name: "Quality" }).selectOption("3");
	await page.getByRole("spinbutton", { name: "tick", exact: true }).fill("777");
	await page.keyboard.press("Enter");
	await page.getByRole("button", { name: "Copy link" }).click();
	await expect.poll(() => statusOf(page)).toContain("Link copied: tick 777, at rest");
	const link = await page.evaluate(() => navigator.clipboard.readText());
	const print = await printOf(page);
	expect(link).toContain(
		`?scenario=fireworks&seed=7&ticks=6000&tick=777&way=flat&level=3&print=${print}`,
	);
	await agrees(page, "flat");

	const other = await open(new URL(link).search);
	expect(await printOf(other)).toBe(print);
	expect(await statusOf(other)).toContain(`The same fingerprint as in the link: ${print}.`);
	expect(await other.getByRole("spinbutton", { name: "Seed" }).inputValue()).toBe("7");
	expect(await other.getByRole("combobox", { name: "Quality" }).inputValue()).toBe("3");
	expect(await tickOf(other)).toBe("777");
	await agrees(other, "flat");
});

test("the keyboard scrubs, steps, plays and pauses", async () => {
	const page = await open("?scenario=both&tick=100");
	await page.getByRole("slider", { name: "Tick" }).focus();
	const press = async (key: string) => {
		await page.keyboard.press(key);
		return tickOf(page);
	};
	expect(await press("ArrowRight")).toBe("101");
	expect(await press("PageUp")).toBe("161");
	expect(await press("PageDown")).toBe("101");
	expect(await press("ArrowLeft")).toBe("100");
	expect(await press("End")).toBe("6000");
	expect(await press("Home")).toBe("0");
	await agrees(page, "worker");
	await press("Space");
	await expect.poll(async () => Number(await tickOf(page))).toBeGreaterThan(30);
	await press("Space");
	expect(await page.locator("#play").textContent()).toBe("Play");
	// At rest, the picture is exactly at the displayed tick.
	await agrees(page, "worker");
	const [tick, print] = [Number(await tickOf(page)), await printOf(page)];
	const { checkpoints } = record(42, [{ tick: 0, scene: "both" }], tick, tick);
	expect(checkpoints.at(-1)?.[1]).toBe(print);
});

test("a replay file is recorded, and replays identically", async () => {
	const page = await open("?scenario=both&seed=5&ticks=300");
	const downloading = page.waitForEvent("download");
	await page.getByRole("button", { name: "Record and download" }).click();
	const download = await downloading;
	expect(download.suggestedFilename()).toBe("both-5-300.replay.json");
	const written = await readFile(await download.path(), "utf8");
	expect(JSON.parse(written)).toEqual(record(5, [{ tick: 0, scene: "both" }], 300));

	const other = await open();
	await other.getByLabel("Load a file").setInputFiles(await download.path());
	await expect.poll(() => statusOf(other)).toContain("The replay is identical");
	expect(await other.getByRole("spinbutton", { name: "Seed" }).inputValue()).toBe("5");
	expect(await other.getByRole("combobox", { name: "Scenario" }).inputValue()).toBe("both");
	expect(await other.getByRole("spinbutton", { name: "Length" }).inputValue()).toBe("300");
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
