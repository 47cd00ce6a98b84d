/** What the tests of the picture run in a browser: the renderer on a canvas of its own, without a page. */
import { LOOKS } from "../../../bench/harness/looks.ts";
import { BANDS, writeBands } from "../../../engine/render/bands.ts";
import { createFlatRenderer } from "../../../engine/render/flat-renderer.ts";
import { createCommands } from "../../../engine/render/gl/commands.ts";
import { createGlRenderer } from "../../../engine/render/gl/gl-renderer.ts";
import { createQuads, VERTEX, writeBirths } from "../../../engine/render/gl/quads.ts";
import { spritesVertex } from "../../../engine/render/gl/sprites.glsl.ts";
import { QUIET, quietAt, reachOf } from "../../../engine/render/quiet.ts";
import { createPicture, type Renderer } from "../../../engine/render/renderer.ts";
import { createSaluted, writeSaluted } from "../../../engine/render/salute.ts";
import { type Place, SEEN, writeSeen } from "../../../engine/render/seen.ts";
import {
	createSimulation,
	FIELD,
	isAlive,
	type Scene,
	type Simulation,
	STRIDE,
	seek,
	step,
} from "../../../engine/simulation/index.ts";

export interface Shot {
	seed: number;
	scene: Scene;
	tick: number;
	width: number;
	height: number;
	backend?: "gl" | "flat";
	quietZone?: number[];
	/** Where words stood in a frame before. */
	earlierZone?: number[];
}

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
		renderer = createFlatRenderer(canvas.getContext("2d")!, simulation, LOOKS);
	} else {
		const gl = (canvas.getContext("webgl2", attributes) ??
			canvas.getContext("webgl", attributes)) as WebGLRenderingContext;
		renderer = createGlRenderer(gl, simulation, LOOKS);
	}
	renderer.resize(width, height, 1);
	renderer.setQuietZone(quietZone);
	return { canvas, simulation, renderer };
}

/** Draws one moment and returns its PNG as a data URL. Behind a flat picture the sky is one colour. */
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
 * Pixels of sprites, inside the quiet zone and outside of it: those that differ from the same picture
 * without sprites. Counted at several ticks, in CSS px.
 */
export function countSpritePixels(
	shot: Shot,
	ticks: readonly number[],
): { inside: number; outside: number } {
	const { width, height, quietZone = [] } = shot;
	const photo = document.createElement("canvas");
	photo.width = width;
	photo.height = height;
	const context = photo.getContext("2d", { willReadFrequently: true })!;
	const [full, empty] = [open(shot), open({ ...shot, scene: "none" })];
	const read = ({ canvas, simulation, renderer }: typeof full, time: number) => {
		seek(simulation, time);
		renderer.draw({ ...createPicture(), time });
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
			let quiet = false;
			for (let at = 0; at < quietZone.length; at += 4) {
				const [left, top, across, down] = quietZone.slice(at, at + 4) as [number, ...number[]];
				quiet ||= x >= left && x < left + across! && y >= top! && y < top! + down!;
			}
			if (quiet) inside++;
			else outside++;
		}
	}
	full.renderer.destroy();
	empty.renderer.destroy();
	return { inside, outside };
}

/**
 * The least and the greatest luminance (WCAG 2.2) of sky and sphere, without sprites, at moments all
 * over the loop and wherever the visitor points.
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
	// Lines are counted from the lowest one upwards.
	const [x, y] = [left * width, (1 - bottom) * height].map(Math.round) as [number, number];
	const [columns, lines] = [(right - left) * width, (bottom - top) * height].map(Math.round) as [
		number,
		number,
	];
	const pixels = new Uint8Array(columns * lines * 4);
	let [least, greatest] = [1, 0];
	for (let time = 0; time < 7200; time += 450) {
		for (const lean of [-1, 0, 1]) {
			const hand = { leanX: lean, leanY: lean, turn: 2 * lean };
			renderer.draw({ ...createPicture(), time, night, sunken, ...hand });
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

/** Vertices of sky and sphere, by device pixels for each CSS px. */
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

/** The same moment with something else in the shaders, by a regular expression that must match. */
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

/** How sharp a picture is: the mean difference of a channel from one pixel to its right neighbour. */
export async function sharpness(photo: string): Promise<number> {
	const channels = await pixels(photo);
	let sum = 0;
	for (let i = 4; i < channels.length; i++) sum += Math.abs(channels[i]! - channels[i - 4]!);
	return sum / channels.length;
}

