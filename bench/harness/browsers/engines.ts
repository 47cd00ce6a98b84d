import { type ChromiumOptions, launchChromium } from "./chromium.ts";
import { launchFirefox } from "./firefox.ts";
import { launchWebkit } from "./webkit.ts";

/** Somewhere that an expression can be evaluated. */
export interface Place {
	evaluate(expression: string): Promise<unknown>;
	close(): Promise<void>;
}

/** The three engines that browsers are made of, by the names of ours that have them. */
export const engines: Record<string, (options?: ChromiumOptions) => Promise<Place>> = {
	async Chromium(options) {
		const browser = await launchChromium(options);
		const page = await browser.newPage();
		return { evaluate: (expression) => page.evaluate(expression), close: () => browser.close() };
	},
	Firefox: launchFirefox,
	WebKit: launchWebkit,
};

/** A browser that is missing is installed first, which takes its time. */
export const PATIENCE_MS = 600_000;
