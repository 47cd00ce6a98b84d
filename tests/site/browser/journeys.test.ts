import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { words } from "#brand";
import type { DrivenBrowser } from "../../../bench/harness/browsers/driven.ts";
import { engineNames, openEngine } from "../../../bench/harness/browsers/engines.ts";
import { type BuiltSite, serveBuiltSite } from "../../../bench/harness/built-site.ts";
import { type Front, startFront } from "../../../bench/harness/front.ts";
import { again, headline, headlineStart, invalid, thanks } from "../sentences.ts";

/*
 * What visitors come for, in three browsers, on the built product. It is served with its own
 * Content-Security-Policy, and the browsers report every breach of it.
 */

let site: BuiltSite;
let front: Front;
/** The same server, but scripts do not run. */
let scriptless: Front;

beforeAll(async () => {
	site = await serveBuiltSite(process.cwd());
	front = await startFront(site.url);
	scriptless = await startFront(site.url, "script-src 'none'");
});

afterAll(async () => {
	await front?.close();
	await scriptless?.close();
	await site?.stop();
});

// WebKitGTK has OffscreenCanvas, but no WebGL in workers.
const backends = { Chromium: "worker", Firefox: "worker", WebKit: "page" } as const;

describe.each(engineNames)("%s", { tags: "slow" }, (name) => {
	const launch = () => openEngine(name, { graphics: "processor" });
	const backend = backends[name];
	let browser: DrivenBrowser;
	const address = `ada@${name.toLowerCase()}.example`;

	beforeAll(async () => {
		browser = await launch();
	});

	// One that hangs would fail every test after it, each by its time.
	afterEach(async ({ task }) => {
		if (task.result?.state !== "fail") return;
		await browser.close();
		browser = await launch();
	});

	afterAll(() => browser?.close());

	/** Waits until an expression is true. Between two documents there is no page to evaluate it. */
	const comes = (expression: string) =>
		expect
			.poll(() => browser.evaluate(expression).catch(String), { message: expression })
			.toBe(true);
	const heading = (text: string) =>
		comes(`document.querySelector("h1")?.textContent.includes(${JSON.stringify(text)}) === true`);
	/** Wherever its lines break. */
	const text = (sentence: string) =>
		comes(`document.body.innerText.replaceAll(/\\s+/g, " ").includes(${JSON.stringify(sentence)})`);
	/** Opens a page and waits until the application runs: without the engine, unless a test is about it. */
	async function enter(path = "/?way=none"): Promise<void> {
		await browser.open(front.url + path);
		await comes("Boolean(document.documentElement.dataset.motion)");
	}

	async function send(address: string): Promise<void> {
		await browser.click("#email");
		await browser.type(`${address}\n`);
	}

	test("reads the page, and the engine plays behind it", async () => {
		await enter("/");
		await heading(headline);
		await comes(`document.querySelector(".stage").dataset.backend === "${backend}"`);
	});

	test("joins with Enter, and the message has the focus", async () => {
		await enter();
		await send(address);
		await text(thanks);
		expect(await browser.evaluate("document.activeElement.textContent")).toBe(thanks);
		expect(await browser.evaluate("localStorage.waitlistEmail")).toBe(address);
		expect(await browser.evaluate("location.pathname")).toBe("/");
	});

	test("is recognised the second time", { tags: "slow" }, async () => {
		await enter();
		await send(address.toUpperCase());
		await text(again);
	});

	test("is told what is wrong, and the error goes when the address is mended", {
		tags: "slow",
	}, async () => {
		await enter();
		await send("ada");
		await text(invalid);
		expect(await browser.evaluate("document.activeElement.id")).toBe("email");
		await browser.type("@");
		await comes(`document.querySelector("#email-error").textContent === ""`);
		expect(await browser.evaluate(`document.querySelector("#email").value`)).toBe("ada@");
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

	test.each([
		["Privacy Policy", "/privacy", 12],
		["Terms of Service", "/terms", 18],
	] as const)("reads the %s and comes back", { tags: "slow" }, async (title, path, sections) => {
		await enter();
		await browser.click(`footer a[href="${path}"]`);
		await heading(title);
		expect(
			await browser.evaluate(`document.querySelectorAll("main h2").length`),
		).toBeGreaterThanOrEqual(sections);
		await browser.click(`a[href="/"]`);
		await heading(headlineStart);
	});

	test("follows a link into a text to its section", { tags: "slow" }, async () => {
		await browser.open(`${front.url}/privacy`);
		await browser.evaluate(`void (location.hash = "security")`);
		const top = `document.querySelector("#security").getBoundingClientRect().top`;
		await comes(`${top} >= 0 && ${top} < 100`);
	});

	test("finds the way home from an unknown path", { tags: "slow" }, async () => {
		await browser.open(`${front.url}/no/such/page`);
		await heading(words.notFound.title);
		expect(
			await browser.evaluate(`performance.getEntriesByType("navigation")[0].responseStatus ?? 404`),
		).toBe(404);
		await browser.click("a.return");
		await heading(headlineStart);
	});

	test("stops everything that moves, and it stays stopped", { tags: "slow" }, async () => {
		/** A line of the engineers' overlay. */
		const read = async (name: string) =>
			Number(
				await browser.evaluate(
					`/^${name} +(\\d+)/m.exec(document.querySelector(".stats-overlay pre")?.textContent)?.[1] ?? -1`,
				),
			);
		await enter("/?engine=stats");
		await expect.poll(() => read("tick")).toBeGreaterThan(20);
		expect(await read("draw calls")).toBe(2);
		await browser.click(".motion-switch");
		await comes(`document.documentElement.dataset.motion === "paused"`);
		/** Frames drawn within a second. */
		const drawnInASecond = async () => {
			const before = await read("drawn");
			await new Promise((resolve) => setTimeout(resolve, 1000));
			return (await read("drawn")) - before;
		};
		// A busy machine takes its time over the last one.
		await expect.poll(drawnInASecond).toBe(0);
		expect(await drawnInASecond()).toBe(0);
		await enter("/");
		expect(await browser.evaluate("document.documentElement.dataset.motion")).toBe("paused");
		await browser.click(".motion-switch");
		await comes(`document.documentElement.dataset.motion === "playing"`);
	});

	test("joins without script, is recognised, and is told what is wrong", {
		tags: "slow",
	}, async () => {
		const other = `grace@${name.toLowerCase()}.example`;
		for (const [typed, answer] of [
			[other, thanks],
			[other, again],
			["grace", invalid],
		] as const) {
			await browser.open(`${scriptless.url}/`);
			await send(typed);
			await text(answer);
			expect(await browser.evaluate("location.pathname")).toBe("/api/waitlist/register");
			expect(await browser.evaluate("document.documentElement.dataset.motion ?? null")).toBeNull();
		}
		expect(await browser.evaluate(`document.querySelector("#email").value`)).toBe("grace");
	});

	test("meets every page and state without a breach of the policy", { tags: "slow" }, async () => {
		// The server's pages for a form without script, under the policy as it is.
		for (const typed of [`joan@${name.toLowerCase()}.example`, address, "joan"]) {
			await enter();
			await browser.evaluate(`(() => {
				document.querySelector("#email").value = ${JSON.stringify(typed)};
				HTMLFormElement.prototype.submit.call(document.querySelector("form"));
			})()`);
			await comes(`location.pathname === "/api/waitlist/register"`);
		}
		await new Promise((resolve) => setTimeout(resolve, 1000));
		expect(front.violations).toEqual([]);
	});

	test("would report a breach", { tags: "slow" }, async () => {
		await browser.open(`${front.url}/privacy`);
		await browser.evaluate(`void document.body.setAttribute("style", "color: red")`);
		await expect.poll(() => front.violations.splice(0).join()).toContain("style-src");
	});
});
