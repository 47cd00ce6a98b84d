import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import type { FrameStats } from "#engine";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { openTab } from "../../../bench/harness/browsers/tab.ts";
import { type OpenStage, playStage, setUpStages, waitUntilShown } from "./engine-stage.ts";

/**
 * Script that counts requested frames, draws and fences on its thread. `unpaced` counts draws that
 * did not wait for the last fence.
 */
const counting = `{
	const counts = { frames: 0, drawn: 0, unpaced: 0, fences: 0 };
	const { requestAnimationFrame, cancelAnimationFrame } = globalThis;
	const waiting = new Set();
	globalThis.requestAnimationFrame = (callback) => {
		counts.frames++;
		const id = requestAnimationFrame((time) => {
			waiting.delete(id);
			callback(time);
		});
		waiting.add(id);
		return id;
	};
	globalThis.cancelAnimationFrame = (id) => {
		waiting.delete(id);
		cancelAnimationFrame(id);
	};
	const gl = WebGL2RenderingContext.prototype;
	const { drawElements, fenceSync, deleteSync, getSyncParameter } = gl;
	let owed = false;
	gl.drawElements = function (...words) {
		if (owed) counts.unpaced++;
		return drawElements.apply(this, words);
	};
	gl.fenceSync = function (...words) {
		counts.drawn++;
		counts.fences++;
		owed = true;
		return fenceSync.apply(this, words);
	};
	gl.deleteSync = function (...words) {
		counts.fences--;
		return deleteSync.apply(this, words);
	};
	gl.getSyncParameter = function (...words) {
		const status = getSyncParameter.apply(this, words);
		if (status === this.SIGNALED) owed = false;
		return status;
	};
	const channel = new BroadcastChannel("counts");
	const thread = globalThis.document ? "page" : "worker";
	channel.onmessage = ({ data }) => {
		if (data === thread) channel.postMessage({ ...counts, waiting: waiting.size });
	};
}`;

/** Script that reports each frame as unfinished twice, as a slow GPU does. */
const slowGpu = `{
	const gl = WebGL2RenderingContext.prototype;
	const { getSyncParameter } = gl;
	let asked = 0;
	gl.getSyncParameter = function (...words) {
		return ++asked % 3 ? this.UNSIGNALED : getSyncParameter.apply(this, words);
	};
}`;

interface Counts {
	frames: number;
	/** Frames that were requested but have not arrived. */
	waiting: number;
	drawn: number;
	unpaced: number;
	fences: number;
}

const stages = setUpStages();
let stage: OpenStage;

const askCounts = (thread: "page" | "worker") =>
	new Promise<Counts>((resolve) => {
		const channel = new BroadcastChannel("counts");
		channel.onmessage = ({ data }) => {
			if (typeof data !== "object") return;
			channel.close();
			resolve(data);
		};
		channel.postMessage(thread);
	});

const countOn = (page: Page, thread: "page" | "worker") => page.evaluate(askCounts, thread);

/** Waits with an animation, because a busy machine delays it as much as it delays frames. */
const play = (page: Page, ms: number) =>
	page.evaluate(async (ms) => void (await document.body.animate([], ms).finished), ms);

async function countFor(page: Page, thread: "page" | "worker", ms: number): Promise<Counts> {
	const before = await countOn(page, thread);
	await play(page, ms);
	const after = await countOn(page, thread);
	return Object.fromEntries(
		Object.entries(after).map(([key, value]) => [key, value - before[key as keyof Counts]]),
	) as unknown as Counts;
}

/** An engine is still if it draws nothing in this time. A moving engine draws 60 frames. */
const STILL_MS = 1000;

const still = { frames: 0, waiting: 0, drawn: 0, unpaced: 0, fences: 0 };

async function waitStill(page: Page, thread: "page" | "worker"): Promise<void> {
	const look = async () => {
		const counts = await countFor(page, thread, 300);
		const { waiting } = await countOn(page, thread);
		return { ...counts, waiting };
	};
	await expect.poll(look).toEqual(still);
}

