import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { words } from "#brand";
import { rgb } from "#shared/rgb.ts";
import { readRows } from "../../read-rows.ts";
import { type ServerProcess, startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

export interface Visit {
	page: Page;
	/** Nobody else's: its waitlist was empty. */
	server: ServerProcess;
	/** Faults of the page, and what the browser warned of. */
	complaints: string[];
}

interface VisitOptions extends BrowserContextOptions {
	/** Whether the engine plays. Starting it takes longer than all the rest, so few tests ask for it. */
	moving?: boolean;
	/** Called before the page is loaded. */
	prepare?: (page: Page) => Promise<unknown>;
}

/** A new visitor opens a page, on a server of their own, and waits until the application runs. */
export async function visit(
	browser: Browser,
	path: string,
	{ moving = false, prepare, ...options }: VisitOptions = {},
): Promise<Visit> {
	const server = await startServer({ folder: await temporaryFolder() });
	// A phone's, as most visitors have, and cheap to draw.
	const viewport = { width: 412, height: 823 };
	const context = await browser.newContext({ baseURL: server.url, viewport, ...options });
	onTestFinished(() => context.close());
	if (!moving) await context.addInitScript(saveData);
	const page = await context.newPage();
	const complaints: string[] = [];
	page.on("pageerror", (error) => complaints.push(error.message));
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) complaints.push(message.text());
	});
	await prepare?.(page);
	await page.goto(path);
	if (options.javaScriptEnabled !== false) await ready(page);
	return { page, server, complaints };
}

/** Waits until the application runs. Pages without script are ready as they are. */
export async function ready(page: Page): Promise<void> {
	if ((await page.locator("script").count()) > 0)
		await page.waitForFunction(() => document.documentElement.dataset.motion);
}

/** Script that makes the visitor one who saves data, and gets no moving picture (promise 51). */
export const saveData = `Object.defineProperty(navigator, "connection", { value: { saveData: true } })`;

/** The field of the form. */
export const email = (page: Page): Locator => page.getByLabel(words.form.label);

/** The addresses on a server's waitlist. */
export const emails = (server: ServerProcess): string[] =>
	readRows(server.file).map((row) => row.email);

/** Holds back all requests that fit, until the returned function is called. */
export async function hold(
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

/** A colour as browsers compute it. */
export const computed = (colour: string): string => `rgb(${rgb(colour).join(", ")})`;
