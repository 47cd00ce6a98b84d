/**
 * `npm run photograph` takes the pictures that are committed under `src/site/public`: sharing cards
 * of each page's scene, and icons. It also samples the style sheet's still sphere from the engine.
 * Run it again when the brand, the words or the theme change.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { serveBuiltSite } from "../../../bench/harness/built-site.ts";
import * as ours from "../../brand.ts";
import { sharingPicture, sharingPictureSize, sharingTitle } from "../../site/prerender/sharing.ts";
import { type Route, routes, themeColors } from "../../site/routes.ts";
import { logoSvg } from "./brand-hash.ts";
import { pngToIco } from "./ico.ts";
import { sphereStyles } from "./sphere-styles.ts";

const folder = "src/site/public";

/**
 * Scene of each card; seed and tick were found by trial. The window extends `above` px beyond the card at the
 * top and the bottom, which enlarges the sphere by day.
 */
const moments: Record<string, { at: string; seed: number; tick: number; above: number }> = {
	"/": { at: "/", seed: 112, tick: 1180, above: 90 },
	"/confirmation": { at: "/confirmation", seed: 7, tick: 900, above: 0 },
	"/privacy": { at: "/", seed: 1, tick: 0, above: 90 },
	"/terms": { at: "/", seed: 7, tick: 0, above: 90 },
};

const cardStyles = await readFile("src/tooling/photograph/photograph.css", "utf8");

/** Pages of text have no scene, so their cards show the landing page's. */
async function photographCard(browser: Browser, url: string, route: Route): Promise<Buffer> {
	const moment = moments[route.path];
	if (!moment) {
		throw new Error(`src/tooling/photograph/photograph.ts has no moment for ${route.path}.`);
	}
	const { at, seed, tick, above } = moment;
	const { width, height } = sharingPictureSize;
	const page = await browser.newPage({
		viewport: { width, height: height + 2 * above },
		// The site's Content-Security-Policy only allows its own style sheet.
		bypassCSP: true,
		// Without motion, the headline shows its first rotating word.
		reducedMotion: "reduce",
	});
	// Software GL is slow on a busy machine.
	page.setDefaultTimeout(120_000);
	// Cards of legal texts use the still picture.
	const way = at === route.path ? "page" : "none";
	await page.goto(`${url}${at}?seed=${seed}&tick=${tick}&level=6&way=${way}`);
	const begun = way === "page" ? '.stage[data-backend="page"]' : ":root[data-motion]";
	await page.locator(begun).waitFor({ state: "attached" });
	await page.addStyleTag({ content: `${cardStyles} .page { margin-top: ${above}px }` });
	// After hydration: React would otherwise restore its own words.
	if (at !== route.path) await page.evaluate(writeTitle, sharingTitle(route));
	await page.evaluate(() => document.fonts.ready);
	// The picture fades in for 0.9 s.
	await page.waitForTimeout(1500);
	const clip = { x: 0, y: above, width, height };
	return page.screenshot({ type: "jpeg", quality: 88, clip });
}

function writeTitle(title: string): void {
	const line = document.createElement("span");
	Object.assign(line, { className: "line", textContent: title });
	const headline = document.querySelector(".headline");
	headline?.classList.add("title");
	headline?.replaceChildren(line);
}

/** @param sky background, for systems that crop icons to a shape; transparent by default */
async function photographIcon(
	browser: Browser,
	size: number,
	across = size,
	sky?: string,
): Promise<Buffer> {
	const page = await browser.newPage({ viewport: { width: size, height: size } });
	await page.setContent(
		`<style>
			body { display: grid; place-items: center; height: 100vh; margin: 0; background: ${sky ?? "none"}; }
			svg { width: ${across}px; height: ${across}px; }
		</style>${logoSvg}`,
	);
	return page.screenshot({ omitBackground: sky === undefined });
}

async function keep(name: string, content: Buffer): Promise<void> {
	await writeFile(join(folder, name), content);
	console.log(`${name.padEnd(28)} ${(content.length / 1000).toFixed(1).padStart(6)} kB`);
}

const site = await serveBuiltSite(process.cwd());
const browser = await launchChromium({ graphics: "software" });
try {
	for (const route of routes.filter(({ status }) => status === 200)) {
		const { path } = sharingPicture(route);
		await keep(path.slice(1), await photographCard(browser, site.url, route));
	}
	const sky = `linear-gradient(${themeColors.morning}, ${ours.sky.morning.colors.at(-1)})`;
	await keep("favicon.ico", pngToIco(await photographIcon(browser, 32), 32));
	await keep("apple-touch-icon.png", await photographIcon(browser, 180, 140, sky));
	await keep("icon-192.png", await photographIcon(browser, 192));
	await keep("icon-512.png", await photographIcon(browser, 512));
	// Icon masks keep at least a circle of 80 % (W3C Web Application Manifest, "maskable").
	await keep("icon-maskable-512.png", await photographIcon(browser, 512, 360, sky));
	await writeFile("src/site/styles/sphere.css", await sphereStyles(browser, site.url));
	console.log(
		`Pictures of ${ours.brand.product} are in ${folder}: look at them before you commit.`,
	);
} finally {
	await browser.close();
	await site.stop();
}
