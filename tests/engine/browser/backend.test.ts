import type { Browser, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { sharedChromium } from "../../shared.ts";
import {
	countLitPixels,
	type OpenStage,
	playStage,
	type StageOptions,
	setUpStages,
	waitUntilShown,
} from "./engine-stage.ts";

const stages = setUpStages();
let stage: OpenStage;
let bare: Browser;

beforeAll(async () => {
	bare = await sharedChromium("none");
});

const spy = `
	window.contexts = [];
	const { getContext } = HTMLCanvasElement.prototype;
	HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
		const context = getContext.call(this, kind, ...rest);
		if (context) contexts.push(kind);
		return context;
	};
`;

declare global {
	interface Window {
		contexts: string[];
	}
}

async function open(from: Browser, options: StageOptions = {}): Promise<Page> {
	const { before = "" } = options;
	stage = await stages.open({ ...options, before: spy + before }, from);
	return stage.page;
}

const contextsOf = (page: Page) => page.evaluate(() => window.contexts);
const canvasesOf = (page: Page) => page.locator("canvas").count();

const noOffscreenCanvas = `
	delete window.OffscreenCanvas;
	delete HTMLCanvasElement.prototype.transferControlToOffscreen;
`;
const noWebGl2 = `
	const { getContext: anyContext } = HTMLCanvasElement.prototype;
	HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
		return kind === "webgl2" ? null : anyContext.call(this, kind, ...rest);
	};
`;

const noWorkers: [name: string, options: StageOptions, reason: string, context: string][] = [
	[
		"when the worker's code does not run",
		{ beforeWorker: "throw new Error('spoilt')" },
		"Uncaught Error: spoilt",
		"webgl2",
	],
	[
		"without OffscreenCanvas and WebGL 2",
		{ before: noOffscreenCanvas + noWebGl2 },
		"There is no OffscreenCanvas.",
		"webgl",
	],
];

describe("the backend is", () => {
	test("a worker, without a context on the page", async () => {
		const page = await open(stages.browser);
		await playStage(page);
		await waitUntilShown(page, "worker");
		expect(await countLitPixels(page)).toBeGreaterThan(1800);
		expect(await contextsOf(page)).toEqual([]);
		expect(stage.lines).toEqual([]);
		expect(stage.complaints).toEqual([]);
	});

	test.each(noWorkers)("the page's thread %s", async (_, options, reason, context) => {
		const page = await open(stages.browser, options);
		await playStage(page);
		await waitUntilShown(page, "page");
		expect(await countLitPixels(page)).toBeGreaterThan(1800);
		expect((await contextsOf(page))[0]).toBe(context);
		expect(stage.lines).toHaveLength(1);
		expect(stage.lines[0]).toContain(reason);
		expect(stage.complaints).toEqual([]);
		expect(await canvasesOf(page)).toBe(1);
	});

	test("2D canvas without WebGL", async () => {
		const page = await open(bare);
		await playStage(page, {}, { scene: "drift", still: true });
		await waitUntilShown(page, "flat");
		expect(await countLitPixels(page)).toBeGreaterThan(300);
		expect(await contextsOf(page)).toEqual(["2d"]);
		expect(stage.lines.filter((line) => line.startsWith("engine:"))).toEqual([
			expect.stringContaining("There is no WebGL in workers."),
			expect.stringContaining("There is no WebGL."),
		]);
		expect(await canvasesOf(page)).toBe(1);
		const freed = await page.evaluate(() => {
			const canvas = document.querySelector("canvas");
			window.stage.engine?.destroy();
			return canvas?.width;
		});
		expect(freed).toBe(0);
	});

	test("nothing without any canvas", { tags: "slow" }, async () => {
		const page = await open(bare, {
			before: "HTMLCanvasElement.prototype.getContext = () => null",
		});
		await playStage(page);
		await expect.poll(() => stage.lines.length).toBe(3);
		expect(stage.lines[2]).toContain(`"none" is next. There is no 2D canvas.`);
		expect(await canvasesOf(page)).toBe(0);
		expect(await page.evaluate(() => window.stage.shown)).toEqual([]);
	});
});

test.each([
	["ends", "close()"],
	["hangs", "for (;;)"],
	["gets no more frames", "globalThis.requestAnimationFrame = () => 1"],
])(
	"a worker that %s is replaced by the page's thread, which resumes at its tick",
	{
		tags: "slow",
	},
	async (_, fault) => {
		const page = await open(stages.browser, {
			beforeWorker: `addEventListener("message", ({ data }) => {
			if (data.pageState?.quietZone?.[0] === 666) ${fault};
		})`,
		});
		await playStage(page);
		await waitUntilShown(page, "worker");
		await page.waitForFunction(() => (window.stage.stats?.tick ?? 0) > 120);
		await page.evaluate(() => window.stage.engine?.set({ quietZone: [666, 0, 0, 0] }));
		await waitUntilShown(page, "page");
		expect(await page.evaluate(() => window.stage.shown)).toEqual(["worker", "none", "page"]);
		expect(await page.evaluate(() => window.stage.stats?.tick)).toBeGreaterThan(60);
		expect(await countLitPixels(page)).toBeGreaterThan(1800);
		expect(await canvasesOf(page)).toBe(1);
		expect(stage.lines).toEqual([
			`engine: "worker" cannot draw, "page" is next. The worker is silent.`,
		]);
		expect(stage.complaints).toEqual([]);
	},
);
