import type { Browser } from "playwright-core";
import type { LiveReport, Span } from "./probe.ts";
import { runInNode, writeProbe } from "./run-probe.ts";

const VIEWPORT = { width: 390, height: 844 };
const LIVE_MS = 20_000;

/** Plays drift and fireworks on the display's own frames and returns what the player said. */
export async function watchLive(browser: Browser, code: string): Promise<LiveReport[]> {
	const context = await browser.newContext({ viewport: VIEWPORT });
	try {
		const page = await context.newPage();
		await page.addScriptTag({ content: code });
		return await page.evaluate(`bundle.playLive("both", 42, ${LIVE_MS})`);
	} finally {
		await context.close();
	}
}

const TRACED = "both 42";

/** Spans of a fixed schedule in Node and in Chromium. @param code bundled with `spanEdits` */
export async function traceSchedule(
	browser: Browser,
	code: string,
): Promise<Record<string, Span[]>> {
	const probe = await writeProbe({ bundle: code });
	const context = await browser.newContext();
	try {
		const node = (await runInNode(probe, `return bundle.traceFrames("${TRACED}")`)) as Span[];
		const page = await context.newPage();
		// Alone in its process, a page has a timer of 5 µs instead of 100.
		await page.route("https://bench.example/", (route) =>
			route.fulfill({
				contentType: "text/html",
				headers: {
					"cross-origin-opener-policy": "same-origin",
					"cross-origin-embedder-policy": "require-corp",
				},
				body: "<!doctype html><title>bench</title>",
			}),
		);
		await page.goto("https://bench.example/");
		await page.addScriptTag({ content: code });
		const chromium = await page.evaluate<Span[]>(`bundle.traceFrames("${TRACED}")`);
		return { "Node, stand-in for WebGL": node, "Chromium, software GL": chromium };
	} finally {
		await context.close();
		probe.remove();
	}
}
