import { type ChromiumOptions, launchDrivenChromium } from "./chromium.ts";
import type { DrivenBrowser } from "./driven.ts";
import { launchFirefox } from "./firefox.ts";
import { launchWebkit } from "./webkit.ts";

const engines = { Chromium: launchDrivenChromium, Firefox: launchFirefox, WebKit: launchWebkit };

type EngineName = keyof typeof engines;

export const browserNames = Object.keys(engines) as readonly EngineName[];

/** Opens an empty page, because the policy of Firefox's start page forbids `Function` in scripts. */
export async function openBrowser(
	name: EngineName,
	options?: ChromiumOptions,
): Promise<DrivenBrowser> {
	const browser = await engines[name](options);
	await browser.open("about:blank");
	return browser;
}
