import { expect, test } from "vitest";
import {
	countLitPixels,
	type OpenStage,
	openTheater,
	playStage,
	waitShown,
} from "./engine-stage.ts";

// A separate browser, because a GPU process crash affects all of its pages.
const theater = openTheater({});
let stage: OpenStage;

test("a crash of the GPU process reveals the background, and the worker's picture returns", async () => {
	stage = await theater.open();
	const { page } = stage;
	await playStage(page, { backend: "worker" });
	await waitShown(page, "worker");
	const session = await theater.browser.newBrowserCDPSession();
	await session.send("Browser.crashGpuProcess");
	await session.detach();
	await waitShown(page, "none");
	await waitShown(page, "worker");
	expect(await countLitPixels(page)).toBeGreaterThan(1800);
	expect(stage.lines).toEqual([]);
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
