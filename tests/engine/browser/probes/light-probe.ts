import { THEME } from "../../../../engine/default-theme.ts";
import { aim, createCamera } from "../../../../engine/render/camera.ts";
import { createGlRenderer } from "../../../../engine/render/gl/gl-renderer.ts";
import { createPicture } from "../../../../engine/render/renderer.ts";
import { createSimulation } from "../../../../engine/simulation/index.ts";

interface Size {
	width: number;
	height: number;
	/** Device pixels per CSS px. */
	ratio: number;
}

/** Reads the picture's pixels, bottom row first. */
function read(size: Size, time: number, night: number): { pixels: Uint8Array; columns: number } {
	const canvas = document.createElement("canvas");
	const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false })!;
	const renderer = createGlRenderer(gl, createSimulation(1, "none"), THEME);
	renderer.resize(size.width, size.height, size.ratio);
	renderer.draw({ ...createPicture(), time, night, sunken: night });
	const pixels = new Uint8Array(canvas.width * canvas.height * 4);
	gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
	renderer.destroy();
	return { pixels, columns: canvas.width };
}

function luminance(red: number, green: number, blue: number): number {
	const [r, g, b] = [red, green, blue].map((value) =>
		value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
	) as [number, number, number];
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * Maximum contrast (WCAG 2.2) of the sphere's outer seventh with the adjacent sky by day, in each
 * of 24 directions.
 */
export function rimContrasts(size: Size, time: number): number[] {
	const { pixels, columns } = read(size, time, 0);
	const camera = Object.assign(createCamera(), size);
	aim(camera, { ...createPicture(), time });
	const radius = (camera.radius[0] * size.width) / 2;
	const middleY = ((1 + camera.middle[1]) * size.height) / 2;
	return Array.from({ length: 24 }, (_, direction) => {
		const angle = (direction / 24) * 2 * Math.PI;
		const at = (away: number) => {
			const x = Math.round((size.width / 2 + away * radius * Math.cos(angle)) * size.ratio);
			const y = Math.round((middleY + away * radius * Math.sin(angle)) * size.ratio);
			const [red, green, blue] = pixels.subarray((y * columns + x) * 4);
			return luminance(red!, green!, blue!) + 0.05;
		};
		const sky = at(1.03);
		const rim = Array.from({ length: 14 }, (_, step) => at(0.86 + step / 100));
		return Math.max(...rim.map((light) => Math.max(light, sky) / Math.min(light, sky)));
	});
}

/** Longest vertical run of equal colors, in device pixels. */
export function longestRun(size: Size, night: number): number {
	const { pixels, columns } = read(size, 0, night);
	const colors = new Uint32Array(pixels.buffer);
	const lines = colors.length / columns;
	let longest = 0;
	for (let column = 0; column < columns; column += 7) {
		let run = 1;
		for (let line = 1; line < lines; line++) {
			if (colors[line * columns + column] === colors[(line - 1) * columns + column]) run++;
			else run = 1;
			longest = Math.max(longest, run);
		}
	}
	return longest;
}
