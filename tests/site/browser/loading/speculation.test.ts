/** @module-tag slow */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../../../bench/harness/browsers/chromium.ts";
import { openTab } from "../../../../bench/harness/browsers/tab.ts";
import { readStaticFiles } from "../../../../src/server/http/static-files.ts";
import { listen } from "../../../../src/server/listen.ts";

const dist = join(process.cwd(), "dist");

/** The built site, and each request to it: its path, and its `Sec-Purpose`. */
async function openSite() {
	const headers = JSON.parse(await readFile(join(dist, "headers.json"), "utf8"));
	const files = await readStaticFiles(join(dist, "site"), headers);
	const asked: { path: string; purpose: string }[] = [];
	const fetch = async (request: Request) => {
		const purpose = request.headers.get("sec-purpose") ?? "";
		const path = new URL(request.url).pathname;
		asked.push({ path, purpose });
		const answer = files.respond(request);
		if (path !== "/speculation.json") return answer;
		// Apply the rules at once, without a pointer that rests on a link.
		const rules = await files.respond(new Request(request.url)).text();
		const headers = { "content-type": answer.headers.get("content-type")! };
		return new Response(rules.replaceAll('"moderate"', '"immediate"'), { headers });
	};
	const server = await listen({ fetch }, { host: "127.0.0.1", port: 0 });
	onTestFinished(() => server.close(0));
	return { url: server.url, asked };
}

test("a page behind a link is prepared, and its engine comes when it is shown", async () => {
	const { url, asked } = await openSite();
	const browser = await launchChromium();
	onTestFinished(() => browser.close());
	// Playwright holds up prerendered pages: this tab is driven without it.
	const tab = await openTab(browser, `${url}/privacy`);
	const prepared = () => asked.filter(({ purpose }) => purpose.includes("prerender"));
	await expect.poll(() => prepared().map(({ path }) => path)).toContain("/");
	// Longer than the two seconds after which an idle page would load the engine.
	await wait(4000);
	const engine = () => asked.filter(({ path }) => path.includes("/assets/engine-"));
	expect(engine()).toEqual([]);
	expect(asked.filter(({ path }) => path.startsWith("/api"))).toEqual([]);

	// The click ends this document: do not wait for its answer.
	await tab.evaluate(`setTimeout(() => document.querySelector("a[href='/']").click())`);
	await expect.poll(engine).not.toEqual([]);
	expect(asked.filter(({ path }) => path === "/")).toHaveLength(
		prepared().filter(({ path }) => path === "/").length,
	);
});
