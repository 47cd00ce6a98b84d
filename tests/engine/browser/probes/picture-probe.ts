import { THEME } from "../../../../engine/default-theme.ts";
import { createFlatRenderer } from "../../../../engine/render/flat/flat-renderer.ts";
import { createGlRenderer } from "../../../../engine/render/gl/gl-renderer.ts";
import { createPicture, type Renderer } from "../../../../engine/render/renderer.ts";
import {
	createSimulation,
	type Simulation,
	seek,
	step,
} from "../../../../engine/simulation/index.ts";
import type { Shot } from "./shot.ts";

const attributes = { alpha: false, antialias: false, depth: false, preserveDrawingBuffer: true };

function open({ seed, scene, tick, width, height, backend = "gl", quietZone = [] }: Shot): {
	canvas: HTMLCanvasElement;
	simulation: Simulation;
	renderer: Renderer;
} {
	const canvas = document.createElement("canvas");
	const simulation = createSimulation(seed, scene);
	seek(simulation, tick);
	let renderer: Renderer;
	if (backend === "flat") {
		renderer = createFlatRenderer(canvas.getContext("2d")!, simulation, THEME);
	} else {
		const gl = (canvas.getContext("webgl2", attributes) ??
			canvas.getContext("webgl", attributes)) as WebGLRenderingContext;
		renderer = createGlRenderer(gl, simulation, THEME);
	}
	renderer.resize(width, height, 1);
	renderer.setQuietZone(quietZone);
	return { canvas, simulation, renderer };
}

