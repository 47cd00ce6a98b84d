import { EMOJI } from "../simulation/index.ts";
import { rgbChannelsOf, type Theme } from "./theme.ts";

/** Cells for the glow of fireworks, one in each of the first five silk colors. */
const GLOWS = 5;

/** All sprites in one square image, because painting emoji as text is slow (flat-canvas.ts). */
export const ATLAS = {
	columns: Math.ceil(Math.sqrt(EMOJI.length + GLOWS)),
	/** Px. WebGL 1 makes mipmaps only for powers of two. */
	edge: 1024,
	/** A glyph's share of its cell. The margin keeps neighbors out of its mipmaps. */
	glyphShare: 0.78,
	glow: EMOJI.length,
	glows: GLOWS,
} as const;

const FONT = `"Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", "Twemoji Mozilla", sans-serif`;

/** First font size, as a share of the wanted glyph size: most glyphs are larger than their em. */
const EM_SHARE = 0.8;

export type Context2d = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/**
 * @param detail canvas px per atlas px
 * @throws Error without a 2D canvas
 */
export function createAtlas(theme: Theme, detail = 1): HTMLCanvasElement | OffscreenCanvas {
	const edge = ATLAS.edge * detail;
	const canvas =
		typeof OffscreenCanvas === "undefined"
			? Object.assign(document.createElement("canvas"), { width: edge, height: edge })
			: new OffscreenCanvas(edge, edge);
	const context = canvas.getContext("2d", { willReadFrequently: true }) as Context2d | null;
	if (!context) throw new Error("There is no 2D context to paint the emoji with");
	paintAtlas(context, theme, detail);
	return canvas;
}

/** Color emoji ignore the fill color. A glyph painted in it is a letter or a missing-glyph box. */
const INK = "#ff00ff";

/**
 * Leaves out emoji without a color glyph, because a box would be worse than nothing.
 * @param context its canvas measures `detail` times `ATLAS.edge` px both ways
 */
export function paintAtlas(
	context: Context2d,
	{ emoji, colors: { silk, dusk } }: Theme,
	detail = 1,
): void {
	const size = CELL_PX * ATLAS.glyphShare;
	context.scale(detail, detail);
	context.clearRect(0, 0, ATLAS.edge, ATLAS.edge);
	context.textAlign = "center";
	context.fillStyle = INK;
	emoji.forEach((glyph, index) => {
		const { left, top } = atlasCellAt(index);
		paintGlyph(context, glyph, left + CELL_PX / 2, top + CELL_PX / 2, size);
		const [x, y, edge] = [Math.ceil(left), Math.ceil(top), Math.floor(CELL_PX)];
		const { data } = context.getImageData(x * detail, y * detail, edge * detail, edge * detail);
		if (!isColored(data)) context.clearRect(x, y, edge, edge);
	});
	throwShadows(context, dusk.at(-1)!, detail);
	for (let glow = 0; glow < ATLAS.glows; glow++) {
		paintGlow(context, ATLAS.glow + glow, vivid(silk[glow]));
	}
}

/**
 * Shadows keep yellow and white emoji visible against a morning sky. An off-canvas copy of
 * the atlas casts them, so that only the shadows are drawn.
 */
function throwShadows(context: Context2d, color: string, detail: number): void {
	const { edge } = ATLAS;
	context.save();
	context.globalCompositeOperation = "destination-over";
	context.shadowColor = `${color}a0`;
	context.shadowBlur = 10 * detail;
	context.shadowOffsetY = 3 * detail;
	context.shadowOffsetX = edge * detail;
	context.drawImage(context.canvas, -edge, 0, edge, edge);
	context.restore();
}

export const CELL_PX = ATLAS.edge / ATLAS.columns;

export function atlasCellAt(index: number): { left: number; top: number } {
	return {
		left: (index % ATLAS.columns) * CELL_PX,
		top: Math.floor(index / ATLAS.columns) * CELL_PX,
	};
}

function isColored(pixels: Uint8ClampedArray): boolean {
	for (let i = 0; i < pixels.length; i += 4) {
		const [red, green, blue, alpha] = [pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]];
		if (alpha > 128 && (red < 223 || green > 32 || blue < 223)) return true;
	}
	return false;
}

/** Centers the ink, not the line box. */
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

/** Factor on the silk's saturation: pastel light would be invisible on a morning sky. */
const VIVID = 3;

function vivid(color: string): string {
	const channels = rgbChannelsOf(color);
	const most = Math.max(...channels);
	return channels.reduce((hex, channel) => {
		const part = Math.max(0, Math.round(most - VIVID * (most - channel)));
		return hex + part.toString(16).padStart(2, "0");
	}, "#");
}

/** Share of a glow's radius that is white. */
const HOT = 0.07;

/** Shares of a glow's radius, with the glow's opacity there in hex. */
const GLOW = [
	[0.28, "d8"],
	[0.38, "88"],
	[0.5, "44"],
	[0.72, "14"],
	[1, "00"],
] as const;

function paintGlow(context: Context2d, cell: number, color: string): void {
	const { left, top } = atlasCellAt(cell);
	const [x, y] = [left + CELL_PX / 2, top + CELL_PX / 2];
	const light = context.createRadialGradient(x, y, 0, x, y, (CELL_PX * ATLAS.glyphShare) / 2);
	light.addColorStop(HOT, "#ffffff");
	for (const [at, opacity] of GLOW) light.addColorStop(at, color + opacity);
	context.fillStyle = light;
	context.fillRect(left, top, CELL_PX, CELL_PX);
}
