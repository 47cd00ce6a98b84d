import { countGl, createGlCounts, type GlCounts } from "../../../../bench/probe/counted-gl.ts";
import { THEME } from "../../../../engine/default-theme.ts";
import { atlasCellAt, CELL_PX, createAtlas } from "../../../../engine/render/atlas.ts";
import { aimCamera, createCamera } from "../../../../engine/render/camera.ts";
import { createPicture, type Picture } from "../../../../engine/render/renderer.ts";
import { seek } from "../../../../engine/simulation/index.ts";
import { type OpenedRenderer, openRenderer, type Shot } from "./shot.ts";

/** Returns pixels, bottom row first. */
function read({ canvas, renderer }: OpenedRenderer, picture: Partial<Picture>): Uint8Array {
	const gl = canvas.getContext("webgl2")!;
	const pixels = new Uint8Array(canvas.width * canvas.height * 4);
	renderer.draw({ ...createPicture(), ...picture });
	gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
	return pixels;
}

const LINEAR = Array.from({ length: 256 }, (_, value) =>
	value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);

/** Luminance (WCAG 2.2) of the pixel at this byte offset. */
function luminanceAt(pixels: Uint8Array, at: number): number {
	const [red, green, blue] = [
		LINEAR[pixels[at]!]!,
		LINEAR[pixels[at + 1]!]!,
		LINEAR[pixels[at + 2]!]!,
	];
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns a PNG as a data URL. The 2D canvas draws no sky, so its pictures get a plain color. */
export function photograph(shot: Shot): string {
	const { canvas, renderer } = openRenderer(shot);
	const night = shot.scene === "fireworks" ? 1 : 0;
	const picture = { ...createPicture(), time: shot.tick, night, sunken: night };
	renderer.draw(picture);
	const photo = document.createElement("canvas");
	photo.width = shot.width;
	photo.height = shot.height;
	const context = photo.getContext("2d")!;
	context.fillStyle = night ? "#170b31" : "#f6e6f7";
	context.fillRect(0, 0, shot.width, shot.height);
	context.drawImage(canvas, 0, 0);
	renderer.destroy();
	return photo.toDataURL();
}

/**
 * Counts pixels that differ from the same picture without sprites, inside and outside of rectangles
 * in CSS px.
 */
export function countSpritePixels(
	shot: Shot,
	ticks: readonly number[],
	rectangles: readonly number[] = shot.quietZone ?? [],
): { inside: number; outside: number } {
	const { width, height } = shot;
	// Compares fireworks at night: by day they darken the sky, which would count as sprites.
	const night = shot.scene === "fireworks" ? 1 : 0;
	const photo = document.createElement("canvas");
	photo.width = width;
	photo.height = height;
	const context = photo.getContext("2d", { willReadFrequently: true })!;
	const [full, empty] = [
		openRenderer({ ...shot, quietZone: [] }),
		openRenderer({ ...shot, scene: "none" }),
	];
	seek(full.simulation, ticks[0]!);
	full.renderer.draw({ ...createPicture(), time: ticks[0]! });
	full.renderer.setQuietZone(shot.quietZone ?? []);
	const read = ({ canvas, simulation, renderer }: typeof full, time: number) => {
		seek(simulation, time);
		renderer.draw({ ...createPicture(), time, night });
		context.clearRect(0, 0, width, height);
		context.drawImage(canvas, 0, 0);
		return new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
	};
	let [inside, outside] = [0, 0];
	for (const tick of ticks) {
		const sprites = read(full, tick);
		const none = read(empty, tick);
		for (let i = 0; i < none.length; i++) {
			if (sprites[i] === none[i]) continue;
			const [x, y] = [i % width, Math.floor(i / width)];
			let within = false;
			for (let at = 0; at < rectangles.length; at += 4) {
				const [left, top, across, down] = rectangles.slice(at, at + 4) as [number, ...number[]];
				within ||= x >= left && x < left + across! && y >= top! && y < top! + down!;
			}
			if (within) inside++;
			else outside++;
		}
	}
	full.renderer.destroy();
	empty.renderer.destroy();
	return { inside, outside };
}

/**
 * Extremes of the luminance of sky and sphere over their animation loop, with the pointer in the
 * center and in two corners.
 * @param part of the picture: left, top, right and bottom as shares of its width and height
 */
export function luminanceRange(
	{ width, height }: { width: number; height: number },
	night: number,
	[left, top, right, bottom]: readonly [number, number, number, number],
	sunken = night,
): { least: number; greatest: number } {
	const opened = openRenderer({ seed: 1, scene: "drift", tick: 0, width, height });
	let [least, greatest] = [1, 0];
	for (let time = 0; time < 7200; time += 450) {
		for (const lean of [-1, 0, 1]) {
			const touched = { parallaxX: lean, parallaxY: lean, turn: 2 * lean };
			const pixels = read(opened, { time, night, sunken, ...touched });
			for (let y = Math.round((1 - bottom) * height); y < Math.round((1 - top) * height); y++) {
				for (let x = Math.round(left * width); x < Math.round(right * width); x++) {
					const luminance = luminanceAt(pixels, (y * width + x) * 4);
					least = Math.min(least, luminance);
					greatest = Math.max(greatest, luminance);
				}
			}
		}
	}
	opened.renderer.destroy();
	return { least, greatest };
}

interface Size {
	width: number;
	height: number;
	/** Device pixels per CSS px. */
	ratio: number;
}

function openEmpty({ width, height, ratio }: Size): OpenedRenderer {
	const opened = openRenderer({ seed: 1, scene: "none", tick: 0, width, height });
	opened.renderer.resize(width, height, ratio);
	return opened;
}

/**
 * Maximum contrast (WCAG 2.2) of the sphere's rim with the sky by day, in each of 24 directions.
 */
export function rimContrasts(size: Size, time: number): number[] {
	const opened = openEmpty(size);
	const pixels = read(opened, { time });
	const columns = opened.canvas.width;
	opened.renderer.destroy();
	const camera = Object.assign(createCamera(), size);
	aimCamera(camera, { ...createPicture(), time });
	const radius = (camera.radius[0] * size.width) / 2;
	const middleY = ((1 + camera.middle[1]) * size.height) / 2;
	return Array.from({ length: 24 }, (_, direction) => {
		const angle = (direction / 24) * 2 * Math.PI;
		const at = (away: number) => {
			const x = Math.round((size.width / 2 + away * radius * Math.cos(angle)) * size.ratio);
			const y = Math.round((middleY + away * radius * Math.sin(angle)) * size.ratio);
			return luminanceAt(pixels, (y * columns + x) * 4) + 0.05;
		};
		const sky = at(1.03);
		const rim = Array.from({ length: 14 }, (_, step) => at(0.86 + step / 100));
		return Math.max(...rim.map((light) => Math.max(light, sky) / Math.min(light, sky)));
	});
}

/** Longest vertical run of equal colors, in device pixels. */
export function longestColorRun(size: Size, night: number): number {
	const opened = openEmpty(size);
	const colors = new Uint32Array(read(opened, { night, sunken: night }).buffer);
	const columns = opened.canvas.width;
	opened.renderer.destroy();
	let longest = 0;
	for (let column = 0; column < columns; column += 7) {
		let run = 1;
		for (let at = column + columns; at < colors.length; at += columns) {
			run = colors[at] === colors[at - columns] ? run + 1 : 1;
			longest = Math.max(longest, run);
		}
	}
	return longest;
}

/** Photographs with edited shaders. `from` is a regular expression that must match. */
export function photographWithEdit(shot: Shot, from: string, to: string): string {
	const { prototype } = WebGL2RenderingContext;
	const { shaderSource } = prototype;
	let changed = false;
	prototype.shaderSource = function (shader, source) {
		const other = source.replace(new RegExp(from), to);
		changed ||= other !== source;
		shaderSource.call(this, shader, other);
	};
	try {
		const photo = photograph(shot);
		if (!changed) throw new Error(`No shader has ${from}.`);
		return photo;
	} finally {
		prototype.shaderSource = shaderSource;
	}
}

/**
 * Returns two pictures' mean difference per channel (0 to 255), and the share of pixels with a
 * channel off by more than 24.
 */
export async function comparePictures(
	a: string,
	b: string,
): Promise<{ mean: number; off: number }> {
	const [p, q] = await Promise.all([a, b].map(pixels));
	if (p!.length !== q!.length) return { mean: 255, off: 1 };
	let sum = 0;
	let off = 0;
	for (let i = 0; i < p!.length; i += 4) {
		let most = 0;
		for (let channel = 0; channel < 3; channel++) {
			const difference = Math.abs(p![i + channel]! - q![i + channel]!);
			sum += difference;
			most = Math.max(most, difference);
		}
		if (most > 24) off++;
	}
	return { mean: sum / (p!.length * 0.75), off: off / (p!.length / 4) };
}

async function pixels(url: string): Promise<Uint8ClampedArray> {
	const image = new Image();
	image.src = url;
	await image.decode();
	const canvas = document.createElement("canvas");
	canvas.width = image.naturalWidth;
	canvas.height = image.naturalHeight;
	const context = canvas.getContext("2d", { willReadFrequently: true })!;
	context.drawImage(image, 0, 0);
	return context.getImageData(0, 0, canvas.width, canvas.height).data;
}

/**
 * Counts one renderer's WebGL calls, per picture and in total.
 * @param pictures tick, and device pixels per CSS px
 */
export function countGlCalls(
	shot: Shot,
	pictures: readonly (readonly [tick: number, ratio: number])[],
): { each: GlCounts[]; life: GlCounts["calls"] } {
	const counts = createGlCounts();
	const life: GlCounts["calls"] = {};
	const take = () => {
		const taken = { ...counts };
		for (const [name, calls] of Object.entries(counts.calls))
			life[name] = (life[name] ?? 0) + calls;
		Object.assign(counts, createGlCounts());
		return taken;
	};
	const { simulation, renderer, canvas } = openRenderer(shot, (gl) => countGl(gl, counts));
	take();
	const each = pictures.map(([time, ratio]) => {
		seek(simulation, time);
		renderer.resize(shot.width, shot.height, ratio);
		renderer.draw({ ...createPicture(), time });
		return take();
	});
	const gl = canvas.getContext("webgl2")!;
	if (gl.getError() !== gl.NO_ERROR) throw new Error("The GPU found a mistake.");
	renderer.destroy();
	take();
	return { each, life };
}

/** Draws glyphs into the emoji atlas, and returns the share of its cell that each covers. */
export function glyphCoverage(glyphs: readonly string[], detail: number): number[] {
	const emoji = THEME.emoji.map((own, place) => glyphs[place] ?? own);
	const context = createAtlas({ ...THEME, emoji }, detail).getContext("2d") as
		| CanvasRenderingContext2D
		| OffscreenCanvasRenderingContext2D;
	const edge = Math.floor(CELL_PX * detail);
	return glyphs.map((_, place) => {
		const [left, top] = [atlasCellAt(place).left * detail, atlasCellAt(place).top * detail].map(
			Math.ceil,
		);
		const { data } = context.getImageData(left!, top!, edge, edge);
		return data.filter((value, at) => at % 4 === 3 && value > 128).length / edge ** 2;
	});
}

export { poseError } from "./pose-probe.ts";
