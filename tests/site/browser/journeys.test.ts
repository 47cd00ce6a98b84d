import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { words } from "#words";
import type { DrivenBrowser } from "../../../bench/harness/browsers/driven.ts";
import { browserNames, openBrowser } from "../../../bench/harness/browsers/open-browser.ts";
import { type BuiltSite, serveBuiltSite } from "../../../bench/harness/built-site.ts";
import { type CspProxy, startCspProxy } from "../../../bench/harness/csp-proxy.ts";
import { headline, headlineStart, thanks } from "../sentences.ts";

/*
 * The main journeys in three browsers, which report all violations of the Content-Security-Policy.
 */

let site: BuiltSite;
let front: CspProxy;

beforeAll(async () => {
	site = await serveBuiltSite(process.cwd());
	front = await startCspProxy(site.url);
});

afterAll(async () => {
	await front?.close();
	await site?.stop();
});

// WebKitGTK has OffscreenCanvas, but no WebGL in workers.
const backends = { Chromium: "worker", Firefox: "worker", WebKit: "page" } as const;

describe.each(browserNames)("%s", { tags: "slow" }, (name) => {
	const launch = () => openBrowser(name, { graphics: "processor" });
	const backend = backends[name];
	let browser: DrivenBrowser;
	const address = `ada@${name.toLowerCase()}.example`;

	beforeAll(async () => {
		browser = await launch();
	});

	// A hung browser would time out all later tests.
	afterEach(async ({ task }) => {
		if (task.result?.state !== "fail") return;
		await browser.close();
		browser = await launch();
	});

	afterAll(() => browser?.close());

	/** Waits until an expression is true. Evaluation fails between two documents. */
	const comes = (expression: string) =>
		expect
			.poll(() => browser.evaluate(expression).catch(String), { message: expression })
			.toBe(true);
	const heading = (text: string) =>
		comes(`document.querySelector("h1")?.textContent.includes(${JSON.stringify(text)}) === true`);
	const text = (sentence: string) =>
		comes(`document.body.innerText.replaceAll(/\\s+/g, " ").includes(${JSON.stringify(sentence)})`);
	/** Opens a page, by default without the engine, and waits for the application. */
	async function enter(path = "/?way=none"): Promise<void> {
		await browser.open(front.url + path);
		await comes("Boolean(document.documentElement.dataset.motion)");
	}

	async function send(address: string): Promise<void> {
		await browser.click("#email");
		await browser.type(`${address}\n`);
	}

	test("reads the page while the engine plays behind it", async () => {
		await enter("/");
		await heading(headline);
		await comes(`document.querySelector(".stage").dataset.backend === "${backend}"`);
	});

	test("joins with Enter, and the message gets the focus", async () => {
		await enter();
		await send(address);
		await text(thanks);
		expect(await browser.evaluate("document.activeElement.textContent")).toBe(thanks);
		expect(await browser.evaluate("localStorage.waitlistEmail")).toBe(address);
		expect(await browser.evaluate("location.pathname")).toBe("/");
	});

	test("sees the fireworks, goes home without a reload, and back", async () => {
		await enter("/confirmation");
		await heading(words.confirmation.title);
		await text(words.confirmation.position);
		await comes(`document.querySelector(".stage").dataset.backend === "${backend}"`);
		await browser.evaluate("void (window.sameDocument = true)");
		await browser.click("a.brand");
		await heading(headlineStart);
		await browser.evaluate("history.back()");
		await heading(words.confirmation.title);
		expect(await browser.evaluate("window.sameDocument")).toBe(true);
	});

	test("stops all motion, which stays off", async () => {
		const read = async (name: string) =>
			Number(
				await browser.evaluate(
					`/^${name} +(\\d+)/m.exec(document.querySelector(".stats-overlay pre")?.textContent)?.[1] ?? -1`,
				),
			);
		await enter("/?engine=stats");
		await expect.poll(() => read("tick")).toBeGreaterThan(20);
		await browser.click(".motion-switch");
		await comes(`document.documentElement.dataset.motion === "paused"`);
		/** Frames drawn by the engine during thirty browser frames. */
		const drawn = async () => {
			const before = await read("drawn");
			await browser.evaluate(
				"void (window.shown = 0, (function count() { if (window.shown++ < 30) requestAnimationFrame(count); })())",
			);
			await comes("window.shown > 30");
			return (await read("drawn")) - before;
		};
		// A busy machine needs time for the last requested frame.
		await expect.poll(drawn).toBe(0);
		await enter("/");
		expect(await browser.evaluate("document.documentElement.dataset.motion")).toBe("paused");
		await browser.click(".motion-switch");
		await comes(`document.documentElement.dataset.motion === "playing"`);
	});

	// Last, because the proxy collects the violations of all tests above.
	test("never violates the policy, and would report a violation", async () => {
		for (const path of ["/terms", "/no/such/page", "/privacy"]) {
			await browser.open(front.url + path);
		}
		await browser.evaluate(`void document.body.setAttribute("style", "color: red")`);
		await expect.poll(() => front.violations.length).toBeGreaterThan(0);
		expect(front.violations.splice(0)).toEqual([expect.stringContaining("style-src")]);
	});
});
