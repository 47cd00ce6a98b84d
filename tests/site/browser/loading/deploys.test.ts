import type { Page, Request } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { readRegistrations } from "../../../read-rows.ts";
import { startServer } from "../../../server-process.ts";
import { sharedChromium } from "../../../shared.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { thanks } from "../../sentences.ts";
import { emailField, holdRequests } from "../visit.ts";
import { copyAsLaterBuild } from "./later-build.ts";

/*
 * A page may stay open after a deploy that removed its scripts. These tests remove the files and
 * replace the server.
 */

async function begin() {
	const folder = await temporaryFolder();
	const server = await startServer({ folder });
	const context = await (await sharedChromium()).newContext({ baseURL: server.url });
	onTestFinished(() => context.close());
	const page = await context.newPage();
	let documents = 0;
	const pending = new Set<Request>();
	page.on("request", (request) => {
		if (request.isNavigationRequest()) documents++;
		pending.add(request);
	});
	for (const end of ["requestfinished", "requestfailed"] as const) {
		page.on(end as "requestfinished", (request) => pending.delete(request));
	}
	return {
		page,
		server,
		documents: () => documents,
		pending: () => [...pending].map((request) => new URL(request.url()).pathname),
		/** Replaces the server with one of another build on the same port. */
		async deploy() {
			const main = await copyAsLaterBuild();
			server.process.kill();
			await server.ended;
			await startServer({ folder, main, env: { PORT: new URL(server.url).port } });
		},
	};
}

const holdMain = (page: Page) => holdRequests(page, /\/assets\/main-[^/]+\.js$/, { times: 1 });

const isRunning = (page: Page) =>
	page.evaluate(() => Boolean(document.documentElement.dataset.motion));

test("a page whose script is gone after a deploy reloads as the newer page", async () => {
	const { page, documents, pending, deploy } = await begin();
	const release = await holdMain(page);
	await page.goto("/");
	// Waits until only the main script is pending. Other requests would fail when the server stops,
	// and the test would see an outage instead of a deploy.
	await expect.poll(pending).toEqual([expect.stringContaining("/main-")]);
	await deploy();
	release();
	// Counts requests: Chromium treats evaluating in the page as a touch, which delays the reload.
	await expect.poll(documents).toBe(2);
	await expect.poll(() => isRunning(page).catch(() => false)).toBe(true);
	expect(documents()).toBe(2);
	expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

test("an address typed before the reload is kept, and joins without script", {
	tags: "slow",
}, async () => {
	const { page, server, documents, deploy } = await begin();
	const release = await holdMain(page);
	await page.goto("/");
	await emailField(page).pressSequentially("ada@example.com");
	await deploy();
	const asked = page.waitForResponse(
		(response) => response.request().resourceType() === "fetch" && response.ok(),
	);
	release();
	await (await asked).finished();
	// Simulates another tab coming to the front. Playwright keeps all pages visible.
	await page.evaluate(() => {
		Object.defineProperty(document, "hidden", { value: true });
		document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
	});
	expect(await emailField(page).inputValue()).toBe("ada@example.com");
	expect(documents()).toBe(1);
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(readRegistrations(server.file)).toHaveLength(1);
});
