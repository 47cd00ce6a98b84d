import type { Browser, CDPSession, Page, Worker } from "playwright-core";
import { type Drawn, watchDrawing } from "./probe.ts";
import { CANVAS, type Scene, type Start } from "./scene.ts";
import type { Built } from "./shipped.ts";

declare global {
	var start: Start | undefined;
	var playing: Awaited<ReturnType<Start>>;
	var drawn: Drawn;
}

const ORIGIN = "http://bench.test";
const PATIENCE_MS = 60_000;

export type Thread = Pick<Worker, "evaluate">;

export interface Stage {
	readonly page: Page;
	readonly thread: Thread;
	readonly session: CDPSession;
	/** Brotli. */
	readonly shipped: number;
	/** Waits for this many more pictures, or for `mostMs` and at least one. */
	waitForPictures(pictures: number, mostMs: number): Promise<void>;
	close(): Promise<void>;
}

/** With a seeded `Math.random`. @throws Error if the arm does not start or does not draw */
export async function openStage(browser: Browser, arm: Built, scene: Scene): Promise<Stage> {
	const context = await browser.newContext({ viewport: CANVAS });
	const page = await context.newPage();
	let complaint: Error | undefined;
	page.on("pageerror", (error) => {
		complaint = error;
	});
	let shipped = 0;
	await page.route(`${ORIGIN}/**`, (route) => {
		const { pathname } = new URL(route.request().url());
		const file = arm.files.get(pathname);
		if (file) {
			shipped += file.brotli;
			return route.fulfill({ contentType: "text/javascript", body: file.code });
		}
		if (pathname === "/") return route.fulfill({ contentType: "text/html", body: html(arm) });
		return route.fulfill({ status: 404 });
	});
	await page.goto(ORIGIN);
	await page.evaluate(watchDrawing, CANVAS);
	await page.evaluate(seedChance);
	await page.waitForFunction(() => globalThis.start !== undefined);
	await page.evaluate(async (scene) => {
		const canvas = document.querySelector("canvas")!;
		globalThis.playing = await globalThis.start!(canvas, scene);
	}, scene);
	let thread: Thread = page;
	if (arm.inWorker) {
		thread = page.workers()[0] ?? (await page.waitForEvent("worker"));
		await thread.evaluate(watchDrawing, CANVAS);
	}
	const session = await context.newCDPSession(page);

	async function waitForPictures(pictures: number, mostMs: number): Promise<void> {
		const begin = Date.now();
		const before = await thread.evaluate(() => globalThis.drawn.pictures);
		for (;;) {
			await new Promise((resolve) => setTimeout(resolve, 100));
			const drawn = (await thread.evaluate(() => globalThis.drawn.pictures)) - before;
			const passedMs = Date.now() - begin;
			if (complaint) throw complaint;
			if (drawn >= pictures || (drawn > 0 && passedMs > mostMs)) return;
			if (passedMs > PATIENCE_MS) throw new Error(`${arm.name} draws nothing.`);
		}
	}

	return { page, thread, session, shipped, waitForPictures, close: () => context.close() };
}

function html({ entry }: Built): string {
	const { width, height } = CANVAS;
	return `<!doctype html>
		<style>body { margin: 0 } canvas { display: block; width: ${width}px; height: ${height}px }</style>
		<canvas width="${width}" height="${height}"></canvas>
		<script type="module">import { start } from "${entry}"; globalThis.start = start</script>`;
}

/** Repeatable randomness for libraries that use \`Math.random\` (mulberry32). */
function seedChance(): void {
	let state = 42;
	Math.random = () => {
		state = (state + 0x6d2b79f5) | 0;
		let word = Math.imul(state ^ (state >>> 15), 1 | state);
		word ^= word + Math.imul(word ^ (word >>> 7), 61 | word);
		return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
	};
}

/**
 * Read right after a frame. Reading a canvas disturbs it, so nothing more can be measured on this
 * page.
 */
export async function litShare(page: Page): Promise<number> {
	return await page.evaluate(async () => {
		const small = Object.assign(document.createElement("canvas"), { width: 160, height: 100 });
		const context = small.getContext("2d", { willReadFrequently: true })!;
		let lit = 0;
		// A picture may be skipped while the GPU is busy.
		for (let frame = 0; frame < 60 && lit === 0; frame++) {
			await new Promise((resolve) => requestAnimationFrame(resolve));
			context.clearRect(0, 0, 160, 100);
			context.drawImage(document.querySelector("canvas")!, 0, 0, 160, 100);
			const { data } = context.getImageData(0, 0, 160, 100);
			for (let pixel = 3; pixel < data.length; pixel += 4) if (data[pixel]! > 0) lit++;
		}
		return lit / (160 * 100);
	});
}
