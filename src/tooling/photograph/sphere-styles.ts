import type { Browser } from "playwright-core";
import * as ourBrand from "../../brand.ts";
import type { Rgb } from "../../shared/rgb.ts";
import { luminance } from "../colors/contrast.ts";
import { leastDayLuminance } from "../colors/picture-bounds.ts";
import { brandHash } from "./brand-hash.ts";

/** Grid rows, and colors in the widest row. */
const ROWS = 21;
const COLUMNS = 15;

/** In radii: the grid's half edge, its row height and the blur. */
const REACH = 1.06;
const ROW = (2 * REACH) / ROWS;
const BLUR = 0.04;

/** The bright part of the rim lies outside of this circle, in radii. */
const CRESCENT = { x: 0.03, y: 0.036, radius: 0.998 };

/** Colors are rounded to this step: finer ones cost bytes, and no one sees them. */
const STEP = 4;

/** Includes a margin, because a blend may be a little darker than both of its colors. */
const LEAST_LUMINANCE = leastDayLuminance(ourBrand) + 0.03;

/** Edge of the engine's picture, in px. */
const EDGE = 120;

/** A color of the grid, with its place in radii from the sphere's center, to the right and down. */
interface Cell {
	x: number;
	y: number;
	/** Distance to the next color in its row. */
	apart: number;
	color: number[];
}

/**
 * Renders the engine's first frame by day as CSS. Each row of the grid is a gradient as wide as the sphere at
 * that height, and a blur of two fifths of a row hides the seams. The rim is too narrow for the grid, so a
 * bright crescent covers it. At dusk, `--dusk-light` in brand-styles.ts adds three layers.
 *
 * An image file would cost a request; a data URL needs `data:` in the Content-Security-Policy.
 */
export async function sphereStyles(browser: Browser, url: string): Promise<string> {
	const rows = Array.from({ length: ROWS }, (_, row) => emptyRow(ROW * (row - (ROWS - 1) / 2)));
	fitColors(rows.flat(), await photographSphere(browser, url));
	const height = percent(1.04 / ROWS);
	const layers = rows.map((cells, row) => {
		const colors = cells.map(({ color }) => hex(color));
		for (const end of [0, cells.length - 1]) {
			colors[end] += ` ${percent(0.5 + cells[end]!.x / 2 / REACH, 0)}`;
		}
		// Bands overlap, because rounding to pixels would otherwise leave gaps.
		const place = `0 ${percent(row / (ROWS - 1))} / 100% ${height} no-repeat`;
		return `linear-gradient(90deg, ${colors.join(", ")}) ${place}`;
	});
	const { x, y, radius } = CRESCENT;
	const middle = [x, y].map((at) => percent(0.5 + at / 2 / REACH)).join(" ");
	const dark = percent(radius / (REACH - y));
	return `/* Written by \`npm run photograph\` from the engine's picture. Brand hash: ${brandHash}. */
.sphere::before {
	inset: ${percent((1 - REACH) / 2)};
	background:
		var(--dusk-light, none, none, none),
		radial-gradient(circle closest-side at ${middle}, transparent ${dark}, #fff 0),
		${layers.join(",\n\t\t")};
	background-blend-mode: multiply, screen, color-burn${", normal".repeat(ROWS + 1)};
	filter: blur(calc(var(--diameter) * ${BLUR / 2}));
}
`;
}

function emptyRow(y: number): Cell[] {
	const chord = Math.sqrt(Math.max(0.1, 1 - Math.max(0, Math.abs(y) - ROW / 2) ** 2)) + 0.02;
	const count = Math.round((COLUMNS - 1) * chord) + 1;
	const apart = (2 * chord) / (count - 1);
	return Array.from({ length: count }, (_, column) => {
		return { x: apart * column - chord, y, apart, color: [230, 230, 230] };
	});
}

/**
 * Fits the colors so that the blurred grid and the crescent together match the picture. Keeps them bright
 * enough for the words in front (tests/site/contrast.test.ts).
 */
