/** @module-tag slow */
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { type OpenStage, playStage, setUpStages, waitUntilShown } from "./engine-stage.ts";

const stages = setUpStages({ engineFlags: ["--expose-gc"] });
let stage: OpenStage;

/** Unmounts each engine at a different point of its startup. */
function mountOften(page: Page, backend: "worker" | "page" | "flat"): Promise<void> {
	return page.evaluate(async (backend) => {
		for (let mount = 0; mount < 100; mount++) {
			const engine = window.stage.create({ backend });
			engine.set({ scene: mount % 2 ? "drift" : "fireworks" });
			await new Promise((resolve) => setTimeout(resolve, (mount % 20) * 15));
			engine.destroy();
		}
	}, backend);
}

const heapOf = async (page: Page) => {
	const session = await page.context().newCDPSession(page);
	await session.send("HeapProfiler.collectGarbage");
	const { jsEventListeners, nodes, documents } = await session.send("Memory.getDOMCounters");
	await session.detach();
	return { jsEventListeners, nodes, documents };
};

describe.each(["worker", "page", "flat"] as const)("drawn by the %s", (backend) => {
	test("a hundred mounts leave nothing behind and log no errors", async () => {
		stage = await stages.open();
		const { page } = stage;
		// The first mount loads code, which stays in memory.
		await playStage(page, { backend });
		await waitUntilShown(page, backend);
		await page.evaluate(() => window.stage.engine?.destroy());
		await expect.poll(() => page.workers().length).toBe(0);
		// Playwright adds listeners to the page on its first query.
		expect(await page.locator("canvas").count()).toBe(0);
		const before = await heapOf(page);
		await mountOften(page, backend);
		await expect.poll(() => page.workers().length).toBe(0);
		expect(await page.locator("canvas").count()).toBe(0);
		await expect.poll(async () => (await heapOf(page)).nodes).toBeLessThanOrEqual(before.nodes + 5);
		expect((await heapOf(page)).jsEventListeners).toBe(before.jsEventListeners);
		expect(stage.complaints).toEqual([]);
		expect(stage.lines).toEqual([]);
		await playStage(page, { backend });
		await waitUntilShown(page, backend);
	});
});

test("an engine destroyed at once, as in React's StrictMode, starts no worker", async () => {
	stage = await stages.open();
	const { page } = stage;
	let workers = 0;
	page.on("worker", () => workers++);
	await page.evaluate(() => {
		const first = window.stage.create();
		first.set({ scene: "drift" });
		first.destroy();
		window.stage.create().set({ scene: "drift" });
	});
	await waitUntilShown(page, "worker");
	expect(workers).toBe(1);
	expect(await page.locator("canvas").count()).toBe(1);
	expect(stage.complaints).toEqual([]);
});

test("a destroyed engine ignores all calls, and leaves the element's other children", async () => {
	// Without `terminate`, the worker has to end itself.
	stage = await stages.open({ before: "Worker.prototype.terminate = () => {}" });
	const { page } = stage;
	await page.evaluate(() =>
		document.querySelector("#container")?.append(document.createElement("i")),
	);
	await playStage(page);
	await waitUntilShown(page, "worker");
	await page.evaluate(() => {
		const { engine } = window.stage;
		engine?.destroy();
		engine?.set({ scene: "fireworks", paused: true });
		engine?.destroy();
	});
	await expect.poll(() => page.workers().length).toBe(0);
	expect(await page.locator("#container").innerHTML()).toBe("<i></i>");
	expect(stage.complaints).toEqual([]);
});
