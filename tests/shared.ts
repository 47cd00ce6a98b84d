import type { Browser } from "playwright-core";
import { type ChromiumOptions, launchChromium } from "../bench/harness/browsers/chromium.ts";
import { type BuiltSite, serveBuiltSite } from "../bench/harness/built-site.ts";

/*
 * Shared by all files that a worker runs in sequence: vite.config.ts keeps their modules in one
 * process. Browsers and site end with that process.
 */

type Graphics = NonNullable<ChromiumOptions["graphics"]>;

const browsers = new Map<Graphics, Promise<Browser>>();
let site: Promise<BuiltSite> | undefined;

/**
 * Returns one Chromium per graphics setting, by default without a GPU, which renders alike on every
 * machine. Each test opens a separate context. A crashed browser is replaced.
 */
export async function sharedChromium(graphics: Graphics = "processor"): Promise<Browser> {
	const running = await browsers.get(graphics);
	if (running?.isConnected()) return running;
	const launched = launchChromium({ graphics, shell: true });
	browsers.set(graphics, launched);
	return launched;
}

/** The built site on one server for all tests: tests that join there need unique addresses. */
export function sharedSite(): Promise<BuiltSite> {
	site ??= serveBuiltSite(process.cwd(), { WAITLIST_ADDRESS_LIMIT: "1000/10m" });
	return site;
}
