import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { brand } from "#brand";
import { launchChromium } from "../browsers/chromium.ts";
import { startServer } from "../server/server-process.ts";
import { temporaryFolder } from "../server/temporary.ts";
import { ready } from "./states.ts";

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium({ graphics: "processor" });
});

afterAll(() => browser?.close());

declare global {
	interface Window {
		fades: number;
	}
}

async function visit(path: string, reducedMotion: "reduce" | "no-preference"): Promise<Page> {
	const server = await startServer({ folder: await temporaryFolder() });
	const viewport = { width: 400, height: 300 };
	const context = await browser.newContext({ baseURL: server.url, reducedMotion, viewport });
	onTestFinished(() => context.close());
	const page = await context.newPage();
	await page.addInitScript(() => {
		window.fades = 0;
		const start = document.startViewTransition.bind(document);
		document.startViewTransition = (change) => {
			window.fades++;
			return start(change);
		};
	});
	await page.goto(path);
	await ready(page);
	return page;
}

test.each([
	["no-preference", 1],
	["reduce", 0],
] as const)("with motion %s, moving within the document fades %i times", async (motion, fades) => {
	const page = await visit("/confirmation", motion);
	const complaints: Error[] = [];
	page.on("pageerror", (error) => complaints.push(error));
	await page.getByRole("link", { name: brand.product }).click();
	await page.getByRole("heading", { level: 1, name: /^Email, but make it/ }).waitFor();
	expect(await page.evaluate(() => window.fades)).toBe(fades);
	expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
	expect(complaints).toEqual([]);
});

test("the picture plays on through a fade, in the same canvas, while the sky turns", async () => {
	const page = await visit("/confirmation?level=3", "no-preference");
	await page.locator('.stage[data-way="worker"]').waitFor({ state: "attached" });
	const [before, during] = await page.evaluate(async (name) => {
		const canvas = document.querySelector("canvas");
		const night = document.querySelector(".night")!;
		const before = getComputedStyle(night).opacity;
		[...document.querySelectorAll("a")].find((link) => link.textContent === name)!.click();
		while (!document.querySelector(".landing")) await new Promise(requestAnimationFrame);
		const turning = (night.getAnimations() as CSSTransition[]).find(
			({ transitionProperty }) => transitionProperty === "opacity",
		);
		const during = {
			sameCanvas: document.querySelector("canvas") === canvas,
			turns: turning?.transitionProperty,
			lasts: turning?.effect?.getTiming().duration,
			way: document.querySelector<HTMLElement>(".stage")?.dataset.way,
		};
		return [before, during] as const;
	}, brand.product);
	expect(before).toBe("1");
	expect(during).toEqual({ sameCanvas: true, turns: "opacity", lasts: 1400, way: "worker" });
});

test("a picture that is lost does not fade: browsers draw a white canvas in its place", async () => {
	const page = await visit("/confirmation?way=page&level=3", "no-preference");
	await page.locator('.stage[data-way="page"]').waitFor({ state: "attached" });
	const opacity = await page.evaluate(async () => {
		const told = new Promise((resolve) =>
			new MutationObserver(resolve).observe(document.querySelector(".stage")!, {
				attributeFilter: ["data-way"],
			}),
		);
		const gl = document.querySelector("canvas")!.getContext("webgl2")!;
		gl.getExtension("WEBGL_lose_context")!.loseContext();
		await told;
		return getComputedStyle(document.querySelector(".picture")!).opacity;
	});
	expect(opacity).toBe("0");
});

test.each(["/privacy", "/terms"])(
	"%s prints black on white, without controls, with its address",
	async (path) => {
		const page = await visit("/", "reduce");
		await page.goto(path);
		await page.emulateMedia({ media: "print" });
		const seen = await page.evaluate(() => ({
			chrome: [...document.querySelectorAll(".masthead, .footer, .contents, .home, .stage")].filter(
				(element) => element.checkVisibility(),
			).length,
			colours: [
				...new Set(
					[...document.querySelectorAll(".legal-text *")].map(
						(element) => getComputedStyle(element).color,
					),
				),
			],
			ground: getComputedStyle(document.documentElement).backgroundColor,
			address: getComputedStyle(document.querySelector(".effective")!, "::after").content,
			links: [...document.querySelectorAll('.legal-text a[href^="/"]:not(.home)')].map(
				(link) => getComputedStyle(link, "::after").content,
			),
		}));
		expect(seen).toMatchObject({
			chrome: 0,
			colours: ["rgb(0, 0, 0)"],
			ground: "rgb(255, 255, 255)",
		});
		expect(seen.address).toContain(`${brand.origin}${path}`);
		for (const link of seen.links) expect(link).toContain(brand.origin);
		expect(seen.links.length > 0).toBe(path === "/terms");
	},
);
