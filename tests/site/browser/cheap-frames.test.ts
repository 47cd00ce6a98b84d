import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

/*
 * What keeps the browser from putting more together for each frame than moves. All of it is counted:
 * how long it takes is a matter for `npm run bench -- --only frames`.
 */

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium({ graphics: "processor" });
});

afterAll(() => browser?.close());

const large = { width: 1440, height: 900 };
const small = { width: 720, height: 450 };

/** A page that plays, or with `way=none` would. */
async function open(path: string, where = browser, viewport = large): Promise<Page> {
	const server = await startServer({ folder: await temporaryFolder() });
	const context = await where.newContext({ viewport, bypassCSP: true });
	onTestFinished(() => context.close());
	const page = await context.newPage();
	await page.goto(server.url + path);
	if (!path.includes("way=none"))
		await page.locator(".stage[data-way]").waitFor({ state: "attached" });
	return page;
}

/** The page's layers that are painted, as CSS selectors, each with its share of the window. */
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

test("only the window's ground and the canvas are layers as large as the window", async () => {
	// A browser that puts pages together without GL keeps other layers.
	const withGl = await launchChromium({ graphics: "software" });
	onTestFinished(() => withGl.close());
	const page = await open("/?seed=1&tick=300", withGl);
	const layers = await watchLayers(page);
	await expect.poll(async () => (await layers()).filter(([, share]) => share > 0.5).length).toBe(2);
	// While a word turns, it is a layer as well, and so is what lies over it.
	const words = async () => (await layers()).filter(([, share]) => share <= 0.5);
	await expect
		.poll(async () => (await words()).reduce((sum, [, share]) => sum + share, 0))
		.toBeLessThan(0.5);
	expect((await words()).length).toBeGreaterThan(4);
});

test("nothing is animated while a word stands", async () => {
	const page = await open("/?seed=1&tick=300");
	const word = () => page.locator('.word[data-turn="now"]').textContent();
	const first = await word();
	await expect.poll(word).not.toBe(first);
	await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
});

/** The most that any channel of any pixel differs between two pictures, left and right of the sphere. */
async function compareSkies([a, b]: string[]): Promise<number> {
	const [p, q] = await Promise.all(
		[a, b].map(async (png) => {
			const image = new Image();
			image.src = `data:image/png;base64,${png}`;
			await image.decode();
			const { width, height } = image;
			const canvas = Object.assign(document.createElement("canvas"), { width, height });
			const context = canvas.getContext("2d")!;
			context.drawImage(image, 0, 0);
			const strip = width / 7.2;
			return [0, width - strip].map((left) => context.getImageData(left, 0, strip, height).data);
		}),
	);
	let most = 0;
	for (const side of [0, 1])
		for (const [i, value] of p![side]!.entries())
			most = Math.max(most, Math.abs(value - q![side]![i]!));
	return most;
}

test.each(["/", "/confirmation"])("the engine's sky of %s is the style sheet's", async (path) => {
	const photos: string[] = [];
	for (const way of ["none", "worker"]) {
		const page = await open(`${path}?seed=1&tick=0&level=8&way=${way}`, browser, small);
		const style = ".page { display: none } .stage > * { transition: none !important }";
		await page.addStyleTag({ content: style });
		await page.waitForTimeout(200);
		photos.push((await page.screenshot()).toString("base64"));
		if (way === "worker") expect(await page.evaluate(compareSkies, photos)).toBeLessThan(8);
	}
});
