import { type ChromiumOptions, launchChromium } from "./chromium.ts";
import { launchFirefox } from "./firefox.ts";
import { launchWebkit } from "./webkit.ts";

/** A page or browser in which an expression can be evaluated. */
export interface Place {
	evaluate(expression: string): Promise<unknown>;
	close(): Promise<void>;
}

/** The three browser engines, by the names of the browsers in which we test them. */
export const engines: Record<string, (options?: ChromiumOptions) => Promise<Place>> = {
	async Chromium(options) {
		const browser = await launchChromium(options);
		const page = await browser.newPage();
		return { evaluate: (expression) => page.evaluate(expression), close: () => browser.close() };
	},
	Firefox: launchFirefox,
	WebKit: launchWebkit,
};

/** Long enough to install a missing browser first. */
export const PATIENCE_MS = 600_000;
