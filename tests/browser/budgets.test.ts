import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readBudgets } from "../../bench/budgets.ts";
import { launchChromium } from "../browsers/chromium.ts";
import { type Front, startFront } from "../browsers/front.ts";
import { startServer } from "../server/server-process.ts";
import { temporaryFolder } from "../server/temporary.ts";

const budgets = Object.entries(await readBudgets("bench/budgets.json")).filter(([name]) =>
	name.startsWith("route "),
);

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium({ graphics: "software" });
});

afterAll(() => browser?.close());

async function openFront(): Promise<Front> {
	const { url } = await startServer({ folder: await temporaryFolder() });
	const front = await startFront(url);
	onTestFinished(front.close);
	return front;
}

/** What a first visit fetches, until nothing more is asked for. */
async function fetchedBy(front: Front, path: string, { application = true } = {}) {
	const before = front.answers.length;
	const context = await browser.newContext();
	const page = await context.newPage();
	// One that cannot be fetched would have the page look for a newer one.
	const nothing = { contentType: "text/javascript", body: "" };
	if (!application) await page.route("**/assets/main-*.js", (route) => route.fulfill(nothing));
	await page.goto(front.url + path, { waitUntil: "networkidle" });
	if (application && (await page.locator("script").count()) > 0)
		await page.locator(".stage[data-way=worker]").waitFor({ state: "attached" });
	await context.close();
	return front.answers.slice(before);
}

/** All but what says which page may be prepared next. */
const isToRead = ({ type }: Front["answers"][0]) => !type.includes("speculationrules");
const isScript = ({ type }: Front["answers"][0]) => type.includes("javascript");
const isFont = ({ type }: Front["answers"][0]) => type.startsWith("font/");
const bytes = (answers: Front["answers"]) => answers.reduce((sum, { bytes }) => sum + bytes, 0);

test("every route keeps its budgets", async () => {
	const front = await openFront();
	const measured: Record<string, number> = {};
	for (const path of ["/", "/confirmation"]) {
		const first = (await fetchedBy(front, path, { application: false })).filter(isToRead);
		const whole = await fetchedBy(front, path);
		measured[`route ${path} bytes to read`] = bytes(first);
		measured[`route ${path} bytes to read without fonts`] = bytes(
			first.filter((answer) => !isFont(answer)),
		);
		measured[`route ${path} requests to read`] = first.length;
		measured[`route ${path} bytes in all`] = bytes(whole);
		measured[`route ${path} requests in all`] = whole.length;
		const boot = first.filter(isScript);
		expect(boot.map((answer) => answer.path)).toEqual([expect.stringMatching(/assets\/boot-/)]);
		const file = await readFile(`dist/site${boot[0]!.path}`);
		measured[`route ${path} bytes of boot script`] = file.length;
	}
	for (const path of ["/privacy", "/terms", "/nowhere"]) {
		const whole = await fetchedBy(front, path);
		measured[`route ${path} bytes in all`] = bytes(whole);
		measured[`route ${path} bytes of script`] = bytes(whole.filter(isScript));
	}
	expect(budgets.length).toBeGreaterThan(0);
	for (const [name, { limit, unit, reason }] of budgets)
		expect.soft(measured[name], `${name}, in ${unit}: ${reason}`).toBeLessThanOrEqual(limit);
}, 240_000);

test("the boot script imports nothing statically", async () => {
	const [boot] = (await fetchedBy(await openFront(), "/", { application: false })).filter(isScript);
	const code = await readFile(`dist/site${boot!.path}`, "utf8");
	expect(code).toContain("import(");
	expect(code).not.toMatch(/\bimport\s*["'{*\w]|\bfrom\s*["']/);
});
