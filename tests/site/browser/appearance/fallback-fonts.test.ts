/** The site on machines with a single text face, like phones. */
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import * as ours from "#brand";
import { words } from "#words";
import { launchChromium } from "../../../../bench/harness/browsers/chromium.ts";
import { buildProduct } from "../../../../bench/harness/built-site.ts";
import { temporaryFolder as keptFolder } from "../../../../bench/harness/temporary.ts";
import { systemFaces } from "../../../../src/tooling/fonts/system-faces.ts";
import { copyAdoptedTree } from "../../../adopted-tree.ts";
import * as another from "../../../another-brand.ts";
import { words as anotherWords } from "../../../another-words.ts";
import { startServer } from "../../../server-process.ts";
import { findFaceFiles } from "../../../system-face-files.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { DATA_SAVER_SCRIPT, holdRequests, nextFrames } from "../visit.ts";

const phone = { width: 412, height: 823 };
const desktop = { width: 1280, height: 720 };

/** With this file as `FONTCONFIG_FILE`, Chromium finds only these fonts. */
async function writeFontConfig(
	files: readonly string[],
): Promise<{ file: string; remove(): void }> {
	const { folder, remove } = await keptFolder("fonts-");
	const fonts = join(folder, "fonts");
	await mkdir(fonts);
	for (const file of files) await cp(file, join(fonts, basename(file)));
	const file = join(folder, "fonts.conf");
	const dirs = `<dir>${fonts}</dir><cachedir>${join(folder, "cache")}</cachedir>`;
	await writeFile(file, `<?xml version="1.0"?><fontconfig>${dirs}</fontconfig>`);
	return { file, remove };
}

/**
 * Opens a page whose fonts arrive late.
 * @returns the sum of all layout shifts, and the fallback faces of the heading and the number
 */
async function openLate(
	browser: Browser,
	url: string,
	viewport = phone,
): Promise<{ shift: number; faces: string[] }> {
	// At a scale of 1, Chromium (unlike its headless shell) rounds text to whole pixels.
	const context = await browser.newContext({ viewport, deviceScaleFactor: 2 });
	onTestFinished(() => context.close());
	await context.addInitScript(DATA_SAVER_SCRIPT);
	const page = await context.newPage();
	const release = await holdRequests(page, /\.woff2$/);
	await page.addInitScript(() => {
		Object.assign(window, { moved: 0 });
		new PerformanceObserver((list) => {
			for (const entry of list.getEntries()) {
				(window as unknown as { moved: number }).moved += (
					entry as PerformanceEntry & { value: number }
				).value;
			}
		}).observe({ type: "layout-shift", buffered: true });
	});
	await page.goto(url, { waitUntil: "commit" });
	await page.locator("h1").waitFor();
	await page.waitForFunction(() => performance.getEntriesByType("paint").length > 1);
	const session = await context.newCDPSession(page);
	await session.send("DOM.enable");
	await session.send("CSS.enable");
	const { root } = await session.send("DOM.getDocument");
	const { nodeIds } = await session.send("DOM.querySelectorAll", {
		nodeId: root.nodeId,
		selector: "h1 .line, h1 .ink, h1.congratulations, .position span, h1",
	});
	const faces = new Set<string>();
	for (const nodeId of nodeIds) {
		const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
		for (const { postScriptName } of fonts) faces.add(postScriptName);
	}
	release();
	await page.evaluate(() => document.fonts.ready);
	await nextFrames(page);
	const shift = await page.evaluate(() => (window as unknown as { moved: number }).moved);
	return { shift, faces: [...faces] };
}

const visits = [
	["/", phone],
	["/confirmation", desktop],
] as const;

describe.each(systemFaces)("with $name as the only face", { tags: "slow" }, (system) => {
	let browser: Browser;
	let remove = () => {};

	beforeAll(async () => {
		const fonts = await writeFontConfig(await findFaceFiles(system));
		remove = fonts.remove;
		browser = await launchChromium({ shell: true, environment: { FONTCONFIG_FILE: fonts.file } });
	});

	afterAll(async () => {
		await browser?.close();
		remove();
	});

	test("nothing shifts when fonts arrive late", async () => {
		const { url } = await startServer({ folder: await temporaryFolder() });
		for (const [path, viewport] of visits) {
			const { shift, faces } = await openLate(browser, url + path, viewport);
			expect(faces).toHaveLength(1);
			expect(system.bold.names).toContain(faces[0]);
			expect(shift, path).toBeLessThan(0.01);
		}
	});
});

test.skipIf(ours.brand.product === another.brand.product)(
	"another brand leaves no trace of the first one in pages, pages behind email links and files for crawlers",
	{ tags: "slow" },
	async () => {
		const tree = await temporaryFolder();
		await copyAdoptedTree(tree);
		await buildProduct(tree);
		const { brand, sky, sphere, inks } = ours;
		const { form, messages, confirmation, notFound } = words;
		const theirs = textsIn([another, anotherWords]);
		const texts = textsIn([brand, words.title, form, messages, confirmation, notFound, sky])
			.concat(textsIn([sphere, inks]))
			// Black, white and short words may occur on pages of both brands.
			.filter((text) => text.length > 4 && !/^#(0{6}|f{6})$/.test(text))
			.filter((text) => !theirs.includes(text));
		expect(texts.length).toBeGreaterThan(50);
		const dist = join(tree, "dist");
		const files = (await readdir(dist, { recursive: true })).filter((file) =>
			/\.(html|txt|xml|webmanifest)$/.test(file),
		);
		expect(files.length).toBeGreaterThan(20);
		for (const file of files) {
			const content = await readFile(join(dist, file), "utf8");
			expect(
				texts.filter((text) => content.includes(text)),
				file,
			).toEqual([]);
		}
	},
);

function textsIn(value: object): string[] {
	return Object.values(value).flatMap((part: object | string) =>
		typeof part === "string" ? part : textsIn(part),
	);
}
