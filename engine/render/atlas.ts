import { EMOJI } from "../simulation/index.ts";
import { channelsOf, type Looks } from "./looks.ts";

/** Cells of lights: in the first colours of the sphere's silk. */
const GLOWS = 5;

/**
 * One square picture of all sprites, in cells: painting an emoji as text takes up to 0.5 ms in
 * each frame, and copying it from a picture much less.
 */
export const ATLAS = {
	/** Cells in a row, and rows: as many as emoji and lights ask for. */
	columns: Math.ceil(Math.sqrt(EMOJI.length + GLOWS)),
	/** Px of its edge. A power of two: WebGL 1 makes mipmaps of nothing else. */
	edge: 1024,
	/** How much of its cell a glyph fills: the rest keeps neighbours apart in the mipmaps. */
	glyphShare: 0.78,
	/** The first cell of the lights, behind the emoji. */
	glow: EMOJI.length,
	glows: GLOWS,
} as const;

/** System fonts that have the emoji, in the order of preference. */
const FONT = `"Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", "Twemoji Mozilla", sans-serif`;

/** Font size to measure a glyph at, as a share of its size: most are larger than their em. */
const EM_SHARE = 0.8;

export type Context2d = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/**
 * The atlas on a canvas of its own.
 * @param detail px of the canvas for each px of the atlas: a glyph has 160 px for each
 * @throws Error where there is no 2D canvas
 */
export function createAtlas(looks: Looks, detail = 1): HTMLCanvasElement | OffscreenCanvas {
	const edge = ATLAS.edge * detail;
	const canvas =
		typeof OffscreenCanvas === "undefined"
			? Object.assign(document.createElement("canvas"), { width: edge, height: edge })
			: new OffscreenCanvas(edge, edge);
	const context = canvas.getContext("2d", { willReadFrequently: true }) as Context2d | null;
	if (!context) throw new Error("There is no 2D context to paint the emoji with");
	paintAtlas(context, looks, detail);
	return canvas;
}

/**
 * What a glyph is painted in that has no colours of its own: a letter, or the empty box of a missing one. Grey
 * emoji, such as a football, have their own grey.
 */
const INK = "#ff00ff";

/**
 * Paints the atlas. It leaves out emoji that the system has no coloured glyph for: a drifting empty
 * box, or black on a night sky, would be worse than nothing.
 * @param context of a canvas of `detail` times `ATLAS.edge` px both ways
 */
export function paintAtlas(
	context: Context2d,
	{ emoji, colours: { silk, dusk } }: Looks,
	detail = 1,
): void {
	const size = CELL * ATLAS.glyphShare;
	context.scale(detail, detail);
	context.clearRect(0, 0, ATLAS.edge, ATLAS.edge);
	context.textAlign = "center";
	context.fillStyle = INK;
	emoji.forEach((glyph, index) => {
		const { left, top } = cellAt(index);
		paintGlyph(context, glyph, left + CELL / 2, top + CELL / 2, size);
		const [x, y, edge] = [Math.ceil(left), Math.ceil(top), Math.floor(CELL)];
		const { data } = context.getImageData(x * detail, y * detail, edge * detail, edge * detail);
		if (!isColoured(data)) context.clearRect(x, y, edge, edge);
	});
	throwShadows(context, dusk.at(-1)!, detail);
	for (let glow = 0; glow < ATLAS.glows; glow++) {
		paintGlow(context, ATLAS.glow + glow, vivid(silk[glow]));
	}
}

/**
 * Paints a shadow close around each glyph, and a little below it: yellow and white emoji are pale on a morning sky without it. On
 * a night sky it is brighter than that, and a halo. What throws it is the whole atlas, beside its canvas.
 */
function throwShadows(context: Context2d, colour: string, detail: number): void {
	const { edge } = ATLAS;
	context.save();
	context.globalCompositeOperation = "destination-over";
	context.shadowColor = `${colour}a0`;
	context.shadowBlur = 10 * detail;
	context.shadowOffsetY = 3 * detail;
	context.shadowOffsetX = edge * detail;
	context.drawImage(context.canvas, -edge, 0, edge, edge);
	context.restore();
}

/** Edge of a cell in px. */
export const CELL = ATLAS.edge / ATLAS.columns;

/** Where a cell is in the atlas, in px. */
export function cellAt(index: number): { left: number; top: number } {
	return {
		left: (index % ATLAS.columns) * CELL,
		top: Math.floor(index / ATLAS.columns) * CELL,
	};
}

/** Whether any pixel is not of the ink. */
function isColoured(pixels: Uint8ClampedArray): boolean {
	for (let i = 0; i < pixels.length; i += 4) {
		const [red, green, blue, alpha] = [pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]];
		if (alpha > 128 && (red < 223 || green > 32 || blue < 223)) return true;
	}
	return false;
}

/** Paints one glyph so that its ink, not its line box, is centred and has the size asked for. */
function paintGlyph(context: Context2d, text: string, x: number, y: number, size: number): void {
	const emPx = size * EM_SHARE;
	context.font = `${emPx}px ${FONT}`;
	const ink = context.measureText(text);
	const width = ink.actualBoundingBoxLeft + ink.actualBoundingBoxRight;
	const height = ink.actualBoundingBoxAscent + ink.actualBoundingBoxDescent;
	const scale = size / Math.max(width, height, 1);
	context.font = `${emPx * Math.min(scale, 1 / EM_SHARE)}px ${FONT}`;
	const fit = context.measureText(text);
	const middleX = (fit.actualBoundingBoxRight - fit.actualBoundingBoxLeft) / 2;
	const middleY = (fit.actualBoundingBoxAscent - fit.actualBoundingBoxDescent) / 2;
	context.fillText(text, x - middleX, y + middleY);
}

/** How much more colour light has than the silk: on a morning sky pastel light is none. */
const VIVID = 3;

/** A colour with more chroma, as #rrggbb. */
function vivid(colour: string): string {
	const channels = channelsOf(colour);
	const most = Math.max(...channels);
	return channels.reduce((hex, channel) => {
		const part = Math.max(0, Math.round(most - VIVID * (most - channel)));
		return hex + part.toString(16).padStart(2, "0");
	}, "#");
}

/** Share of a light's radius that is white. */
const HOT = 0.07;

/** Light around it: shares of its radius, and its opacity there in hex digits. */
const GLOW = [
	[0.28, "d8"],
	[0.38, "88"],
	[0.5, "44"],
	[0.72, "14"],
	[1, "00"],
] as const;

function paintGlow(context: Context2d, cell: number, colour: string): void {
	const { left, top } = cellAt(cell);
	const [x, y] = [left + CELL / 2, top + CELL / 2];
	const light = context.createRadialGradient(x, y, 0, x, y, (CELL * ATLAS.glyphShare) / 2);
	light.addColorStop(HOT, "#ffffff");
	for (const [at, opacity] of GLOW) light.addColorStop(at, colour + opacity);
	context.fillStyle = light;
	context.fillRect(left, top, CELL, CELL);
}