function fitColors(cells: Cell[], picture: number[][]): void {
	const points = picture.flatMap((goal, i) => {
		const [x, y] = [i % EDGE, Math.floor(i / EDGE)].map((at) => (2 * (at + 0.5)) / EDGE - 1);
		if (Math.hypot(x!, y!) > 0.985) return [];
		const away = Math.hypot(x! - CRESCENT.x, y! - CRESCENT.y) - CRESCENT.radius;
		const silk = 1 - blurredStep(away);
		const parts = cells
			.map((cell) => ({ cell, part: silk * shareOf(cell, x!, y!) }))
			.filter(({ part }) => part > 0.001);
		return [{ goal, parts, bright: 255 * (1 - silk) }];
	});
	const weights = new Map(cells.map((cell) => [cell, 0]));
	for (const { parts } of points) {
		for (const { cell, part } of parts) weights.set(cell, weights.get(cell)! + part);
	}
	for (let round = 0; round < 60; round++) {
		const changes = new Map(cells.map((cell) => [cell, [0, 0, 0]]));
		for (const { goal, parts, bright } of points) {
			for (let k = 0; k < 3; k++) {
				const shown = parts.reduce((sum, { cell, part }) => sum + part * cell.color[k]!, bright);
				for (const { cell, part } of parts) changes.get(cell)![k]! += part * (goal[k]! - shown);
			}
		}
		for (const [cell, change] of changes) {
			cell.color = cell.color.map((value, k) =>
				Math.max(0, Math.min(255, value + change[k]! / weights.get(cell)!)),
			);
			while (luminance(cell.color as unknown as Rgb) < LEAST_LUMINANCE) {
				cell.color = cell.color.map((value) => value + 0.02 * (255 - value));
			}
		}
	}
}

/** How much of the color at a point comes from a cell. */
function shareOf({ x, y, apart }: Cell, atX: number, atY: number): number {
	const rows = blurredStep(atY - y + ROW / 2) - blurredStep(atY - y - ROW / 2);
	const [left, here, right] = [apart, 0, -apart].map((by) => blurredRamp(atX - x + by));
	return (rows * (left! - 2 * here! + right!)) / apart;
}

/** A Gaussian blur, approximated within 0.01 by logistic functions. */
const blurredStep = (x: number) => 1 / (1 + Math.exp((-1.702 * x) / BLUR));
const blurredRamp = (x: number) => (BLUR / 1.702) * Math.log1p(Math.exp((1.702 * x) / BLUR));

/** The pixels of the engine's sphere, row by row. */
async function photographSphere(browser: Browser, url: string): Promise<number[][]> {
	const page = await browser.newPage({ viewport: { width: 900, height: 900 }, bypassCSP: true });
	await page.goto(`${url}/?tick=0&level=8&way=page`);
	await page.locator('.stage[data-backend="page"]').waitFor({ state: "attached" });
	await page.addStyleTag({ content: ".page { display: none } .picture { transition: none }" });
	const clip = (await page.locator(".sphere").boundingBox())!;
	const photo = (await page.screenshot({ clip })).toString("base64");
	return page.evaluate(readPixels, { photo, edge: EDGE });
}

/** Runs in the page. `photo` is a PNG in Base64. */
async function readPixels({ photo, edge }: { photo: string; edge: number }): Promise<number[][]> {
	const file = await (await fetch(`data:image/png;base64,${photo}`)).blob();
	const small = { resizeWidth: edge, resizeHeight: edge, resizeQuality: "high" } as const;
	const context = new OffscreenCanvas(edge, edge).getContext("2d")!;
	context.drawImage(await createImageBitmap(file, small), 0, 0);
	const { data } = context.getImageData(0, 0, edge, edge);
	return Array.from({ length: edge * edge }, (_, i) => [...data.subarray(4 * i, 4 * i + 3)]);
}

const hex = (color: number[]) =>
	`#${color
		.map((value) => Math.min(255, STEP * Math.round(value / STEP)))
		.map((value) => value.toString(16).padStart(2, "0"))
		.join("")}`;

const percent = (share: number, digits = 2) => `${Number((100 * share).toFixed(digits))}%`;
