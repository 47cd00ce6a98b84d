/* The stage: the picture behind the words, and what the page has to do with it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { thanks } from "../sentences.ts";
import { email, visit } from "./visit.ts";

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium({ graphics: "processor" });
});

afterAll(() => browser?.close());

/** A page in a small window, with the engine. */
async function open(path: string, viewport = { width: 400, height: 300 }): Promise<Page> {
	const { page } = await visit(browser, path, { moving: true, viewport, bypassCSP: true });
	return page;
}

test.each([
	{ asked: "utm_source=letter&utm_medium=mail", fetched: 0 },
	{ asked: "utm_source=letter&level=1", fetched: 1 },
])(
	"?$asked fetches the code of the engineers' settings $fetched times",
	async ({ asked, fetched }) => {
		const { page } = await visit(browser, "/privacy", { moving: true });
		const settings: string[] = [];
		page.on("request", (request) => {
			if (request.url().includes("/engine-settings-")) settings.push(request.url());
		});
		await page.goto(`/?${asked}`);
		await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
		expect(settings.length).toBe(fetched);
	},
);

test("a lost picture is hidden at once, because browsers draw a white canvas in its place", async () => {
	const page = await open("/confirmation?way=page&level=3");
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
	const page = await open("/?way=flat&engine=stats");
	/** The 2D canvas draws each sprite by one call: six at the start, and one more each second. */
	const sprites = async () =>
		Number(
			/draw calls +(\d+)/.exec((await page.locator(".stats-overlay").textContent()) ?? "")?.[1],
		);
	await expect.poll(sprites).toBeGreaterThan(0);
	await email(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	await expect.poll(sprites).toBeGreaterThan(70);
});

/** The greatest difference of any channel of any pixel, in the sky left and right of the sphere. */
async function compareSkies([a, b]: string[]): Promise<number> {
	const [p, q] = await Promise.all(
		[a, b].map(async (png) => {
			const image = new Image();
			image.src = `data:image/png;base64,${png}`;
			await image.decode();
			const { width, height } = image;
			const canvas = Object.assign(document.createElement("canvas"), { width, height });
			const context = canvas.getContext("2d")!;
			context.drawImage(image, 0, 0);
			const strip = width / 7.2;
			return [0, width - strip].map((left) => context.getImageData(left, 0, strip, height).data);
		}),
	);
	let most = 0;
	for (const side of [0, 1])
		for (const [i, value] of p![side]!.entries())
			most = Math.max(most, Math.abs(value - q![side]![i]!));
	return most;
}

test.each(["/", "/confirmation"])("the engine's sky of %s is the style sheet's", async (path) => {
	const photos: string[] = [];
	for (const way of ["none", "worker"]) {
		const page = await open(`${path}?seed=1&tick=0&level=8&way=${way}`, {
			width: 720,
			height: 450,
		});
		if (way === "worker") await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
		const style = ".page { display: none } .stage > * { transition: none !important }";
		await page.addStyleTag({ content: style });
		await page.waitForTimeout(200);
		photos.push((await page.screenshot()).toString("base64"));
		if (way === "worker") expect(await page.evaluate(compareSkies, photos)).toBeLessThan(8);
	}
});
