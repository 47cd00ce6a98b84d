import type { Simulation } from "../simulation/index.ts";
import { createAtlas } from "./atlas.ts";
import { aim, createCamera } from "./camera.ts";
import { createCommands, type Gl } from "./commands.ts";
import { hemisphere } from "./hemisphere.ts";
import type { Looks } from "./looks.ts";
import {
	createQuads,
	type Quads,
	quadsToDraw,
	quadTriangles,
	VERTEX,
	writeBirths,
} from "./quads.ts";
import { QUIET, type Renderer } from "./renderer.ts";
import { createSkyGrid } from "./sky.ts";

/**
 * Draws with WebGL: two draw calls a frame, from a buffer that only births are written to.
 *
 * regl binds what differs from the last command, so nothing differs. Quads and sphere share one
 * element buffer and one vertex buffer, in which the sphere's positions lie where quads have their
 * corners. Each command has one uniform for all that changes. Only quads need blending, which is
 * set by hand. That makes 9 GL calls a frame instead of 24. The sky covers what the last frame left
 * on the canvas.
 * @param gl made without alpha, antialiasing and depth; WebGL 1 or 2
 * @throws Error when a shader does not compile or a compiled procedure is missing
 */
export function createGlRenderer(gl: Gl, simulation: Simulation, looks?: Looks): Renderer {
	const camera = createCamera();
	const quads = createQuads(simulation);
	const { numbers, triangles, mesh } = createGeometry(quads);
	const supplies = {
		vertices: numbers,
		triangles,
		atlas: createAtlas(looks),
		colours: looks?.colours,
	};
	const { regl, vertices, drawSphere, drawSprites } = createCommands(gl, supplies);

	const sphere = { view: camera.sphere, ...mesh };
	const frame = new Float32Array(16);
	const sprites = { frame, offset: 0, count: 0 };
	const range = new Int32Array(2);
	const upload = (from: number, to: number) =>
		vertices.subdata(quads.vertices.subarray(from, to), from * 4);
	frame[3] = QUIET.opacity;
	let pixelRatio = 0;
	let drawCalls = 0;
	let rectangles: ArrayLike<number> = [];

	/** The rectangles in clip units: middle, then half of the size. */
	function placeQuietZone(): void {
		for (let i = 0; i < QUIET.rectangles; i++) {
			const at = 4 + i * 4;
			const [x = 0, y = 0, width = 0, height = 0] = Array.from(rectangles).slice(at - 4, at);
			frame[at] = ((x + width / 2) * 2) / camera.width - 1;
			frame[at + 1] = 1 - ((y + height / 2) * 2) / camera.height;
			frame[at + 2] = width / camera.width;
			frame[at + 3] = height / camera.height;
		}
	}

	return {
		get drawCalls() {
			return drawCalls;
		},
		resize(width, height, ratio) {
			if (width === camera.width && height === camera.height && ratio === pixelRatio) return;
			camera.width = width;
			camera.height = height;
			pixelRatio = ratio;
			gl.canvas.width = Math.max(1, Math.round(width * ratio));
			gl.canvas.height = Math.max(1, Math.round(height * ratio));
			frame[0] = 2 / width;
			frame[1] = 2 / height;
			placeQuietZone();
			// regl then reads the size of the drawing buffer, and resets the state that is set by hand.
			regl.poll();
			gl.disable(gl.DEPTH_TEST);
			gl.enable(gl.CULL_FACE);
			gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		},
		setQuietZone(zone) {
			rectangles = zone;
			placeQuietZone();
		},
		draw({ time, night }) {
			writeBirths(quads, upload);
			aim(camera, time, night);
			gl.disable(gl.BLEND);
			drawSphere(sphere);
			quadsToDraw(quads, range);
			sprites.offset = range[0] * 6;
			sprites.count = (range[1] - range[0]) * 6;
			frame[2] = time - quads.epoch;
			gl.enable(gl.BLEND);
			if (sprites.count > 0) drawSprites(sprites);
			drawCalls = sprites.count > 0 ? 2 : 1;
		},
		destroy() {
			regl.destroy();
		},
	};
}

interface Geometry {
	/** Vertices of quads, then of the sphere, then of the sky. */
	numbers: Float32Array;
	/** Corners of quads, then of the sky, then of the sphere. */
	triangles: Uint16Array;
	/** The part of `triangles` with sky and sphere. */
	mesh: { offset: number; count: number };
}

function createGeometry(quads: Quads): Geometry {
	const sphere = hemisphere();
	const sky = createSkyGrid();
	const positions = [...sphere.positions, ...sky.positions];
	const firstPoint = quads.vertices.length / VERTEX;
	const firstOfSky = firstPoint + sphere.positions.length / 3;
	const numbers = new Float32Array(quads.vertices.length + (positions.length / 3) * VERTEX);
	for (let point = 0; point * 3 < positions.length; point++) {
		const position = positions.slice(point * 3, point * 3 + 3);
		numbers.set(position, (firstPoint + point) * VERTEX);
	}
	const corners = quadTriangles(quads);
	const mesh = [
		...sky.triangles.map((vertex) => firstOfSky + vertex),
		...sphere.triangles.map((vertex) => firstPoint + vertex),
	];
	return {
		numbers,
		triangles: new Uint16Array([...corners, ...mesh]),
		mesh: { offset: corners.length, count: mesh.length },
	};
}
