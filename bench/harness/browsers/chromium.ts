import { type Browser, chromium } from "playwright-core";
import type { DrivenBrowser } from "./driven.ts";
import { findEmoji } from "./emoji.ts";
import { findProgram, type Program } from "./find.ts";

export const chromiumProgram: Program = {
	title: "Chromium",
	variable: "CHROMIUM_PATH",
	commands: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
	places: [
		// Playwright's download.
		chromium.executablePath(),
		"/opt/google/chrome/chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	],
	packages: ["chromium"],
};

/**
 * Chromium's headless shell, or full Chromium if it is missing. A new page in the shell takes 0.35
 * s of CPU time instead of 0.73 s (20 contexts, Chromium 150).
 */
export const chromiumShell: Program = {
	...chromiumProgram,
	title: "Chromium's headless shell",
	commands: ["chromium-headless-shell", "chrome-headless-shell", ...chromiumProgram.commands],
	packages: ["chromium-headless-shell"],
};

export interface ChromiumOptions {
	/**
	 * `default` uses the machine's GPU. `software` uses software GL for WebGL and compositing, the
	 * same on every machine. `processor` has WebGL without a GPU, and composites without GL. `none`
	 * has no WebGL, like Chrome 139 and later without a GPU.
	 */
	graphics?: keyof typeof graphicsSwitches;
	/** Use the headless shell, for pages that are never hidden. */
	shell?: boolean;
	/** Enables the back/forward cache, which breaks Playwright's own pages: see `openTab`. */
	backForwardCache?: boolean;
	/** V8 flags, such as `--expose-gc`. */
	engineFlags?: string[];
	args?: string[];
	environment?: Record<string, string>;
}

const graphicsSwitches = {
	default: [],
	software: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
	processor: ["--disable-gpu", "--enable-unsafe-swiftshader"],
	none: ["--disable-gpu", "--disable-software-rasterizer"],
};

/**
 * Features to disable; replaces Playwright's list, whose relevant entries come first. The last two
 * are the address bar's suggestions, which are separate pages: without them a window takes 0.33 s
 * of CPU time instead of 0.79 s.
 */
const UNUSED_FEATURES = [
	...["PaintHolding", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "MediaRouter"],
	...["DestroyProfileOnBrowserClose", "AvoidUnnecessaryBeforeUnloadCheckSync"],
	...["OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
	...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
];

/**
 * Playwright adds `--no-sandbox`, which root needs, and silences most of the browser's own network
 * traffic, except QUIC.
 * @throws one sentence if there is no Chromium and none can be installed.
 */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Browser> {
	const {
		graphics = "default",
		shell = false,
		backForwardCache = false,
		engineFlags = [],
		args = [],
		environment,
	} = options;
	await findEmoji();
	return await chromium.launch({
		executablePath: await findProgram(shell ? chromiumShell : chromiumProgram),
		...(environment && { env: { ...process.env, ...environment } }),
		ignoreDefaultArgs: [
			// Playwright enables software WebGL by default, which would turn "none" into "software".
			...(graphics === "none" ? ["--enable-unsafe-swiftshader"] : []),
			...(backForwardCache ? ["--disable-back-forward-cache"] : []),
		],
		args: [
			"--disable-quic",
			`--disable-features=${UNUSED_FEATURES}`,
			// Makes text in the shell as wide as in Chromium, which uses no hinting.
			...(shell ? ["--font-render-hinting=none"] : []),
			...graphicsSwitches[graphics],
			...(engineFlags.length > 0 ? [`--js-flags=${engineFlags.join(" ")}`] : []),
			...args,
		],
	});
}

export async function driveChromium(options: ChromiumOptions = {}): Promise<DrivenBrowser> {
	const browser = await launchChromium(options);
	const page = await browser.newPage();
	return {
		version: browser.version(),
		open: async (url) => void (await page.goto(url)),
		evaluate: (expression) => page.evaluate(expression),
		type: (text) => page.keyboard.type(text),
		click: (selector) => page.locator(selector).first().click(),
		photograph: () => page.screenshot(),
		close: () => browser.close(),
	};
}
