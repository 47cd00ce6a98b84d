import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startServer } from "../../../server-process.ts";
import { sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";

/*
 * For each frame the browser composites no more than what moves. These tests count layers and
 * animations; how long a frame takes is for `npm run bench -- --only frames` to measure.
 */

let browser: Browser;

beforeAll(async () => {
	browser = await sharedChromium();
});

const large = { width: 1440, height: 900 };

/** A landing page that plays. */
async function open(where = browser): Promise<Page> {
	const server = await startServer({ folder: await temporaryFolder() });
	const context = await where.newContext({ viewport: large, bypassCSP: true });
	onTestFinished(() => context.close());
	const page = await context.newPage();
	await page.goto(`${server.url}/?seed=1&tick=300`);
	await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
	return page;
}

/** The painted layers of the page, as CSS selectors, each with its share of the window's area. */
async function watchLayers(page: Page): Promise<() => Promise<[painted: string, share: number][]>> {
	const session = await page.context().newCDPSession(page);
	type Layer = { width: number; height: number; drawsContent: boolean; backendNodeId?: number };
	let layers: Layer[] = [];
	session.on("LayerTree.layerTreeDidChange", (tree) => {
		layers = tree.layers ?? layers;
	});
	await session.send("DOM.enable");
	await session.send("LayerTree.enable");
	await expect.poll(() => layers.length).toBeGreaterThan(0);
	return () =>
		Promise.all(
			layers
				.filter(({ drawsContent, backendNodeId }) => drawsContent && backendNodeId)
				.map(async ({ width, height, backendNodeId }) => {
					const { node } = await session.send("DOM.describeNode", {
						backendNodeId: backendNodeId!,
					});
					const { attributes = [] } = node;
					const classes = attributes[attributes.indexOf("class") + 1] ?? "";
					return [`${node.localName}.${classes}`, (width * height) / (large.width * large.height)];
				}),
		);
}

test("only the page's background and the canvas are layers as large as the window", {
	tags: "slow",
}, async () => {
	// A browser that composites without GL keeps other layers.
	const withGl = await sharedChromium("software");
	const page = await open(withGl);
	const layers = await watchLayers(page);
	await expect.poll(async () => (await layers()).filter(([, share]) => share > 0.5).length).toBe(2);
	// While a word turns, it is a layer as well, and so is all that lies over it.
	await expect
		.poll(async () => {
			const words = (await layers()).filter(([, share]) => share <= 0.5);
			const area = words.reduce((sum, [, share]) => sum + share, 0);
			return { several: words.length > 4, small: area < 0.5 };
		})
		.toEqual({ several: true, small: true });
});

test("nothing is animated while a word stands", async () => {
	const page = await open();
	const word = () => page.locator('.word[data-turn="now"]').textContent();
	const first = await word();
	await expect.poll(word).not.toBe(first);
	await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
});
