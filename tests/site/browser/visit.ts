import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { rgb } from "#shared/rgb.ts";
import { words } from "#words";
import type { Registration } from "../../../src/server/registrations/registrations.ts";
import { readRegistrations } from "../../read-rows.ts";
import { sharedChromium, sharedSite } from "../../shared.ts";

interface Visit {
	page: Page;
	complaints: string[];
}

interface TabOptions extends BrowserContextOptions {
	/** Whether the engine plays. Starting it takes longer than everything else in most tests. */
	moving?: boolean;
}

interface VisitOptions extends TabOptions {
	/** Runs before the page loads, in a tab that no other test reuses. */
	prepare?: (page: Page) => Promise<unknown>;
}

/** Idle tabs, by the options that cannot change once a tab is open. */
const idle = new Map<string, Page[]>();

/**
 * Gives a test a tab that looks like a new visitor's. Reuses idle tabs, because a new window takes
 * 0.8 s of CPU time.
 *
 * Tests with changes that a tab cannot undo get a separate window.
 */
export async function borrowTab({
	moving = false,
	viewport = { width: 412, height: 823 },
	colorScheme = null,
	reducedMotion = null,
	...options
}: TabOptions = {}): Promise<{ page: Page; giveBack(): Promise<void> }> {
	const key = JSON.stringify({ moving, ...options });
	const browser = await sharedChromium();
	let page = idle.get(key)?.pop();
	if (!page || page.isClosed()) {
		const context = await browser.newContext({ baseURL: (await sharedSite()).url, ...options });
		if (!moving) await context.addInitScript(DATA_SAVER_SCRIPT);
		page = await context.newPage();
	}
	await page.bringToFront();
	if (viewport) await page.setViewportSize(viewport);
	await page.emulateMedia({ colorScheme, reducedMotion });
	const giveBack = async () => {
		if (page.isClosed()) return;
		await forget(page);
		idle.set(key, [...(idle.get(key) ?? []), page]);
	};
	return { page, giveBack };
}

async function forget(page: Page): Promise<void> {
	const context = page.context();
	page.removeAllListeners();
	for (const other of context.pages()) if (other !== page) await other.close();
	await page.unrouteAll({ behavior: "ignoreErrors" });
	await context.unrouteAll({ behavior: "ignoreErrors" });
	await context.setOffline(false);
	await context.clearCookies();
	await page.emulateMedia({ media: null, contrast: null, forcedColors: null });
	await page
		.evaluate(() => {
			localStorage.clear();
			sessionStorage.clear();
		})
		// A page that did not load has no storage.
		.catch(() => {});
	const session = await context.newCDPSession(page);
	await session.send("Network.clearBrowserCache");
	await session.detach();
	await page.goto("about:blank");
}

/** Opens a page as a new visitor, and waits for the application. */
export async function visitPage(
	path: string,
	{ prepare, ...options }: VisitOptions = {},
): Promise<Visit> {
	const { page, giveBack } = await borrowTab(options);
	onTestFinished(({ task }) =>
		// A failed test's tab may be stuck.
		prepare || task.result?.state === "fail" ? page.context().close() : giveBack(),
	);
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(error.message));
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) complaints.push(message.text());
	});
	await prepare?.(page);
	await page.goto(path);
	if (options.javaScriptEnabled !== false) await waitUntilReady(page);
	return { page, complaints };
}

/** Pages without script are ready at once. */
export async function waitUntilReady(page: Page): Promise<void> {
	if ((await page.locator("script").count()) > 0) {
		await page.waitForFunction(() => document.documentElement.dataset.motion);
	}
}

/** Data saver disables the moving picture. */
export const DATA_SAVER_SCRIPT = `Object.defineProperty(navigator, "connection", { value: { saveData: true } })`;

export const emailField = (page: Page): Locator => page.getByLabel(words.form.label);

let visitors = 0;

export const newAddress = (): string => `Visitor${++visitors}@Example.com`;

/** The shared waitlist's rows for an address, in any spelling. */
export async function readRegistrationsOf(address: string): Promise<Registration[]> {
	const rows = readRegistrations((await sharedSite()).file);
	return rows.filter(({ key }) => key === address.toLowerCase());
}

/** Blocks matching requests until the returned function is called. */
export async function holdRequests(
	page: Page,
	what: RegExp,
	options: { times?: number } = {},
): Promise<() => void> {
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.context().route(
		what,
		async (route) => {
			await held;
			await route.continue().catch(() => {});
		},
		options,
	);
	return release;
}

/** Waits until the browser has rendered pending changes. */
export const nextFrames = (page: Page): Promise<void> =>
	page.evaluate(async () => {
		for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
	});

export const computedColor = (color: string): string => `rgb(${rgb(color).join(", ")})`;
