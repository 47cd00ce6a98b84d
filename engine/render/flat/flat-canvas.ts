import { ATLAS, atlasCellAt, CELL_PX, type Context2d, createAtlas } from "../atlas.ts";
import { DEPTH } from "../depth.ts";
import type { Place } from "../place.ts";
import type { Theme } from "../theme.ts";

/** A 2D canvas in CSS px that draws cells of the atlas. */
export interface FlatCanvas {
	drawCalls: number; // since `clear`
	pixelRatio: number;
	clear(): void;
	/** Draws a cell whose glyph gets this width and height, without the top share `from` of the cell. */
	stamp(
		cell: number,
		x: number,
		y: number,
		width: number,
		height: number,
		angle: number,
		from?: number,
	): void;
	/** Later stamps cast the shadow of a glyph of this size, or none at a `strength` of 0. */
	castShadow(size: number, strength: number): void;
	/** Fades everything drawn inside the sphere; a `share` of 1 erases it. */
	wipe(sphere: Readonly<Place>, share: number): void;
}

/** 32 stamps cost 0.46 ms a frame, 32 emoji painted as text 17 ms (measured on two slow cores). */
export function createFlatCanvas(context: Context2d, theme: Theme): FlatCanvas {
	const atlas = createAtlas(theme);
	const canvas: FlatCanvas = {
		drawCalls: 0,
		pixelRatio: 0,
		clear() {
			context.setTransform(1, 0, 0, 1, 0, 0);
			context.clearRect(0, 0, context.canvas.width, context.canvas.height);
			canvas.drawCalls = 0;
		},
		stamp(cell, x, y, glyphWidth, glyphHeight, angle, from = 0) {
			const [width, height] = [glyphWidth / ATLAS.glyphShare, glyphHeight / ATLAS.glyphShare];
			const cos = Math.cos(angle) * canvas.pixelRatio;
			const sin = Math.sin(angle) * canvas.pixelRatio;
			const { left, top } = atlasCellAt(cell);
			const part = 1 - from;
			context.setTransform(cos, -sin, sin, cos, x * canvas.pixelRatio, y * canvas.pixelRatio);
			context.drawImage(
				atlas,
				left,
				top + from * CELL_PX,
				CELL_PX,
				part * CELL_PX,
				-width / 2,
				(from - 0.5) * height,
				width,
				part * height,
			);
			canvas.drawCalls++;
		},
		castShadow(size, strength) {
			const { aside, below, soft } = DEPTH.shadow;
			const px = size * canvas.pixelRatio;
			context.shadowColor = strength > 0 ? `rgb(0 0 0 / ${strength.toFixed(3)})` : "transparent";
			context.shadowBlur = 0.03 * soft * px;
			context.shadowOffsetX = aside * px;
			context.shadowOffsetY = below * px;
		},
		wipe({ sphereX, sphereY, radius }, share) {
			context.setTransform(canvas.pixelRatio, 0, 0, canvas.pixelRatio, 0, 0);
			context.globalAlpha = share;
			context.globalCompositeOperation = "destination-out";
			context.beginPath();
			context.arc(sphereX, sphereY, radius, 0, 2 * Math.PI);
			context.fill();
			context.globalCompositeOperation = "source-over";
		},
	};
	return canvas;
}
