/** @module-tag slow */
/** The playground as `npm run bench:page` builds and serves it, in Chromium with software GL. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { MARKS } from "../../../bench/harness/scenarios.ts";
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
		// Wide enough for the picture to stay in sight while other things are scrolled to.
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

test("a link opens at the same tick with the same fingerprint, and says so", async () => {
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

test("a link with another fingerprint says so", async () => {
	const page = await open("?scenario=both&seed=1&tick=600&print=0123456789abcdef");
	expect(await statusOf(page)).toBe(
		`Not as in the link: 0123456789abcdef there, ${await printOf(page)} here, tick 600.`,
	);
});

test.each(["worker", "page", "flat"])(
	"a pinned tick, drawn by the %s, is as tests pin it",
	async (backend) => {
		const page = await open(`?scenario=visit&seed=42&tick=600&way=${backend}`);
		await agrees(page, backend);
		expect(MARKS["visit 42"]?.[2]).toContain(`600 ${await printOf(page)} `);
	},
);

test("each part of an address that cannot be read is named", async () => {
	const page = await open("?seed=many");
	expect(await statusOf(page)).toBe(
		"seed=many is passed over: it must be a whole number from 0 to 4294967295.",
	);
	expect(await page.getByRole("spinbutton", { name: "Seed" }).inputValue()).toBe("42");
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
	// At rest, the picture is exactly at the tick that is shown.
	await agrees(page, "worker");
	const [tick, print] = [Number(await tickOf(page)), await printOf(page)];
	const { checkpoints } = record(42, [{ tick: 0, scene: "both" }], tick, tick);
	expect(checkpoints.at(-1)?.[1]).toBe(print);
});

test("it stops at the end of its timeline, and begins again from there", async () => {
	const page = await open("?scenario=drift&ticks=40&tick=30");
	await page.getByRole("button", { name: "Play" }).click();
	await expect.poll(() => statusOf(page)).toBe("Stopped at tick 40.");
	await agrees(page, "worker");
	await page.getByRole("button", { name: "Play" }).click();
	await expect.poll(() => statusOf(page)).toBe("Playing.");
});

test("while it plays, the instruments show what was counted", async () => {
	const page = await open("?scenario=both&tick=600&play=1&level=2");
	const said = (title: string) => page.getByRole("img", { name: title }).getAttribute("aria-label");
	await expect.poll(() => said("Counters")).toMatch(/\d+ alive, 2 draw calls, \d+ GL objects/);
	const objects = /(\d+) GL objects/.exec((await said("Counters")) ?? "")?.[1];
	expect(Number(objects)).toBeGreaterThan(3);
	await expect.poll(() => said("Frame time")).toMatch(/median \d/);
	await expect.poll(() => said("Ticks")).toMatch(/\d+ per second, \d+ dropped/);
	expect(await said("Quality")).toBe("Quality: level 2 of 8");
	// A second later, no GL object has been added.
	const tick = Number(await tickOf(page));
	await expect.poll(async () => Number(await tickOf(page))).toBeGreaterThan(tick + 60);
	expect(await said("Counters")).toContain(`${objects} GL objects`);
});

test("the engine draws by the chosen pixel ratio", async () => {
	const page = await open("?scenario=drift&tick=600&way=page&level=8&ratio=2");
	await agrees(page, "page");
	const ratio = () =>
		page
			.locator("canvas")
			.first()
			.evaluate((canvas: HTMLCanvasElement) => canvas.width / canvas.clientWidth);
	expect(await ratio()).toBeCloseTo(2, 1);
	await page.getByRole("combobox", { name: "Display’s pixel ratio" }).selectOption("0.5");
	await agrees(page, "page");
	expect(await ratio()).toBeCloseTo(0.5, 1);
});

test("the engine reads the chosen memory and cores", async () => {
	const page = await open("?scenario=drift&tick=60&cores=2&memory=0.5");
	const told = () =>
		page.evaluate(() => [navigator.hardwareConcurrency, Reflect.get(navigator, "deviceMemory")]);
	await agrees(page, "worker");
	expect(await told()).toEqual([2, 0.5]);
	await page.getByRole("combobox", { name: "Cores" }).selectOption("16");
	await agrees(page, "worker");
	expect(await told()).toEqual([16, 0.5]);
});

test("a visitor who saves data gets no engine, as on the site", async () => {
	const page = await open("?scenario=drift&tick=60");
	await agrees(page, "worker");
	await page.getByLabel("Saves data").check();
	expect(await page.locator("#stage canvas").count()).toBe(0);
	expect(await text(page, "agreement")).toBe("no engine");
	await page.getByLabel("Saves data").uncheck();
	await agrees(page, "worker");
});

test("a link that plays says so, beside its other messages", async () => {
	const page = await open("?scenario=drift&play=1&seed=many");
	expect(await statusOf(page)).toMatch(/^seed=many is passed over: .*\. Playing\.$/);
	await expect.poll(async () => Number(await tickOf(page))).toBeGreaterThan(0);
});

describe("where nothing can be drawn, nothing plays, and the page says why", () => {
	const isAtRest = async (page: Page, why: string) => {
		await expect.poll(() => statusOf(page)).toBe(`Nothing plays: ${why}`);
		expect(await page.locator("#play").textContent()).toBe("Play");
		expect(await text(page, "agreement")).toBe("no engine");
		expect(new URL(page.url()).searchParams.get("tick")).toBe("60");
	};

	test("with a backend that draws nothing, until another is chosen", async () => {
		const page = await open("?scenario=drift&tick=60&play=1&way=none");
		await isAtRest(page, "This backend draws nothing.");
		await page.getByRole("button", { name: "Play" }).click();
		await isAtRest(page, "This backend draws nothing.");
		await page.getByRole("combobox", { name: "Backend" }).selectOption("flat");
		await agrees(page, "flat");
		expect(await statusOf(page)).toContain("Press Play");
	});

	test("for a visitor who saves data, also where it played before", async () => {
		const page = await open("?scenario=drift&tick=60&play=1");
		await expect.poll(() => statusOf(page)).toBe("Playing.");
		await page.getByLabel("Saves data").check();
		const words = "Nothing plays: Who saves data gets no engine, as on the site.";
		await expect.poll(() => statusOf(page)).toBe(words);
		expect(await page.locator("#play").textContent()).toBe("Play");
	});

	test("with a worker that cannot be loaded", async () => {
		const context = await browser.newContext();
		const page = await context.newPage();
		await page.route("**/worker-*.js", (route) => route.abort());
		await page.goto(`${server.url}?scenario=drift&tick=60&play=1&way=worker`);
		await isAtRest(page, "This backend cannot draw here; the console says why.");
		await page.getByRole("combobox", { name: "Backend" }).selectOption("automatic");
		await agrees(page, "page");
	});
});