/** Draws one moment and returns its PNG as a data URL. A flat picture's sky is one color. */
export function photograph(shot: Shot): string {
	const { canvas, renderer } = open(shot);
	const night = shot.scene === "fireworks" ? 1 : 0;
	const picture = { ...createPicture(), time: shot.tick, night, sunken: night };
	if (shot.earlierZone) {
		renderer.setQuietZone(shot.earlierZone);
		renderer.draw(picture);
		renderer.setQuietZone(shot.quietZone ?? []);
	}
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
 * Counts pixels that differ from the same picture without sprites, at several ticks, inside and
 * outside of rectangles in CSS px, by default the quiet zone.
 */
export function countSpritePixels(
	shot: Shot,
	ticks: readonly number[],
	rectangles: readonly number[] = shot.quietZone ?? [],
): { inside: number; outside: number } {
	const { width, height } = shot;
	// Fireworks by day darken the sky, so only the night has the same sky without sprites.
	const night = shot.scene === "fireworks" ? 1 : 0;
	const photo = document.createElement("canvas");
	photo.width = width;
	photo.height = height;
	const context = photo.getContext("2d", { willReadFrequently: true })!;
	const [full, empty] = [open(shot), open({ ...shot, scene: "none" })];
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
 * Minimum and maximum luminance (WCAG 2.2) of sky and sphere, without sprites, throughout the loop
 * and for all pointer positions.
 * @param part of the picture: left, top, right and bottom as shares of its width and height
 */
export function luminances(
	{ width, height }: { width: number; height: number },
	night: number,
	[left, top, right, bottom]: readonly [number, number, number, number],
	sunken = night,
): { least: number; greatest: number } {
	const { canvas, renderer } = open({ seed: 1, scene: "drift", tick: 0, width, height });
	const gl = canvas.getContext("webgl2")!;
	const linear = Array.from({ length: 256 }, (_, value) =>
		value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
	);
	const [x, y] = [left * width, (1 - bottom) * height].map(Math.round) as [number, number];
	const [columns, lines] = [(right - left) * width, (bottom - top) * height].map(Math.round) as [
		number,
		number,
	];
	const pixels = new Uint8Array(columns * lines * 4);
	let [least, greatest] = [1, 0];
	for (let time = 0; time < 7200; time += 450) {
		for (const lean of [-1, 0, 1]) {
			const touched = { leanX: lean, leanY: lean, turn: 2 * lean };
			renderer.draw({ ...createPicture(), time, night, sunken, ...touched });
			gl.readPixels(x, y, columns, lines, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
			for (let i = 0; i < pixels.length; i += 4) {
				const [red, green, blue] = [pixels[i]!, pixels[i + 1]!, pixels[i + 2]!];
				const luminance = 0.2126 * linear[red]! + 0.7152 * linear[green]! + 0.0722 * linear[blue]!;
				least = Math.min(least, luminance);
				greatest = Math.max(greatest, luminance);
			}
		}
	}
	renderer.destroy();
	return { least, greatest };
}

export function countVertices(shot: Shot, ratios: readonly number[]): number[] {
	const { canvas, renderer } = open(shot);
	const gl = canvas.getContext("webgl2")!;
	const drawElements = gl.drawElements.bind(gl);
	let vertices: number[] = [];
	gl.drawElements = (mode, count, ...rest) => {
		vertices.push(count);
		drawElements(mode, count, ...rest);
	};
	const counts = ratios.map((ratio) => {
		vertices = [];
		renderer.resize(shot.width, shot.height, ratio);
		renderer.draw({ ...createPicture(), time: shot.tick });
		return vertices[0]!;
	});
	renderer.destroy();
	return counts;
}

/** Redraws the moment with a replacement in the shaders; the regular expression must match. */
export function photographWith(shot: Shot, from: string, to: string): string {
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

/** A picture's sharpness: the mean difference between horizontally adjacent pixels. */
export async function sharpness(photo: string): Promise<number> {
	const channels = await pixels(photo);
	let sum = 0;
	for (let i = 4; i < channels.length; i++) sum += Math.abs(channels[i]! - channels[i - 4]!);
	return sum / channels.length;
}

/** The difference of two pictures: mean per channel, and the share of pixels off by more than 24. */
export async function compare(a: string, b: string): Promise<{ mean: number; off: number }> {
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

/** Counts WebGL calls of 600 frames after a warm-up of 60, excluding uploads of new particles. */
export function countCalls(shot: Shot): {
	mostCalls: number;
	draws: number;
	created: number;
	errors: number;
} {
	const { simulation, renderer, canvas } = open(shot);
	const gl = canvas.getContext("webgl2") as unknown as Record<string, unknown>;
	const night = shot.scene === "fireworks" ? 1 : 0;
	let calls = 0;
	let draws = 0;
	let created = 0;
	let uploads = 0;
	let counting = false;
	for (const name in gl) {
		const method = gl[name];
		if (typeof method !== "function") continue;
		gl[name] = (...values: unknown[]) => {
			if (counting) {
				calls++;
				if (/^draw(Arrays|Elements)/.test(name)) draws++;
				if (/^create/.test(name)) created++;
				// Two calls: an upload binds its buffer first.
				if (name === "bufferSubData") uploads += 2;
			}
			return method.apply(gl, values);
		};
	}
	let mostCalls = 0;
	for (let frame = 0; frame < 660; frame++) {
		// One second of warm-up, then ten seconds with births.
		step(simulation);
		counting = frame >= 60;
		calls = 0;
		uploads = 0;
		renderer.draw({ ...createPicture(), time: simulation.tick, night, sunken: night });
		mostCalls = Math.max(mostCalls, calls - uploads);
	}
	counting = false;
	const errors = (gl.getError as () => number)();
	renderer.destroy();
	return { mostCalls, draws: draws / 600, created, errors };
}

export function countAtlases(shot: Shot, ticks: readonly number[]): number[] {
	const { canvas, simulation, renderer } = open(shot);
	const gl = canvas.getContext("webgl2")!;
	const upload = gl.texImage2D.bind(gl) as (...words: unknown[]) => void;
	let atlases = 0;
	Object.assign(gl, {
		texImage2D(...words: unknown[]) {
			atlases++;
			upload(...words);
		},
	});
	const counts = ticks.map((time) => {
		seek(simulation, time);
		renderer.draw({ ...createPicture(), time });
		return atlases;
	});
	renderer.destroy();
	return counts;
}

/** GPU objects created while drawing one moment, and those left after `destroy`. */
export function countObjects(shot: Shot): { made: number[]; left: number[] } {
	const things = ["Buffer", "Texture", "Shader", "Program"];
	const made = things.map(() => 0);
	const left = things.map(() => 0);
	const gl = WebGL2RenderingContext.prototype as never as Record<
		string,
		(...words: unknown[]) => unknown
	>;
	const original: typeof gl = {};
	for (const [index, thing] of things.entries()) {
		const [create, remove] = [gl[`create${thing}`]!, gl[`delete${thing}`]!];
		original[`create${thing}`] = create;
		original[`delete${thing}`] = remove;
		gl[`create${thing}`] = function (...words) {
			made[index]!++;
			left[index]!++;
			return create.apply(this, words);
		};
		gl[`delete${thing}`] = function (...words) {
			left[index]!--;
			return remove.apply(this, words);
		};
	}
	const { renderer } = open(shot);
	renderer.draw({ ...createPicture(), time: shot.tick });
	renderer.destroy();
	Object.assign(gl, original);
	return { made, left };
}

export { poseError } from "./pose-probe.ts";
