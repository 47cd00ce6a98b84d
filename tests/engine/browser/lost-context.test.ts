import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import {
	countLitPixels,
	type OpenStage,
	openTheater,
	playStage,
	waitShown,
} from "./engine-stage.ts";

/** Runs in page and worker: the test can lose and restore the context. */
const losing = `{
	let loss;
	for (const canvas of [globalThis.HTMLCanvasElement, OffscreenCanvas]) {
		if (!canvas) continue;
		const { getContext } = canvas.prototype;
		canvas.prototype.getContext = function (...words) {
			const context = getContext.apply(this, words);
			if (context?.getExtension && this.width > 1) loss = context.getExtension("WEBGL_lose_context");
			return context;
		};
	}
	const thread = globalThis.document ? "page" : "worker";
	new BroadcastChannel("loss").onmessage = ({ data }) => {
		if (data.thread === thread) loss[data.call]();
	};
}`;

type Call = "loseContext" | "restoreContext";

function tell(page: Page, thread: "worker" | "page", call: Call): Promise<void> {
	return page.evaluate(
		(message) => {
			const channel = new BroadcastChannel("loss");
			channel.postMessage(message);
			channel.close();
		},
		{ thread, call },
	);
}

// A separate browser, because a GPU process crash affects all of its pages.
const theater = openTheater({});
let stage: OpenStage;

describe("the worker's context", () => {
	const backend = "worker";
	async function open(show = {}): Promise<Page> {
		stage = await theater.open({ before: losing, beforeWorker: losing });
		await playStage(stage.page, { backend }, { scene: "drift", ...show });
		await waitShown(stage.page, backend);
		return stage.page;
	}
	const call = (page: Page, call: Call) => tell(page, backend, call);

	test("reveals the background when lost, and returns", async () => {
		const page = await open();
		await call(page, "loseContext");
		await waitShown(page, "none");
		await call(page, "restoreContext");
		await waitShown(page, backend);
		expect(await countLitPixels(page)).toBeGreaterThan(1800);
		expect(stage.lines).toEqual([]);
		expect(stage.complaints).toEqual([]);
	});

	test("survives a crash of the GPU process", { tags: "slow" }, async () => {
		const page = await open();
		const session = await theater.browser.newBrowserCDPSession();
		await session.send("Browser.crashGpuProcess");
		await session.detach();
		await waitShown(page, "none");
		await waitShown(page, backend);
		expect(await countLitPixels(page)).toBeGreaterThan(1800);
		expect(stage.lines).toEqual([]);
	});
});

test("a lost 2D context reveals the background, and returns", async () => {
	stage = await theater.open();
	const { page } = stage;
	await playStage(page, { backend: "flat" });
	await waitShown(page, "flat");
	// A 2D context cannot be lost on purpose, so the test sends the browser's event.
	const say = (word: string) =>
		page.evaluate((word) => document.querySelector("canvas")!.dispatchEvent(new Event(word)), word);
	await say("contextlost");
	await waitShown(page, "none");
	await say("contextrestored");
	await waitShown(page, "flat");
});
