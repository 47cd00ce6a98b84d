/**
 * A page with only the engine, built like the site and served with its strict
 * Content-Security-Policy.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { EngineSettings } from "#engine";
import { type ChromiumOptions, launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { sharedChromium } from "../../shared.ts";
import { builtStageFolder } from "./build-stage.ts";
import type { Stage } from "./engine-stage/stage.ts";

const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

export interface StageServer {
	url: string;
	beforeWorker: string;
}

/** @param scripts sources to add to the policy's `script-src` */
export async function serveWithPolicy(folder: string, scripts = ""): Promise<StageServer> {
	const policy =
		`default-src 'none'; style-src 'unsafe-inline'; script-src 'self' ${scripts}; ` +
		"worker-src 'self'; require-trusted-types-for 'script'; trusted-types engine";
	const stage: StageServer = { url: "", beforeWorker: "" };
	const server = createServer(async ({ url = "/" }, response) => {
		const file = url === "/" ? "/index.html" : url;
		const body = await readFile(join(folder, file), "utf8").catch(() => "");
		response.writeHead(body ? 200 : 404, {
			"content-type": types[extname(file)] ?? "text/plain",
			"content-security-policy": policy,
			"cross-origin-embedder-policy": "require-corp",
		});
		response.end(file.includes("worker") ? `${stage.beforeWorker};\n${body}` : body);
	});
	await new Promise<void>((resolve) => server.unref().listen(0, "127.0.0.1", resolve));
	stage.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	return stage;
}

export interface StageOptions {
	width?: number;
	height?: number;
	/** Script that runs before the page's scripts. */
	before?: string;
	beforeWorker?: string;
}

export interface OpenStage {
	page: Page;
	/** Page errors, and console errors and warnings. */
	complaints: string[];
	lines: string[];
	close(): Promise<void>;
}

export async function openStage(
	browser: Browser,
	server: StageServer,
	{ width = 240, height = 180, before, beforeWorker = "" }: StageOptions = {},
): Promise<OpenStage> {
	const context = await browser.newContext({ viewport: { width, height } });
	const page = await context.newPage();
	const complaints: string[] = [];
	const lines: string[] = [];
	page.on("pageerror", (error) => complaints.push(String(error)));
	page.on("console", (message) => {
		if (["error", "warning"].includes(message.type())) complaints.push(message.text());
		else lines.push(message.text());
	});
	if (before) await page.addInitScript(before);
	server.beforeWorker = beforeWorker;
	await page.goto(server.url);
	return { page, complaints, lines, close: () => context.close() };
}

let served: Promise<StageServer> | undefined;

/** One server and browser for a test file, with a stage per test. */
export interface StageSetup {
	readonly server: StageServer;
	readonly browser: Browser;
	open(options?: StageOptions, from?: Browser): Promise<OpenStage>;
}

/** @param own launches a separate browser with these options */
export function setUpStages(own?: ChromiumOptions): StageSetup {
	let server: StageServer;
	let browser: Browser;
	let stage: OpenStage | undefined;

	beforeAll(async () => {
		served ??= serveWithPolicy(builtStageFolder);
		server = await served;
		browser = own
			? await launchChromium({ graphics: "software", ...own })
			: await sharedChromium("software");
	});

	afterAll(async () => {
		if (own) await browser?.close();
	});

	afterEach(async () => {
		await stage?.close();
		stage = undefined;
	});

	return {
		get server() {
			return server;
		},
		get browser() {
			return browser;
		},
		async open(options, from = browser) {
			stage = await openStage(from, server, options);
			await stage.page.waitForFunction(() => window.stage !== undefined);
			return stage;
		},
	};
}

export async function playStage(
	page: Page,
	settings: Partial<EngineSettings> = {},
	show: Parameters<NonNullable<Stage["engine"]>["set"]>[0] = { scene: "drift" },
): Promise<void> {
	await page.evaluate(([settings, show]) => window.stage.create(settings).set(show), [
		settings,
		show,
	] as const);
}

export async function waitUntilShown(page: Page, backend: string): Promise<void> {
	await expect.poll(() => page.evaluate(() => window.stage.shown.at(-1))).toBe(backend);
}

/** Counts the non-black pixels of a screenshot. */
export async function countLitPixels(page: Page): Promise<number> {
	const picture = (await page.screenshot()).toString("base64");
	// A separate page, because the test may have removed APIs that decoding needs.
	const reader = await page.context().newPage();
	const lit = await reader.evaluate(async (picture) => {
		const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
		const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
		const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
		if (!context) throw new Error("There is no 2D canvas.");
		context.drawImage(bitmap, 0, 0);
		const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
		let count = 0;
		for (let i = 0; i < data.length; i += 4) {
			if ((data[i] ?? 0) + (data[i + 1] ?? 0) + (data[i + 2] ?? 0) > 30) count++;
		}
		return count;
	}, picture);
	await reader.close();
	return lit;
}
