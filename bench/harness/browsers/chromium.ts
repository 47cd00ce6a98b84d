import { type Browser, chromium } from "playwright-core";
import type { DrivenBrowser } from "./driven.ts";
import { findEmojiFont } from "./emoji.ts";
import { findProgram, type Program } from "./find.ts";

export const chromiumProgram: Program = {
	title: "Chromium",
	variable: "CHROMIUM_PATH",
	commands: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
	places: [
		chromium.executablePath(),
		"/opt/google/chrome/chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	],
	packages: ["chromium"],
};

/** The shell opens a page in 0.35 s of CPU time, the full Chromium in 0.73 s. */
export const chromiumShellProgram: Program = {
	...chromiumProgram,
	title: "Chromium's headless shell",
	commands: ["chromium-headless-shell", "chrome-headless-shell", ...chromiumProgram.commands],
	packages: ["chromium-headless-shell"],
};

export interface ChromiumOptions {
	/**
	 * - `default`: the machine's GPU.
	 * - `software`: software GL for WebGL and compositing, the same on every machine.
	 * - `processor`: software WebGL, and compositing without GL.
	 * - `none`: no WebGL, like Chrome 139 and later without a GPU.
	 */
	graphics?: keyof typeof graphicsSwitches;
	/** Uses the headless shell. Its pages always count as visible. */
	shell?: boolean;
	/** Enables the back/forward cache, with which only `openTab` works, not Playwright's pages. */
	backForwardCache?: boolean;
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
 * Disabled features, which replace Playwright's list. The last two, address bar suggestions, cost
 * 0.46 s of CPU time per window.
 */
const UNUSED_FEATURES = [
	...["PaintHolding", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "MediaRouter"],
	...["DestroyProfileOnBrowserClose", "AvoidUnnecessaryBeforeUnloadCheckSync"],
	...["OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
	...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
];

/** @throws Error if Chromium is missing and cannot be installed */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Browser> {
	const {
		graphics = "default",
		shell = false,
		backForwardCache = false,
		engineFlags = [],
		args = [],
		environment,
	} = options;
	await findEmojiFont();
	return await chromium.launch({
		executablePath: await findProgram(shell ? chromiumShellProgram : chromiumProgram),
		...(environment && { env: { ...process.env, ...environment } }),
		ignoreDefaultArgs: [
			// Leaves out a default of Playwright's, which enables software WebGL.
			...(graphics === "none" ? ["--enable-unsafe-swiftshader"] : []),
			...(backForwardCache ? ["--disable-back-forward-cache"] : []),
		],
		args: [
			"--disable-quic",
			`--disable-features=${UNUSED_FEATURES}`,
			// Without hinting, text is as wide as in the full Chromium.
			...(shell ? ["--font-render-hinting=none"] : []),
			...graphicsSwitches[graphics],
			...(engineFlags.length > 0 ? [`--js-flags=${engineFlags.join(" ")}`] : []),
			...args,
		],
	});
}

export async function launchDrivenChromium(options: ChromiumOptions = {}): Promise<DrivenBrowser> {
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