describe("in the worker", () => {
	const backend = "worker";
	const thread = backend;

	async function open(show = {}, beforeWorker = counting): Promise<Page> {
		stage = await stages.open({ before: counting, beforeWorker });
		await playStage(stage.page, { backend }, { scene: "drift", ...show });
		await waitUntilShown(stage.page, backend);
		return stage.page;
	}

	test("the GPU never has two unfinished frames", async () => {
		const page = await open({}, slowGpu + counting);
		const drawn = async () => (await countOn(page, thread)).drawn;
		await expect.poll(drawn).toBeGreaterThan(10);
		const after = await countOn(page, thread);
		expect(after.unpaced).toBe(0);
		expect(after.frames).toBeGreaterThan(after.drawn * 2);
		expect(after.fences).toBeLessThanOrEqual(1);
	});

	test("a still picture is drawn once, and again after a resize, a zoom or a seek", async () => {
		const page = await open({ still: true });
		const statsAre = (stats: Partial<FrameStats>) =>
			expect.poll(() => page.evaluate(() => window.stage.stats)).toMatchObject(stats);
		await waitStill(page, thread);
		expect((await countOn(page, thread)).drawn).toBe(1);
		await statsAre({ tick: 1500, pixelRatio: 1 });
		expect(await countFor(page, thread, STILL_MS)).toEqual(still);
		const session = await page.context().newCDPSession(page);
		for (const [width, deviceScaleFactor] of [
			[500, 1],
			[400, 2],
			[300, 1.25],
		] as const) {
			const display = { width, height: 300, deviceScaleFactor, mobile: false };
			await session.send("Emulation.setDeviceMetricsOverride", display);
			await statsAre({ tick: 1500, pixelRatio: deviceScaleFactor });
		}
		await page.evaluate(() => window.stage.engine?.seek(600));
		await statsAre({ tick: 600 });
		await waitStill(page, thread);
		expect(await countFor(page, thread, STILL_MS)).toEqual(still);
	});
});

test("the worker draws and requests nothing in a hidden tab", async () => {
	const backend = "worker";
	stages.server.beforeWorker = counting;
	// The headless shell cannot hide a tab.
	const browser = await launchChromium({ graphics: "software" });
	onTestFinished(() => browser.close());
	const tab = await openTab(browser, stages.server.url, counting);
	const count = () => tab.evaluate<Counts>(`(${askCounts})("${backend}")`);
	await expect.poll(() => tab.evaluate("typeof stage")).toBe("object");
	await tab.evaluate(`stage.create({ backend: "${backend}" }).set({ scene: "drift" })`);
	await expect.poll(() => tab.evaluate("stage.shown.at(-1)")).toBe(backend);
	await expect.poll(async () => (await count()).drawn).toBeGreaterThan(10);
	const other = await openTab(browser, "about:blank");
	await expect.poll(() => tab.evaluate("document.visibilityState")).toBe("hidden");
	// A timer, because a hidden tab gets no frames.
	const pass = () => new Promise((resolve) => setTimeout(resolve, STILL_MS));
	let hidden: Counts;
	do {
		hidden = await count();
		await pass();
	} while ((await count()).frames > hidden.frames);
	await other.close();
	await tab.show();
	await expect.poll(async () => (await count()).drawn).toBeGreaterThan(hidden.drawn + 3);
});

test("nothing starts before the picture is visible", async () => {
	stage = await stages.open();
	const { page } = stage;
	await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
	await playStage(page);
	await play(page, 500);
	expect(await page.locator("canvas").count()).toBe(0);
	await page.evaluate(() => scrollTo(0, 0));
	await waitUntilShown(page, "worker");
});

test("a worker costs the page's thread no frames", async () => {
	stage = await stages.open({ before: counting, beforeWorker: counting });
	const { page } = stage;
	await playStage(page);
	await waitUntilShown(page, "worker");
	const { frames, drawn } = await countFor(page, "page", 3000);
	expect(drawn).toBe(0);
	// The page pings the worker once a second, and waits two frames before each ping.
	expect(frames).toBeLessThanOrEqual(8);
});