/** How two pictures differ: the mean difference of a channel, and the share of pixels off by more than 24. */
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

/** Radius of the sphere in those: a share of the height. */
const RADIUS = 0.39;

/** What sprites are fitted to in a shot by day. */
function placeOf({ width, height, quietZone = [] }: Shot): Place {
	const bands = new Float32Array(BANDS.length);
	writeBands(bands, quietZone, width, height);
	const planet = {
		sphereX: width / 2,
		sphereY: height / 2,
		radius: RADIUS * height,
		planetRadius: 0,
	};
	return { width, height, zones: quietZone, bands, ...planet };
}

/**
 * The largest distance in px between where the GPU puts the corners of a living particle's quad and
 * where seen.ts says they are, read back by transform feedback; and how many only one of both sees.
 */
export function poseError(shot: Shot): {
	px: number;
	particles: number;
	lights: number;
	ghosts: number;
} {
	const { width, height } = shot;
	const gl = document.createElement("canvas").getContext("webgl2")!;
	const simulation = createSimulation(shot.seed, shot.scene);
	seek(simulation, shot.tick);
	const quads = createQuads(simulation);
	writeBirths(quads, () => {});
	const time = shot.tick + 0.375;

	const program = gl.createProgram();
	for (const [type, source] of [
		[gl.VERTEX_SHADER, spritesVertex],
		[gl.FRAGMENT_SHADER, "void main() { gl_FragColor = vec4(0.0); }"],
	] as const) {
		const shader = gl.createShader(type)!;
		gl.shaderSource(shader, source);
		gl.compileShader(shader);
		gl.attachShader(program, shader);
	}
	gl.transformFeedbackVaryings(program, ["gl_Position"], gl.INTERLEAVED_ATTRIBS);
	gl.linkProgram(program);
	gl.useProgram(program);
	gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
	gl.bufferData(gl.ARRAY_BUFFER, quads.vertices, gl.STATIC_DRAW);
	for (const [name, size, word] of [
		["corner", 3, 0],
		["life", 4, 3],
		["place", 4, 7],
		["looks", 4, 11],
		["pace", 4, 15],
	] as const) {
		const location = gl.getAttribLocation(program, name);
		gl.enableVertexAttribArray(location);
		gl.vertexAttribPointer(location, size, gl.FLOAT, false, VERTEX * 4, word * 4);
	}
	const place = placeOf(shot);
	// Floats are there in all shots that have any.
	const hand = { handX: 0.6, handY: 0.8, hand: 1 };
	const picture = { ...createPicture(), leanX: 0.3, leanY: -0.6, ...hand };
	const clip = (zone: number) => {
		const [x = 0, y = 0, across = 0, high = 0] = Array.from(place.zones).slice(zone * 4);
		const middle = [((x + across / 2) * 2) / width - 1, 1 - ((y + high / 2) * 2) / height];
		return across > 0 ? [...middle, across / width, high / height] : [99, 99, 0, 0];
	};
	const ratio = [2 / width, 2 / height, time - quads.epoch, 0];
	const saluted = createSaluted();
	writeSaluted(saluted, simulation, time);
	const [faded = 0, ...bursts] = saluted;
	const hands = [picture.handX, -picture.handY, picture.hand];
	const there = [picture.clarity, 0, ...hands, faded, ...bursts.slice(0, 2)];
	const frame = [...ratio, picture.leanX, picture.leanY, 0, 2 * RADIUS, ...there];
	gl.uniformMatrix4fv(gl.getUniformLocation(program, "frame"), false, frame);
	const zones = [clip(0), clip(1), clip(2), clip(3)].flat();
	gl.uniformMatrix4fv(gl.getUniformLocation(program, "zones"), false, zones);
	const bands = [...place.bands, ...clip(4), ...clip(5), ...bursts.slice(2)];
	gl.uniformMatrix4fv(gl.getUniformLocation(program, "bands"), false, bands);
	const count = quads.vertices.length / VERTEX;
	const feedback = gl.createBuffer();
	gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, feedback);
	gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, count * 16, gl.STATIC_READ);
	gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, feedback);
	gl.enable(gl.RASTERIZER_DISCARD);
	gl.beginTransformFeedback(gl.POINTS);
	gl.drawArrays(gl.POINTS, 0, count);
	gl.endTransformFeedback();
	const results = new Float32Array(count * 4);
	gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, results);

	const seen = new Float64Array(SEEN.length);
	let px = 0;
	let particles = 0;
	let lights = 0;
	let ghosts = 0;

	/** Px from the middle of a quad to a place. */
	function middleError(vertex: number, x: number, y: number): number {
		let middleX = 0;
		let middleY = 0;
		for (let corner = 0; corner < 4; corner++) {
			middleX += ((results[(vertex + corner) * 4]! + 1) * width) / 8;
			middleY += ((1 - results[(vertex + corner) * 4 + 1]!) * height) / 8;
		}
		return Math.hypot(middleX - x, middleY - y);
	}

	/** What is too dark or behind words has all corners in one point out of sight. */
	const isGone = (quad: number) => results[quad * 16]! === 2 && results[quad * 16 + 1]! === 2;

	/** Px by which a particle's lights are not half-way from where it was to where it is. */
	function lightError(slot: number, x: number, y: number): number {
		const birth = simulation.records.ints[slot * STRIDE + FIELD.birth]!;
		let error = 0;
		for (let quad = quads.starts[slot]!; quad < quads.starts[slot + 1]! - 1; quad++) {
			const lag = quads.vertices[quad * 4 * VERTEX + 2]!;
			if (isGone(quad)) continue;
			const before = lag < 0 ? birth : Math.max(birth, time - lag);
			writeSeen(seen, simulation, slot, before, picture, place);
			const [thenX, thenY] = [seen[SEEN.x]!, seen[SEEN.y]!];
			const [nowX, nowY] = lag < 0 ? [thenX, thenY] : [x, y];
			error = Math.max(error, middleError(quad * 4, (thenX + nowX) / 2, (thenY + nowY) / 2));
			lights++;
		}
		return error;
	}

	for (let slot = 0; slot < simulation.slots; slot++) {
		if (!isAlive(simulation.records, slot, time)) continue;
		writeSeen(seen, simulation, slot, time, picture, place);
		const [x, y, size, turn] = [
			...[seen[SEEN.x]!, seen[SEEN.y]!, seen[SEEN.size]!, seen[SEEN.turn]!],
		] as const;
		// The particle's own quad is the last of its slot: its lights come before it.
		const quad = quads.starts[slot + 1]! - 1;
		const vertex = quad * 4;
		const angle = turn * 2 * Math.PI;
		const quiet = quietAt(place.zones, x, y, reachOf(size, angle));
		const shade = seen[SEEN.opacity]! * quiet;
		if (shade === 0 ? !isGone(quad) : shade > 0.01 && isGone(quad)) ghosts++;
		if (shade === 0 || isGone(quad)) continue;
		particles++;
		px = Math.max(px, middleError(vertex, x, y));
		// The lower left corner turns with the pose. The quad ends 2.5 px outside of the glyph, or with
		// its cell, as it does where it has a shadow.
		const cell = size / 0.78;
		const corner = angle + (5 / 4) * Math.PI;
		const cornerX = ((results[vertex * 4]! + 1) * width) / 2;
		const cornerY = ((1 - results[vertex * 4 + 1]!) * height) / 2;
		const cornerErrors = [Math.min(size + 5, cell), cell].map((edge) => {
			const reach = edge * (QUIET.least + (1 - QUIET.least) * quiet) * Math.SQRT1_2;
			return Math.hypot(
				cornerX - (x + reach * Math.cos(corner)),
				cornerY - (y - reach * Math.sin(corner)),
			);
		});
		px = Math.max(px, Math.min(...cornerErrors), lightError(slot, x, y));
	}
	return { px, particles, lights, ghosts };
}

/** What regl compiles for our commands on this browser's own WebGL, by its version. */
export function recordedProcedures(version: "webgl" | "webgl2"): Record<string, string> {
	const recorded = {} as Record<string, string>;
	Object.assign(globalThis, { reglProcedures: recorded });
	const gl = document.createElement("canvas").getContext(version) as WebGLRenderingContext;
	createCommands(gl, {
		vertices: new Float32Array(1),
		triangles: new Uint16Array(3),
		colours: LOOKS.colours,
	});
	return recorded;
}

/** What 600 frames ask of WebGL, after a warm-up of 60: without the uploads of births. */
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
				// An upload binds its buffer first.
				if (name === "bufferSubData") uploads += 2;
			}
			return method.apply(gl, values);
		};
	}
	let mostCalls = 0;
	for (let frame = 0; frame < 660; frame++) {
		// Ten seconds and one: births on the way upload what they write.
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

/** How often emoji have been painted and uploaded after a frame at each tick. */
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

/** What a renderer makes on the GPU while it draws one moment, and what of it is left at its end. */
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
