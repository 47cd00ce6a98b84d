import type { Browser, CDPSession, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { words } from "#brand";
import { readRows } from "../../../read-rows.ts";
import { startServer } from "../../../server-process.ts";
import { sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { headlineStart, thanks } from "../../sentences.ts";

/*
 * Whatever does not arrive, the page is readable and beautiful, and the form works (promise 51).
 * Screenshots to look at: node_modules/.cache/degraded/*.png.
 */

let browser: Browser;
let withoutGraphics: Browser;

beforeAll(async () => {
	browser = await sharedChromium();
	withoutGraphics = await sharedChromium("none");
});

const block = (what: RegExp) => (page: Page) => page.route(what, (route) => route.abort());
const running = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.motion);
const drawn = (backend: string) => (page: Page) =>
	page.locator(`.stage[data-backend=${backend}]`).waitFor({ state: "attached" });

interface Lack {
	name: string;
	graphics?: "none";
	prepare(page: Page, session: CDPSession): Promise<unknown>;
	/** Waits until nothing more will arrive. */
	settle(page: Page): Promise<unknown>;
}

const lacks: Lack[] = [
	{
		name: "scripts blocked",
		prepare: block(/\.js$/),
		settle: (page) => page.waitForLoadState("networkidle"),
	},
	{ name: "pictures blocked", prepare: block(/\.(svg|png|jpg|ico)$/), settle: drawn("worker") },
	{ name: "fonts blocked", prepare: block(/\.woff2$/), settle: drawn("worker") },
	{
		name: "WebGL refused",
		graphics: "none",
		prepare: async () => {},
		settle: drawn("flat"),
	},
	{
		name: "the engine's worker missing",
		prepare: block(/\/worker-[^/]+\.js$/),
		settle: drawn("page"),
	},
	{
		name: "all of the engine's files missing",
		prepare: block(/\/(engine|worker|gl-surface|flat-surface)-[^/]+\.js$/),
		settle: running,
	},
	{
		name: "a line of 50 kbit per second",
		prepare: async (_, session) => {
			await session.send("Network.enable");
			await session.send("Network.emulateNetworkConditions", {
				offline: false,
				latency: 400,
				downloadThroughput: 50_000 / 8,
				uploadThroughput: 50_000 / 8,
			});
		},
		// On such a line the visitor does not wait for the application.
		settle: (page) => page.getByLabel(words.form.label).waitFor(),
	},
];

/** In every run the least that may arrive. */
const often = ["all of the engine's files missing"];

test.each(lacks.filter(({ name }) => often.includes(name)))(
	"with $name, a visitor reads the page and joins",
	async (lack) => {
		const { url, file } = await startServer({ folder: await temporaryFolder() });
		const from = lack.graphics === "none" ? withoutGraphics : browser;
		const context = await from.newContext({ viewport: { width: 412, height: 823 } });
		onTestFinished(() => context.close());
		const page = await context.newPage();
		const broken: string[] = [];
		page.on("pageerror", ({ message }) => {
			// Chromium's own words for a fade between two documents that came too late for the new one.
			if (!/^Transition was (aborted|skipped)/.test(message)) broken.push(message);
		});
		await lack.prepare(page, await context.newCDPSession(page));
		await page.goto(url, { waitUntil: "commit" });
		await lack.settle(page);
		await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
		// Sky and sphere are there, drawn by the style sheet or by the engine.
		await expect
			.poll(() => page.locator(".sphere:visible, [data-backend] canvas:visible").count())
			.toBeGreaterThan(0);
		const picture = `node_modules/.cache/degraded/${lack.name.replaceAll(" ", "-")}.png`;
		await page.screenshot({ path: picture });
		const email = page.getByLabel(words.form.label);
		await email.fill("ada@example.com");
		await email.press("Enter");
		await page.getByText(thanks).waitFor();
		expect(readRows(file).map((row) => row.email)).toEqual(["ada@example.com"]);
		expect(broken).toEqual([]);
	},
);
