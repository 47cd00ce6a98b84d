import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { BuiltSite } from "../../../../bench/harness/built-site.ts";
import { sharedChromium, sharedSite } from "../../../shared.ts";

/*
 * Measures the contrast of words with every pixel behind them, in screenshots with transparent
 * words. The 0.5th percentile ignores single pixels of antialiased edges.
 */

interface Words {
	text: string;
	colors: string[];
	isNumber: boolean;
	box: { x: number; y: number; width: number; height: number };
}

let browser: Browser;
let decoder: Page;
let site: BuiltSite;

beforeAll(async () => {
	site = await sharedSite();
	browser = await sharedChromium();
	decoder = await browser.newPage();
});

function readWords(): Words[] {
	const token = (element: Element, names: string[]) =>
		names.map((name) => getComputedStyle(element).getPropertyValue(name));
	return [
		...document.querySelectorAll(
			".brand, .line, .ink, .prompt, .note, .imprint p, .footer a, .congratulations, .remark, .figure",
		),
	]
		.filter((element) => getComputedStyle(element).visibility === "visible")
		.flatMap((element) => {
			const words = document.createRange();
			words.selectNodeContents(element);
			const isBare = !element.firstChild;
			const { x, y, width, height } = (isBare ? element : words).getBoundingClientRect();
			const colors = element.matches(".ink")
				? token(element, ["--word-from", "--word-to"])
				: element.matches(".figure")
					? token(element, ["--number-1", "--number-2", "--number-3", "--number-4"])
					: token(element, ["--ink"]);
			const text = (element as HTMLElement).dataset.sign ?? element.textContent ?? "";
			const isNumber = element.matches(".figure");
			return { text, colors, isNumber, box: { x, y, width, height } };
		})
		.filter(({ box: { y, width, height } }) => width > 0 && y >= 0 && y + height <= innerHeight);
}

/** Words keep their places but are invisible. */
const WITHOUT_WORDS = `* { color: transparent !important; -webkit-text-fill-color: transparent !important; text-decoration: none !important; }
.ink, .figure { background: none !important; } .brand > img { visibility: hidden; }
.stage > * { transition: none !important; }`;

async function measure([png, words]: readonly [string, Words[]]): Promise<number[]> {
	const image = new Image();
	image.src = `data:image/png;base64,${png}`;
	await image.decode();
	const canvas = Object.assign(document.createElement("canvas"), {
		width: image.naturalWidth,
		height: image.naturalHeight,
	});
	const context = canvas.getContext("2d", { willReadFrequently: true })!;
	context.drawImage(image, 0, 0);
	const luminance = (r: number, g: number, b: number) => {
		const [x, y, z] = [r, g, b].map((value) => {
			const part = value / 255;
			return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
		}) as [number, number, number];
		return 0.2126 * x + 0.7152 * y + 0.0722 * z;
	};
	return words.map(({ colors, box }) => {
		const { data } = context.getImageData(box.x, box.y, box.width, box.height);
		const inks = colors.map((color) => {
			// A canvas normalizes every color to #rrggbb.
			context.fillStyle = color.trim();
			const [r, g, b] = context.fillStyle.match(/\w\w/g)!.map((pair) => Number.parseInt(pair, 16));
			return luminance(r!, g!, b!);
		});
		const ratios: number[] = [];
		for (let i = 0; i < data.length; i += 4) {
			const ground = luminance(data[i]!, data[i + 1]!, data[i + 2]!);
			for (const ink of inks) {
				ratios.push((Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05));
			}
		}
		ratios.sort((a, b) => a - b);
		return ratios[Math.floor(ratios.length * 0.005)]!;
	});
}

async function look(page: Page) {
	const words = await page.evaluate(readWords);
	const png = (await page.screenshot()).toString("base64");
	const ratios = await decoder.evaluate(measure, [png, words] as const);
	return words.map((word, i) => ({ ...word, ratio: ratios[i]! }));
}

/** Too low for a planet: a desktop at 400 % zoom, a phone in landscape at 200 %, a small phone. */
const lowWindows = [
	[320, 256],
	[640, 300],
	[568, 320],
] as const;

const windows = [
	[390, 844],
	[1440, 900],
	[768, 1024],
	[360, 640],
	[1024, 600],
	[844, 390],
	[320, 700],
	...lowWindows,
] as const;

const LEAST = 4.5;

/** Minimum contrast of the waitlist position, which is large text (WCAG 2.2, 1.4.3). */
const LEAST_OF_LARGE = 3;

/** Returns a different seed and tick per index. Ticks are between 1 s and 2.5 minutes. */
const seedAndTick = (index: number) => ({ seed: index + 1, tick: 60 + ((index * 977) % 9000) });

test.each([
	["/", "light"],
	["/", "dark"],
	["/confirmation", "light"],
] as const)(
	"words keep 4.5:1 on %s at 20 seeded moments (system: %s)",
	{ tags: "slow" },
	async (path, colorScheme) => {
		const page = await browser.newPage({
			bypassCSP: true,
			colorScheme,
			// Stops the rotating word, and keeps the picture at the URL's seed and tick.
			reducedMotion: "reduce",
		});
		const low: string[] = [];
		for (let index = 0; index < 20; index++) {
			const { seed, tick } = seedAndTick(index);
			const [width, height] = windows[index % windows.length]!;
			const isLow = lowWindows.some((low) => low[1] === height);
			await page.setViewportSize({ width, height });
			await page.goto(`${site.url}${path}?seed=${seed}&tick=${tick}&level=6`);
			await page.locator('.stage[data-backend="worker"]').waitFor({ state: "attached" });
			await page.addStyleTag({ content: WITHOUT_WORDS });
			const seen = new Set<string>();
			// If the words are taller than the window, they scroll over the picture.
			for (const end of [0, 1]) {
				await page.evaluate((end) => scrollTo(0, end * document.body.scrollHeight), end);
				const fails = ({ ratio, isNumber }: { ratio: number; isNumber: boolean }) =>
					!(ratio >= (isLow && isNumber ? LEAST_OF_LARGE : LEAST));
				let words = await look(page);
				// After scrolling, sprites need some frames to leave the words: seconds on a slow machine.
				for (let left = 40 * end; left > 0 && words.some(fails); left--) words = await look(page);
				for (const word of words) {
					seen.add(word.text);
					if (!fails(word)) continue;
					low.push(`${word.text}: ${word.ratio}, seed ${seed}, tick ${tick}, ${width} x ${height}`);
				}
				if (await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)) break;
			}
			expect(seen.size).toBeGreaterThan(5);
		}
		await page.close();
		expect(low).toEqual([]);
	},
);
