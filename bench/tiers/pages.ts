import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { brand } from "../../src/brand.ts";
import { words } from "../../src/words/en.ts";
import type { Budgets } from "../budgets.ts";
import { serveBuiltSite } from "../harness/built-site.ts";
import { type CspProxy, startCspProxy } from "../harness/csp-proxy.ts";
import type { MeasuredRow } from "../row.ts";

type Answers = CspProxy["answers"];

/** Excludes speculation rules, which are for the next page. */
const isForThisPage = ({ type }: Answers[0]) => !type.includes("speculationrules");
const isFont = ({ type }: Answers[0]) => type.startsWith("font/");
export const isScript = ({ type }: Answers[0]): boolean => type.includes("javascript");
const weigh = (answers: Answers) => answers.reduce((sum, { bytes }) => sum + bytes, 0);

/** A small window, because software drawing is slow. */
const VIEWPORT = { width: 320, height: 480 };

const count = (answers: Answers) => answers.length;

/** Compressed bytes of the brand's words. */
const ownWords = brotliCompressSync(JSON.stringify([brand, words])).length;
const ownOf = (answers: Answers) => ownWords + weigh(answers.filter(isFont));

/**
 * Loads a page until the network is idle, and returns the responses.
 * @param application `false` leaves out React and all it loads
 */
export async function loadPageResponses(
	browser: Browser,
	front: CspProxy,
	path: string,
	{ application = true } = {},
): Promise<Answers> {
	const before = front.answers.length;
	const context = await browser.newContext({ viewport: VIEWPORT });
	try {
		const page = await context.newPage();
		page.setDefaultTimeout(150_000);
		// An empty script, because a blocked one would make the page check for a new deploy.
		const nothing = { contentType: "text/javascript", body: "" };
		if (!application) await page.route("**/assets/main-*.js", (route) => route.fulfill(nothing));
		await page.goto(front.url + path, { waitUntil: "networkidle" });
		if (application && (await page.locator("script").count()) > 0) {
			await page.locator(".stage[data-backend=worker]").waitFor({ state: "attached" });
		}
	} finally {
		await context.close();
	}
	// Counts each file once: with a window, Chromium loads `mark.svg` again for the tab.
	const answers = new Map(front.answers.slice(before).map((answer) => [answer.path, answer]));
	return [...answers.values()];
}

/** Measures the compressed bytes of first visits. `tree` must be built. */
export async function measurePages(
	browser: Browser,
	tree: string,
	{ pages: { columns } }: Budgets,
): Promise<MeasuredRow[]> {
	const site = await serveBuiltSite(tree);
	const front = await startCspProxy(site.url);
	const visits: { read: Answers; all: Answers }[] = [];
	/** Uncompressed bytes of the scripts that a page loads before its application. */
	const boot: number[] = [];
	try {
		for (const path of columns) {
			const before = await loadPageResponses(browser, front, path, { application: false });
			const scripts = before.filter(isScript);
			const files = scripts.map((script) => readFile(join(tree, "dist/site", script.path)));
			boot.push((await Promise.all(files)).reduce((sum, { length }) => sum + length, 0));
			const all = scripts.length > 0 ? await loadPageResponses(browser, front, path) : before;
			visits.push({ read: before.filter(isForThisPage), all });
		}
	} finally {
		await front.close();
		await site.stop();
	}
	const row = (name: string, values: number[], own: number[] = []) =>
		({ tier: "pages", name, values, own }) as const;
	const [read, all] = [visits.map((visit) => visit.read), visits.map((visit) => visit.all)];
	const withoutFonts = read.map((answers) => answers.filter((answer) => !isFont(answer)));
	const wordsOf = withoutFonts.map(() => ownWords);
	return [
		row("bytes to read", read.map(weigh), read.map(ownOf)),
		row("bytes before fonts", withoutFonts.map(weigh), wordsOf),
		row("requests to read", read.map(count)),
		row("bytes in all", all.map(weigh), all.map(ownOf)),
		row("requests in all", all.map(count)),
		row("script before idle", boot),
	];
}
