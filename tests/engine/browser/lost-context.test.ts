import { expect, test } from "vitest";
import {
	countLitPixels,
	type OpenStage,
	playStage,
	setUpStages,
	waitUntilShown,
} from "./engine-stage.ts";

// A separate browser, because a GPU process crash affects all of its pages.
const stages = setUpStages({});
let stage: OpenStage;

test("a crash of the GPU process reveals the background, and the worker's picture returns", async () => {
	stage = await stages.open();
	const { page } = stage;
	await playStage(page, { backend: "worker" });
	await waitUntilShown(page, "worker");
	const session = await stages.browser.newBrowserCDPSession();
	await session.send("Browser.crashGpuProcess");
	await session.detach();
	await waitUntilShown(page, "none");
	await waitUntilShown(page, "worker");
	expect(await countLitPixels(page)).toBeGreaterThan(1800);
	expect(stage.lines).toEqual([]);
});

test("a lost 2D context reveals the background, and returns", async () => {
	stage = await stages.open();
	const { page } = stage;
	await playStage(page, { backend: "flat" });
	await waitUntilShown(page, "flat");
	// A 2D context cannot be lost on purpose, so the test sends the browser's event.
	const say = (word: string) =>
		page.evaluate((word) => document.querySelector("canvas")!.dispatchEvent(new Event(word)), word);
	await say("contextlost");
	await waitUntilShown(page, "none");
	await say("contextrestored");
	await waitUntilShown(page, "flat");
});
