import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../../../bench/harness/browsers/chromium.ts";
import { sharedSite } from "../../shared.ts";
import { thanks } from "../sentences.ts";
import { emailField, nextFrames, visitPage } from "./visit.ts";

async function open(path: string, viewport = { width: 400, height: 300 }): Promise<Page> {
	const { page } = await visitPage(path, { moving: true, viewport, bypassCSP: true });
	return page;
}

test("code for engineers' settings is only loaded on request", { tags: "slow" }, async () => {
	const { page } = await visitPage("/privacy", { moving: true });
	const settings: string[] = [];
	const lines: string[] = [];
	page.on("console", (message) => lines.push(message.text()));
	page.on("request", (request) => {
		if (request.url().includes("/engine-settings-")) settings.push(request.url());
	});
	for (const [asked, fetched] of [
		["utm_medium=mail", 0],
		["level=1&seed=-1", 1],
	] as const) {
		await page.goto(`/?utm_source=letter&${asked}`);
		await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
		expect(settings.length).toBe(fetched);
	}
	expect(lines).toContainEqual(expect.stringContaining("?seed=-1 is ignored"));
});

test("a lost picture is hidden at once, because browsers draw a white canvas instead", async () => {
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

test("a finger turns the silk and still scrolls the page", async () => {
	const { page } = await visitPage("/?way=worker", {
		moving: true,
		hasTouch: true,
		viewport: { width: 390, height: 330 },
		prepare: (page) =>
			page.addInitScript(() => {
				const { postMessage } = Worker.prototype;
				Worker.prototype.postMessage = function (this: Worker, ...given: [unknown, never]) {
					const { pageState } = given[0] as { pageState?: { turned?: number } };
					if (pageState?.turned) document.documentElement.dataset.turned = `${pageState.turned}`;
					postMessage.apply(this, given);
				};
			}),
	});
	await page.locator('.stage[data-backend="worker"]').waitFor({ state: "attached" });
	const session = await page.context().newCDPSession(page);
	const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: object[]) =>
		session.send("Input.dispatchTouchEvent", { type, touchPoints: touchPoints as never });
	await touch("touchStart", { x: 100, y: 250 });
	for (let step = 1; step <= 15; step++) {
		await touch("touchMove", { x: 100 + step * 5, y: 250 - step * 10 });
		await page.evaluate(() => new Promise(requestAnimationFrame));
	}
	await touch("touchEnd");
	await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
	const turned = page.evaluate(() => Number(document.documentElement.dataset.turned));
	// How far depends on when the browser starts to scroll, which ends the turn.
	expect(await turned).toBeGreaterThan(0);
});

test("a visitor who joins gets a fireworks salute", async () => {
	// In a window this large, words hide only little of a burst.
	const viewport = { width: 1600, height: 1000 };
	const { page } = await visitPage("/?way=flat&engine=stats", { moving: true, viewport });
	await page.route("**/api/waitlist/register", (route) => route.fulfill({ status: 201, json: {} }));
	/** The 2D canvas draws each sprite with one call: six at the start, and another each second. */
	const sprites = async () =>
		Number(
			/draw calls +(\d+)/.exec((await page.locator(".stats-overlay").textContent()) ?? "")?.[1],
		);
	await expect.poll(sprites).toBeGreaterThan(0);
	await emailField(page).fill("ada@example.com");
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	await expect.poll(sprites).toBeGreaterThan(40);
});

/**
 * Compares two photos of the stage: the maximum difference over the sky, and the 90th percentile in
 * the center.
 */
async function compare([a, b]: string[]): Promise<{ sky: number; middle: number }> {
	const [p, q] = await Promise.all(
		[a, b].map(async (png) => {
			const photo = await (await fetch(`data:image/png;base64,${png}`)).blob();
			// Compares raw values, without converting color spaces.
			const image = await createImageBitmap(photo, { colorSpaceConversion: "none" });
			const { width, height } = image;
			const canvas = Object.assign(document.createElement("canvas"), { width, height });
			const context = canvas.getContext("2d")!;
			context.drawImage(image, 0, 0);
			const strip = width / 7.2;
			return [0, width - strip, (width - height) / 2].map(
				(left, part) => context.getImageData(left, 0, part < 2 ? strip : height, height).data,
			);
		}),
	);
	const [left, right, middle] = p!.map((pixels, part) => {
		const other = q![part]!;
		const differences = new Uint8Array(pixels.length / 4);
		for (let i = 0; i < pixels.length; i++) {
			differences[i >> 2] = Math.max(differences[i >> 2]!, Math.abs(pixels[i]! - other[i]!));
		}
		return differences.sort();
	});
	return {
		sky: Math.max(left!.at(-1)!, right!.at(-1)!),
		middle: middle![Math.floor(middle!.length * 0.9)]!,
	};
}

const stills = [
	// Higher than 480 px: in lower windows pages.css puts the headline next to the form.
	{ path: "/", width: 720, height: 500, middle: 8 },
	// The still sphere has morning colors at night, too, so the center may differ more.
	{ path: "/confirmation", width: 900, height: 500, middle: 20 },
];

/** Takes a screenshot of a backend's first frame, or of the still picture. */
async function photographFirst(page: Page): Promise<string> {
	if (!page.url().includes("way=none")) {
		await page.locator(".stage[data-backend]").waitFor({ state: "attached" });
	}
	const style =
		".page { display: none } .stage { animation: none !important } .stage > * { transition: none !important }";
	await page.addStyleTag({ content: style });
	await nextFrames(page);
	return (await page.screenshot()).toString("base64");
}

const first = "seed=1&tick=0&level=8";

test.each(stills)(
	"the still picture of $path matches the engine's first frame",
	async ({ path, width, height, middle }) => {
		const small = { width, height };
		const still = await photographFirst(await open(`${path}?${first}&way=none`, small));
		const page = await open(`${path}?${first}&way=worker`, small);
		const differences = await page.evaluate(compare, [still, await photographFirst(page)]);
		expect(differences.sky).toBeLessThan(8);
		expect(differences.middle, "npm run photograph takes a new sphere").toBeLessThan(middle);
	},
);

test("a Display-P3 display shows the engine's and the still picture in matching, wider colors", {
	tags: "slow",
}, async () => {
	const args = ["--force-color-profile=display-p3-d65"];
	const browser = await launchChromium({ graphics: "software", shell: true, args });
	onTestFinished(() => browser.close());
	const { url } = await sharedSite();
	const viewport = { width: 360, height: 250 };
	const page = await browser.newPage({ viewport, bypassCSP: true });
	const session = await page.context().newCDPSession(page);
	const take = async (way: string, gamut: string) => {
		const features = [{ name: "color-gamut", value: gamut }];
		await session.send("Emulation.setEmulatedMedia", { features });
		await page.goto(`${url}/?${first}&way=${way}`);
		return photographFirst(page);
	};
	const [still, wide, narrow] = [
		await take("none", "p3"),
		await take("worker", "p3"),
		await take("worker", "srgb"),
	];
	const plain = await photographFirst(await open(`/?${first}&way=worker`, viewport));
	const between = (a: string, b: string) => page.evaluate(compare, [a, b]);
	const same = await between(wide, plain);
	expect(Math.max(same.sky, same.middle)).toBeLessThan(3);
	const { sky, middle } = await between(still, wide);
	expect(sky).toBeLessThan(8);
	expect(middle).toBeLessThan(13);
	expect((await between(narrow, plain)).middle).toBeGreaterThan(5);
});