test("jank keeps the page's thread busy in every frame", async () => {
	const page = await open("?jank=60");
	const shortest = await page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				const gaps: number[] = [];
				let before = performance.now();
				const count = () => {
					const now = performance.now();
					gaps.push(now - before);
					before = now;
					if (gaps.length < 6) requestAnimationFrame(count);
					else resolve(Math.min(...gaps.slice(1)));
				};
				requestAnimationFrame(count);
			}),
	);
	expect(shortest).toBeGreaterThan(55);
});

test("with reduced motion a link that plays opens at rest", async () => {
	const page = await open("?scenario=drift&tick=90&play=1", { reducedMotion: "reduce" });
	await agrees(page, "worker");
	expect(await page.locator("#play").textContent()).toBe("Play");
	expect(await tickOf(page)).toBe("90");
});

describe("a replay file", () => {
	const inputs = [
		{ tick: 0, scene: "drift" },
		{ tick: 200, scene: "fireworks" },
	] as const;
	const replay = record(9, inputs, 400, 100);
	const file = (value: unknown, name = "a.json") => ({
		name,
		mimeType: "application/json",
		buffer: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)),
	});

	test("is recorded, and plays the same again", async () => {
		const page = await open("?scenario=both&seed=5&ticks=300");
		const downloading = page.waitForEvent("download");
		await page.getByRole("button", { name: "Record and download" }).click();
		const download = await downloading;
		expect(download.suggestedFilename()).toBe("both-5-300.replay.json");
		const written = await readFile(await download.path(), "utf8");
		expect(JSON.parse(written)).toEqual(record(5, [{ tick: 0, scene: "both" }], 300));

		const other = await open();
		await other.getByLabel("Load a file").setInputFiles(file(written, "both.json"));
		await expect.poll(() => statusOf(other)).toContain("both.json: The same came out");
		expect(await other.getByRole("spinbutton", { name: "Seed" }).inputValue()).toBe("5");
		expect(await other.getByRole("combobox", { name: "Scenario" }).inputValue()).toBe("both");
		expect(await other.getByRole("spinbutton", { name: "Length" }).inputValue()).toBe("300");
	});

	test("with its own scenes is played, and its link carries them", async () => {
		const page = await open();
		await page.getByLabel("Load a file").setInputFiles(file(replay));
		await expect.poll(() => statusOf(page)).toContain("The same came out");
		await page.getByRole("slider", { name: "Tick" }).focus();
		await page.keyboard.press("End");
		await agrees(page, "worker");
		expect(await printOf(page)).toBe(replay.checkpoints.at(-1)?.[1]);
		await expect
			.poll(() => page.url())
			.toContain("?inputs=0:drift,200:fireworks&seed=9&ticks=400&tick=400");
	});

	test("that differs leads to its first difference", async () => {
		const page = await open();
		const writes = replay.writes.map(([tick, slot, words], i) => [
			tick,
			slot,
			i === 8 ? words.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) : words,
		]);
		await page.getByLabel("Load a file").setInputFiles(file({ ...replay, writes }));
		const [tick, slot] = replay.writes[8]!;
		await expect
			.poll(() => statusOf(page))
			.toContain(`It differs from tick ${tick} on, first in slot ${slot}, field fadeOut:`);
		expect(await tickOf(page)).toBe(`${tick}`);
	});

	test("that is not a replay is refused in a sentence, and nothing changes", async () => {
		const page = await open("?scenario=drift&seed=3&tick=50");
		const load = (value: unknown) => page.getByLabel("Load a file").setInputFiles(file(value));
		await load("{");
		await expect.poll(() => statusOf(page)).toBe("a.json: This is no replay: it is not JSON.");
		await load({ ...replay, ticks: 1e9 });
		await expect
			.poll(() => statusOf(page))
			.toBe("a.json: This is no replay: its ticks must be from 0 to 216000.");
		await load({ ...replay, rules: "0".repeat(16) });
		await expect
			.poll(() => statusOf(page))
			.toContain("a.json cannot be played here. It was recorded by the rules 0000000000000000");
		expect(await page.getByRole("spinbutton", { name: "Seed" }).inputValue()).toBe("3");
		expect(await tickOf(page)).toBe("50");
	});

	test("can be dropped on the page", async () => {
		const page = await open();
		await page.evaluate((json) => {
			const dataTransfer = new DataTransfer();
			dataTransfer.items.add(new File([json], "dropped.json"));
			document.body.dispatchEvent(
				new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
			);
		}, JSON.stringify(replay));
		await expect.poll(() => statusOf(page)).toContain("dropped.json: The same came out");
	});
});

test("a link shows day on a dark system, too", async () => {
	const page = await open("?scenario=drift&way=flat&tick=600", { colorScheme: "dark" });
	await agrees(page, "flat");
	const night = await page.evaluate(() =>
		[getComputedStyle(document.querySelector(".night")!)]
			.concat(getComputedStyle(document.querySelector(".sphere")!, "::after"))
			.map(({ opacity }) => opacity),
	);
	expect(night).toEqual(["0", "0"]);
});

describe.each([1440, 768, 360])("at %d px", (width) => {
	test.each(["light", "dark"] as const)("axe finds no violations, %s", async (colorScheme) => {
		const page = await open("?scenario=both&tick=600", {
			viewport: { width, height: 800 },
			colorScheme,
		});
		await agrees(page, "worker");
		await page.addScriptTag({
			path: createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
		});
		const { violations } = await page.evaluate(() =>
			(window as never as { axe: { run(): Promise<AxeResults> } }).axe.run(),
		);
		expect(
			violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`),
		).toEqual([]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
	});
});
