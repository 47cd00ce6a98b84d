import { expect, test } from "vitest";
import { visitPage } from "../visit.ts";

/** Returns all painted pictures, gradients and shadows, by class. */
function readDecoration(): string[] {
	return [...document.querySelectorAll("body *")].flatMap((element) =>
		["", "::before", "::after"]
			.filter((pseudo) => {
				const style = getComputedStyle(element, pseudo || null);
				if (!element.checkVisibility() || style.visibility !== "visible") return false;
				if (pseudo && (style.content === "none" || style.display === "none")) return false;
				// A shadow that fades in from `none` has size zero at first.
				return style.backgroundImage !== "none" || / [1-9][\d.]*px/.test(style.boxShadow);
			})
			.map((pseudo) => `${element.localName}.${element.className}${pseudo}`),
	);
}

/** Returns words whose color is transparent or inherited. */
function readMiscolored(): string[] {
	const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true })!;
	/** Paints a pixel to compare colors, which have several notations. */
	const pixelOf = (color: string) => {
		context.clearRect(0, 0, 1, 1);
		context.fillStyle = color;
		context.fillRect(0, 0, 1, 1);
		return [...context.getImageData(0, 0, 1, 1).data];
	};
	return [...document.querySelectorAll("body *")]
		.filter((element) => {
			const { color, webkitTextFillColor } = getComputedStyle(element);
			const own = pixelOf(color);
			const differences = pixelOf(webkitTextFillColor).map((value, i) => Math.abs(value - own[i]!));
			return element.checkVisibility() && Math.max(...differences) > 2;
		})
		.map((element) => `${element.localName}.${element.className}`);
}

const paths = ["/", "/privacy"];

test.each(paths)(
	"the first frame of %s has only words, the next ones add the rest, without script",
	async (path) => {
		const { page } = await visitPage(path, {
			javaScriptEnabled: false,
			prepare: async (page) => {
				const session = await page.context().newCDPSession(page);
				await session.send("Animation.enable");
				await session.send("Animation.setPlaybackRate", { playbackRate: 0 });
			},
		});
		const session = await page.context().newCDPSession(page);
		await expect(page.getByRole("heading", { level: 1 }).isVisible()).resolves.toBe(true);
		expect(await page.evaluate(readDecoration)).toEqual([]);
		expect(await page.evaluate(readMiscolored)).toEqual([]);
		expect(await page.locator(".stage").isVisible()).toBe(false);
		await session.send("Animation.setPlaybackRate", { playbackRate: 1 });
		const isText = path === "/privacy";
		await expect.poll(() => page.locator(".sphere").isVisible()).toBe(!isText);
		const decorations = async () => (await page.evaluate(readDecoration)).length;
		if (isText) expect(await decorations()).toBe(0);
		else await expect.poll(decorations).toBeGreaterThan(4);
	},
);
