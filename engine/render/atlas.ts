import { EMOJI } from "../simulation/index.ts";

/**
 * One square picture of all sprites, in cells: painting an emoji as text is slow (up to 0.5 ms each
 * and frame), painting from a picture is not.
 */
export const ATLAS = {
	/** Cells in a row, and rows. */
	columns: 5,
	/** Px of its edge. A power of two: WebGL 1 makes mipmaps of nothing else. */
	edge: 1024,
	/** How much of its cell a glyph fills: the rest keeps neighbours apart in the mipmaps. */
	glyphShare: 0.78,
	/** The cell of a soft spot of light, behind the emoji: what rockets leave behind. */
	glow: EMOJI.length,
	/** The farthest copy of a rocket in its trail, in ticks. */
	longestLag: 22,
} as const;

/** System fonts that have the emoji, in the order of preference. */
const FONT = `"Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji", "Twemoji Mozilla", sans-serif`;

type Context2d = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** The atlas on a canvas of its own. @throws Error where there is no 2D canvas */
export function createAtlas(): HTMLCanvasElement | OffscreenCanvas {
	const { edge } = ATLAS;
	const canvas =
		typeof OffscreenCanvas === "undefined"
			? Object.assign(document.createElement("canvas"), { width: edge, height: edge })
			: new OffscreenCanvas(edge, edge);
	const context = canvas.getContext("2d") as Context2d | null;
	if (!context) throw new Error("There is no 2D context to paint the emoji with");
	paintAtlas(context);
	return canvas;
}

/**
 * Paints the atlas. Emoji that the system has no picture for are left out: an empty box drifting by
 * would be worse than nothing.
 * @param context of a canvas of `ATLAS.edge` px both ways
 */
export function paintAtlas(context: Context2d): void {
	const cell = ATLAS.edge / ATLAS.columns;
	const size = cell * ATLAS.glyphShare;
	context.clearRect(0, 0, ATLAS.edge, ATLAS.edge);
	context.textAlign = "center";
	context.textBaseline = "alphabetic";
	EMOJI.forEach((emoji, index) => {
		const x = ((index % ATLAS.columns) + 0.5) * cell;
		const y = (Math.floor(index / ATLAS.columns) + 0.5) * cell;
		paintGlyph(context, emoji, x, y, size);
	});
	paintGlow(
		context,
		(ATLAS.glow % ATLAS.columns) + 0.5,
		Math.floor(ATLAS.glow / ATLAS.columns) + 0.5,
		cell,
	);
}

/** Paints one glyph so that its ink, not its line, is in the middle and as large as asked. */
function paintGlyph(context: Context2d, text: string, x: number, y: number, size: number): void {
	context.font = `${size * 0.8}px ${FONT}`;
	const ink = context.measureText(text);
	const width = ink.actualBoundingBoxLeft + ink.actualBoundingBoxRight;
	const height = ink.actualBoundingBoxAscent + ink.actualBoundingBoxDescent;
	const scale = size / Math.max(width, height, 1);
	context.font = `${size * 0.8 * Math.min(scale, 1.25)}px ${FONT}`;
	const fit = context.measureText(text);
	const middleX = (fit.actualBoundingBoxRight - fit.actualBoundingBoxLeft) / 2;
	const middleY = (fit.actualBoundingBoxAscent - fit.actualBoundingBoxDescent) / 2;
	context.fillText(text, x - middleX, y + middleY);
}

function paintGlow(context: Context2d, column: number, row: number, cell: number): void {
	const [x, y] = [column * cell, row * cell];
	const light = context.createRadialGradient(x, y, 0, x, y, (cell * ATLAS.glyphShare) / 2);
	light.addColorStop(0, "rgb(255 246 220)");
	light.addColorStop(0.35, "rgb(255 205 130 / 0.8)");
	light.addColorStop(1, "rgb(255 150 110 / 0)");
	context.fillStyle = light;
	context.fillRect(x - cell / 2, y - cell / 2, cell, cell);
}
