import { type Browser, chromium } from "playwright-core";
import { findEmoji } from "./emoji.ts";
import { findProgram } from "./find.ts";

const where = {
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

export interface ChromiumOptions {
	/**
	 * `software` draws WebGL on the processor, the same on every machine; `none` is a desktop without
	 * a GPU driver, where Chrome since 139 refuses WebGL; `default` is what the machine has.
	 */
	graphics?: "default" | "software" | "none";
	/** V8's flags, such as `--expose-gc`. */
	engineFlags?: string[];
	/** Further switches of Chromium's. */
	args?: string[];
}

const graphicsSwitches = {
	default: [],
	software: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
	none: ["--disable-gpu", "--disable-software-rasterizer"],
};

/**
 * Starts the Chromium (or Chrome) of this machine without a window.
 *
 * Playwright adds `--no-sandbox`, which root needs, and silences most of the browser's own network
 * traffic; QUIC is left to us.
 * @throws one sentence when there is no Chromium and none can be installed.
 */
export async function launchChromium(options: ChromiumOptions = {}): Promise<Browser> {
	const { graphics = "default", engineFlags = [], args = [] } = options;
	await findEmoji();
	return await chromium.launch({
		executablePath: await findProgram(where),
		// Playwright allows software WebGL by itself, which would turn "none" into "software".
		...(graphics === "none" && { ignoreDefaultArgs: ["--enable-unsafe-swiftshader"] }),
		args: [
			"--disable-quic",
			...graphicsSwitches[graphics],
			...(engineFlags.length > 0 ? [`--js-flags=${engineFlags.join(" ")}`] : []),
			...args,
		],
	});
}
