import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { brand } from "../../src/brand.ts";
import { words } from "../../src/words/en.ts";
import { serveBuiltSite } from "../harness/built-site.ts";
import { type Front, startFront } from "../harness/front.ts";
import type { Measured } from "../row.ts";

type Answers = Front["answers"];

const PLAYING = ["/", "/confirmation"];
const READ = ["/privacy", "/terms", "/nowhere"];

/** Everything but the speculation rules, which no reader waits for. */
const isToRead = ({ type }: Answers[0]) => !type.includes("speculationrules");
const isFont = ({ type }: Answers[0]) => type.startsWith("font/");
export const isScript = ({ type }: Answers[0]): boolean => type.includes("javascript");
const weigh = (answers: Answers) => answers.reduce((sum, { bytes }) => sum + bytes, 0);

/** A visit's share of the brand's own words, as compressed as a page, and its fonts. */
const ownWords = brotliCompressSync(JSON.stringify([brand, words])).length;
const ownOf = (answers: Answers) => ownWords + weigh(answers.filter(isFont));

/**
 * Responses until the network is idle.
 * @param application `false` blocks React and everything it loads
 */
export async function fetchedBy(
	browser: Browser,
	front: Front,
	path: string,
	{ application = true } = {},
): Promise<Answers> {
	const before = front.answers.length;
	const context = await browser.newContext();
	try {
		const page = await context.newPage();
		// Bytes are measured, not time: a busy machine may be slow.
		page.setDefaultTimeout(150_000);
		// If the script failed to load, the page would look for a newer version of itself.
		const nothing = { contentType: "text/javascript", body: "" };
		if (!application) await page.route("**/assets/main-*.js", (route) => route.fulfill(nothing));
		await page.goto(front.url + path, { waitUntil: "networkidle" });
		if (application && (await page.locator("script").count()) > 0) {
			await page.locator(".stage[data-backend=worker]").waitFor({ state: "attached" });
		}
	} finally {
		await context.close();
	}
	return front.answers.slice(before);
}

/**
 * Counts bytes as sent: compressed.
 * @param tree with `dist/`
 */
export async function measureRoutes(browser: Browser, tree: string): Promise<Measured[]> {
	const site = await serveBuiltSite(tree);
	const front = await startFront(site.url);
	const measured: Measured[] = [];
	const add = (path: string, what: string, value: number, reason: string, own?: number) =>
		measured.push({
			tier: "bytes",
			name: `route ${path} ${what}`,
			value,
			reason,
			goal: true,
			...(own !== undefined && { own }),
			unit: what.startsWith("requests") ? "requests" : "bytes",
		});
	try {
		for (const path of PLAYING) {
			const first = (await fetchedBy(browser, front, path, { application: false })).filter(
				isToRead,
			);
			const whole = await fetchedBy(browser, front, path);
			const withoutFonts = first.filter((answer) => !isFont(answer));
			add(
				path,
				"bytes to read",
				weigh(first),
				"HTML, styles, boot script, icon and fonts",
				ownOf(first),
			);
			add(
				path,
				"bytes to read without fonts",
				weigh(withoutFonts),
				"before any font has come",
				ownWords,
			);
			add(path, "requests to read", first.length, "each is a round trip on a slow line");
			add(
				path,
				"bytes in all",
				weigh(whole),
				"React and the engine's worker included",
				ownOf(whole),
			);
			add(path, "requests in all", whole.length, "the application in its chunks, once idle");
			const scripts = await Promise.all(
				first.filter(isScript).map((script) => readFile(join(tree, "dist/site", script.path))),
			);
			const boot = scripts.reduce((sum, { length }) => sum + length, 0);
			add(path, "bytes of boot script", boot, "all script that comes before the page is idle");
		}
		for (const path of READ) {
			const whole = await fetchedBy(browser, front, path);
			add(path, "bytes in all", weigh(whole), "a text and two fonts", ownOf(whole));
			add(path, "bytes of script", weigh(whole.filter(isScript)), "a text needs no script");
		}
	} finally {
		await front.close();
		await site.stop();
	}
	return measured;
}
