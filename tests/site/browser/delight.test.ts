import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { brand } from "#brand";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";
import { ready } from "./states.ts";

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium({ graphics: "processor" });
});

afterAll(() => browser?.close());

declare global {
	interface Window {
		fades: number;
		/** Whether the document before faded into this one. */
		faded: boolean;
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
		addEventListener("pagereveal", ({ viewTransition }) => {
			window.faded = viewTransition !== null;
		});
	});
	await page.goto(path);
	await ready(page);
	return page;
}

test.each([
	["no-preference", 1],
	["reduce", 0],
] as const)(
	"with motion %s, a move fades %i times, within a document and to another",
	async (motion, fades) => {
		// Without the engine, whose picture would cover the sky that turns.
		const page = await visit("/confirmation?way=none", motion);
		const complaints: Error[] = [];
		page.on("pageerror", (error) => complaints.push(error));
		await page.evaluate(() => scrollTo(0, 100));
		expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
		await page.evaluate(() => document.querySelector<HTMLElement>(".brand")?.click());
		await page.getByRole("heading", { level: 1, name: /^Email, but make it/ }).waitFor();
		expect(await page.evaluate(() => window.fades)).toBe(fades);
		expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
		expect(await page.evaluate(() => scrollY)).toBe(0);
		const dusk = await page
			.locator(".night")
			.evaluate((night) => getComputedStyle(night).transitionDuration);
		expect(dusk).toBe(fades > 0 ? "1.4s" : "0s");

		await page.getByRole("link", { name: "Privacy Policy" }).click();
		await page.getByRole("heading", { level: 1, name: "Privacy Policy" }).waitFor();
		await page.waitForFunction(() => window.faded !== undefined);
		expect(await page.evaluate(() => window.faded)).toBe(fades > 0);
		expect(complaints).toEqual([]);
	},
);

test("the picture plays on through a fade, in the same canvas, while the sky turns", async () => {
	const page = await visit("/confirmation?level=3", "no-preference");
	await page.locator('.stage[data-backend="worker"]').waitFor({ state: "attached" });
	const [before, during] = await page.evaluate(async (name) => {
		const canvas = document.querySelector("canvas");
		const night = document.querySelector(".night")!;
		const before = getComputedStyle(night).opacity;
		const part = (name: string) =>
			getComputedStyle(document.documentElement, `::view-transition${name}`);
		[...document.querySelectorAll("a")].find((link) => link.textContent === name)!.click();
		while (!document.querySelector(".landing")) await new Promise(requestAnimationFrame);
		const turning = (night.getAnimations() as CSSTransition[]).find(
			({ transitionProperty }) => transitionProperty === "opacity",
		);
		const during = {
			sameCanvas: document.querySelector("canvas") === canvas,
			turns: turning?.transitionProperty,
			lasts: turning?.effect?.getTiming().duration,
			backend: document.querySelector<HTMLElement>(".stage")?.dataset.backend,
			image: part("-old(stage)").display,
			fadesIn: part("-new(stage)").animationName,
			takesClicks: part("").pointerEvents,
		};
		return [before, during] as const;
	}, brand.product);
	expect(before).toBe("1");
	expect(during).toEqual({
		...{ sameCanvas: true, turns: "opacity", lasts: 1400, backend: "worker" },
		// An image of the picture would stand still; one of the page would take the clicks.
		...{ image: "none", fadesIn: "none", takesClicks: "none" },
	});
});

test("a picture that is lost does not fade: browsers draw a white canvas in its place", async () => {
	const page = await visit("/confirmation?way=page&level=3", "no-preference");
	await page.locator('.stage[data-backend="page"]').waitFor({ state: "attached" });
	const opacity = await page.evaluate(async () => {
		const told = new Promise((resolve) =>
			new MutationObserver(resolve).observe(document.querySelector(".stage")!, {
				attributeFilter: ["data-backend"],
			}),
		);
		const gl = document.querySelector("canvas")!.getContext("webgl2")!;
		gl.getExtension("WEBGL_lose_context")!.loseContext();
		await told;
		return getComputedStyle(document.querySelector(".picture")!).opacity;
	});
	expect(opacity).toBe("0");
});

test("a visitor who joins is saluted with fireworks", async () => {
	const page = await visit("/?way=flat&engine=stats", "no-preference");
	/** Each sprite takes one call here: there are six, and one more a second. */
	const sprites = async () =>
		Number(
			/draw calls +(\d+)/.exec((await page.locator(".stats-overlay").textContent()) ?? "")?.[1],
		);
	await expect.poll(sprites).toBeGreaterThan(0);
	await page.getByLabel("Email address").fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByText("Thanks!").waitFor();
	await expect.poll(sprites).toBeGreaterThan(70);
});

test.each(["/", "/confirmation", "/privacy", "/terms"])(
	"%s prints black on white, without controls",
	async (path) => {
		const page = await visit(path, "reduce");
		await page.emulateMedia({ media: "print" });
		const seen = await page.evaluate(() => ({
			chrome: [
				...document.querySelectorAll(
					".masthead, .footer, .contents, .home, .form, .prompt, .stage",
				),
			].filter((element) => element.checkVisibility()).length,
			colours: [
				...new Set(
					[...document.querySelectorAll("main *")]
						.filter((element) => element.checkVisibility())
						.map((element) => getComputedStyle(element).webkitTextFillColor),
				),
			],
			ground: getComputedStyle(document.documentElement).backgroundColor,
		}));
		expect(seen).toEqual({
			chrome: 0,
			colours: ["rgb(0, 0, 0)"],
			ground: "rgb(255, 255, 255)",
		});
	},
);

test.each(["/privacy", "/terms"])("%s prints its address, and those it links to", async (path) => {
	const page = await visit(path, "reduce");
	await page.emulateMedia({ media: "print" });
	const seen = await page.evaluate(() => ({
		address: getComputedStyle(document.querySelector(".effective")!, "::after").content,
		links: [...document.querySelectorAll('.legal-text a[href^="/"]:not(.home)')].map(
			(link) => getComputedStyle(link, "::after").content,
		),
	}));
	expect(seen.address).toContain(`${brand.origin}${path}`);
	for (const link of seen.links) expect(link).toContain(brand.origin);
	expect(seen.links.length > 0).toBe(path === "/terms");
});
