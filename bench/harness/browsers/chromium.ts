import { type Browser, chromium } from "playwright-core";
import type { DrivenBrowser } from "./driven.ts";
import { findEmoji } from "./emoji.ts";
import { findProgram, type Program } from "./find.ts";

/** For callers that start it in another way than `launchChromium`. */
export const chromiumProgram: Program = {
	title: "Chromium",
	variable: "CHROMIUM_PATH",
	commands: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"],
	places: [
		// Playwright's own download, whichever place it has on this system.
		chromium.executablePath(),
		"/opt/google/chrome/chrome",
		"/Applications/Chromium.app/Contents/MacOS/Chromium",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
	],
	packages: ["chromium"],
};

/**
 * Chromium without tabs, windows and their program, or else all of it: the same engine shows a new
 * page for 0.35 s of processor time instead of 0.73 s (20 contexts, Chromium 150).
 */
export const chromiumShell: Program = {
	...chromiumProgram,
	title: "Chromium's headless shell",
	commands: ["chromium-headless-shell", "chrome-headless-shell", ...chromiumProgram.commands],
	packages: ["chromium-headless-shell"],
};

export interface ChromiumOptions {
	/**
	 * `default` is what the machine has. `software` draws WebGL and composes pages with GL on the
	 * processor, the same on every machine. `processor` is a machine without a GPU whose browser still
	 * has WebGL: it composes pages on the processor without GL. `none` is the same without WebGL, which
	 * Chrome refuses there since 139.
	 */
	graphics?: keyof typeof graphicsSwitches;
	/** Whether the headless shell does: for pages of which none is ever hidden. */
	shell?: boolean;
	/** Keeps pages for going back. Playwright's own pages break with it: see `openTab`. */
	backForwardCache?: boolean;
	/** V8's flags, such as `--expose-gc`. */
	engineFlags?: string[];
	/** Further switches of Chromium's. */
	args?: string[];
	/** Environment variables beside our own. */
	environment?: Record<string, string>;
}

export const graphicsSwitches = {
	default: [],
	software: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
	processor: ["--disable-gpu", "--enable-unsafe-swiftshader"],
	none: ["--disable-gpu", "--disable-software-rasterizer"],
};

/**
 * Features that no Chromium of ours has. This list replaces Playwright's own, whose entries that
 * matter here come first. The last two are the suggestions under the address field, which are pages
 * of their own: without them a window takes 0.33 s of processor time instead of 0.79 s.
 */
const UNUSED_FEATURES = [
	...["PaintHolding", "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "MediaRouter"],
	...["DestroyProfileOnBrowserClose", "AvoidUnnecessaryBeforeUnloadCheckSync"],
	...["OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
	...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
];

/** The switch that leaves them out, for callers that start Chromium in another way. */
export const withoutUnused = `--disable-features=${UNUSED_FEATURES}`;

/**
 * Starts the Chromium (or Chrome) of this machine without a window.
 *
 * Playwright adds `--no-sandbox`, which root needs, and silences most of the browser's own network
 * traffic; QUIC is left to us.
 * @throws one sentence when there is no Chromium and none can be installed.
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
			// Playwright allows software WebGL by itself, which would turn "none" into "software".
			...(graphics === "none" ? ["--enable-unsafe-swiftshader"] : []),
			...(backForwardCache ? ["--disable-back-forward-cache"] : []),
		],
		args: [
			"--disable-quic",
			withoutUnused,
			// Letters are as wide in the shell as in Chromium, which leaves them where they fall.
			...(shell ? ["--font-render-hinting=none"] : []),
			...graphicsSwitches[graphics],
			...(engineFlags.length > 0 ? [`--js-flags=${engineFlags.join(" ")}`] : []),
			...args,
		],
	});
}

/** Chromium with the same remote control as the other browsers. */
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
