import { afterAll, beforeAll, expect, test } from "vitest";
import { launchFirefox } from "../browsers/firefox.ts";
import { launchWebkit } from "../browsers/webkit.ts";
import { type StageServer, serveStage } from "./engine-stage.ts";

let server: StageServer;

beforeAll(async () => {
	server = await serveStage();
}, 120_000);

afterAll(async () => {
	await server?.close();
});

/** Lets the engine play for two seconds, pauses it, and tells what happened. */
const story = `(async () => {
	const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
	const until = async (condition) => {
		for (let tries = 0; tries < 300 && !condition(); tries++) await wait(100);
	};
	stage.create({ seed: 1 }).set({ scene: "drift" });
	await until(() => stage.shown.length > 0);
	await wait(2000);
	const { tick, drawCalls } = stage.stats;
	stage.engine.set({ paused: true });
	await wait(500);
	const paused = stage.stats.tick;
	await wait(1000);
	const stayed = stage.stats.tick === paused;
	stage.engine.destroy();
	return { shown: stage.shown, moved: tick > 20, drawCalls, stayed };
})()`;

test.each([
	// WebKitGTK has OffscreenCanvas, but no WebGL in workers.
	["Firefox", launchFirefox, "worker"],
	["WebKit", launchWebkit, "page"],
] as const)(
	"%s plays and pauses",
	async (_, launch, way) => {
		const browser = await launch();
		try {
			await browser.open(server.url);
			expect(await browser.evaluate(story)).toMatchObject({
				shown: [way],
				moved: true,
				drawCalls: 2,
				stayed: true,
			});
		} finally {
			await browser.close();
		}
	},
	120_000,
);
