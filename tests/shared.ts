import type { Browser } from "playwright-core";
import { vi } from "vitest";
import { type ChromiumOptions, launchChromium } from "../bench/harness/browsers/chromium.ts";
import { type BuiltSite, serveBuiltSite } from "../bench/harness/built-site.ts";

/* All test files of a worker share these: vite.config.ts lets them reuse modules. */

type Graphics = NonNullable<ChromiumOptions["graphics"]>;

const browsers = new Map<Graphics, Promise<Browser>>();
let site: Promise<BuiltSite> | undefined;

/**
 * Returns one Chromium per graphics setting, and replaces it if it crashed. The default has no GPU,
 * so it draws the same on every machine.
 */
export async function sharedChromium(graphics: Graphics = "processor"): Promise<Browser> {
	const running = await browsers.get(graphics);
	if (running?.isConnected()) return running;
	const launched = launchChromium({ graphics, shell: true });
	browsers.set(graphics, launched);
	return launched;
}

/** Serves the built site once for all tests, so each test must join with its own addresses. */
export function sharedSite(): Promise<BuiltSite> {
	site ??= serveBuiltSite(process.cwd(), { WAITLIST_ADDRESS_LIMIT: "1000/10m" });
	return site;
}

/**
 * Imports modules with one of them replaced. Then unloads all modules, because other test files of
 * the worker would use the replacement.
 */
export async function importReplacing<Loaded>(
	path: string,
	replacement: object,
	load: () => Promise<Loaded>,
): Promise<Loaded> {
	vi.resetModules();
	vi.doMock(path, () => replacement);
	try {
		return await load();
	} finally {
		vi.doUnmock(path);
		vi.resetModules();
	}
}
