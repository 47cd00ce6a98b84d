import type { Simulation } from "../../simulation/index.ts";
import { APART, createApart, writeApart } from "../apart.ts";
import { createAtlas } from "../atlas.ts";
import { areThere, BANDS, moveBands, writeBands } from "../bands.ts";
import { ASIDE, aim, createCamera, VIEW } from "../camera.ts";
import { writeFlash } from "../fireworks/flash.ts";
import { writeSaluted } from "../fireworks/salute.ts";
import { hemisphere, RINGS } from "../hemisphere.ts";
import { HAIRLINE } from "../orbits.ts";
import { createPlace, look } from "../place.ts";
import { QUIET } from "../quiet.ts";
import type { Renderer } from "../renderer.ts";
import { createSkyGrid, SKY_CELLS } from "../sky.ts";
import type { Theme } from "../theme.ts";
import { createCommands, type Gl } from "./commands.ts";
import { FRAME } from "./frame.ts";
import {
	createQuads,
	lineTriangles,
	orderFloats,
	type Quads,
	quadsToDraw,
	quadTriangles,
	VERTEX,
	writeAsides,
	writeBirths,
} from "./quads.ts";

/**
 * Two draw calls a frame, from a buffer that is only written at births.
 *
 * regl binds whatever differs from the last command, so nothing differs: quads and sphere share an
 * element and a vertex buffer, with the sphere's positions in place of the quads' corners, and each
 * command has one uniform for all per-frame values. Only quads need blending, set by hand: left on,
 * a frame takes software GL an eighth longer. That makes 8 GL calls a frame instead of 24. One
 * program for both would make it 5, but a frame takes a fifth longer (both measured), because it
 * executes both sides of a branch. The sky covers the last frame.
 * @param gl without alpha, antialiasing and depth; WebGL 1 or 2
 * @param software the CPU does the GPU's work
 * @throws Error if a shader does not compile or the build does not know a command
 */
export function createGlRenderer(
	gl: Gl,
	simulation: Simulation,
	theme: Theme,
	software = true,
): Renderer {
	const grainyFrom = software ? GRAINY.software : GRAINY.gpu;
	const camera = createCamera();
	const quads = createQuads(simulation);
	const { numbers, triangles, coarse, fine } = createGeometry(quads);
	const { regl, vertices, asides, elements, drawSphere, drawGrainySphere, drawSprites } =
		createCommands(gl, {
			vertices: numbers,
			asides: quads.asides,
			triangles,
			colors: theme.colors,
		});

	const sphere = { view: camera.sphere, offset: 0, count: 0 };
	let part = fine;
	const frame = new Float32Array(FRAME.length);
	const sprites = {
		frame,
		zones: new Float32Array(16),
		bands: new Float32Array(16),
		offset: 0,
		count: 0,
	};
	/** The target that `sprites.bands` eases toward. Also holds the quiet zones that do not fit into `zones`. */
	const wantedBands = new Float32Array(16);
	const drawn = new Float64Array([Number.NEGATIVE_INFINITY]);
	const range = new Int32Array(2);
	const apart = createApart(simulation);
	const place = createPlace(apart);
	const upload = (from: number, to: number) =>
		vertices.subdata(quads.vertices.subarray(from, to), from * 4);
	const uploadAsides = (of: Float32Array) => asides.subdata(of);
	let pixelRatio = 0;
	let drawCalls = 0;
	let rectangles: ArrayLike<number> = [];
	/** 0 before it is painted. */
	let painted = 0;

	/** Writes clip units: center, then half size. */
	function placeQuietZone(): void {
		writeBands(wantedBands, rectangles, camera.width, camera.height);
		sprites.zones = new Float32Array(16);
		for (let i = 0; i < QUIET.rectangles; i++) {
			const [x = 0, y = 0, width = 0, height = 0] = Array.from(rectangles).slice(i * 4, i * 4 + 4);
			const [columns, column] = i < 4 ? [sprites.zones, i] : [wantedBands, i - 3];
			columns.set(
				width > 0
					? [
							((x + width / 2) * 2) / camera.width - 1,
							1 - ((y + height / 2) * 2) / camera.height,
							width / camera.width,
							height / camera.height,
						]
					: FAR_AWAY,
				column * 4,
			);
		}
		// Everything except the bands themselves, which ease, takes effect at once.
		const bands = sprites.bands.subarray(0, BANDS.length);
		sprites.bands = Float32Array.of(...bands, ...wantedBands.subarray(BANDS.length));
	}

	/**
	 * Waits for sprites, because a run's first picture has none. Repaints in more detail if emoji
	 * would be upscaled.
	 */
	function paintAtlas(detail: number): void {
		painted = detail;
		gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
		gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, createAtlas(theme, detail));
		gl.generateMipmap(gl.TEXTURE_2D);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_NEAREST);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
		gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
	}

	// Draws nothing, but binds the atlas.
	drawSprites(sprites);

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
			const lined = ratio >= HAIRLINE.fromRatio && width > height && height > ASIDE.mostHeight;
			elements.subdata(lineTriangles(quads, lined), quads.order.lines * 12);
			part = ratio > FEW_PIXELS ? fine : coarse;
			sphere.offset = part.offset;
			sphere.count = part.count;
			frame[FRAME.clipX] = 2 / width;
			frame[FRAME.clipY] = 2 / height;
			placeQuietZone();
			// Sets all other state, too, unless the build has trimmed it.
			regl.poll();
			gl.disable(gl.DEPTH_TEST);
			gl.enable(gl.CULL_FACE);
			gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		},
		setQuietZone(zone) {
			rectangles = zone;
			placeQuietZone();
		},
		draw(picture) {
			if (writeBirths(quads, upload)) elements.subdata(orderFloats(quads), quads.order.from * 12);
			aim(camera, picture);
			writeSaluted(place.saluted, simulation, picture);
			writeFlash(camera, simulation, picture, place.saluted[0]);
			gl.disable(gl.BLEND);
			(pixelRatio < grainyFrom ? drawSphere : drawGrainySphere)(sphere);
			quadsToDraw(quads, range);
			sprites.offset = range[0] * 6;
			sprites.count = (range[1] - range[0]) * 6;
			// A time passed on would be boxed.
			if (!areThere(sprites.bands, wantedBands)) {
				sprites.bands = moveBands(sprites.bands, wantedBands, picture.time - drawn[0]);
			}
			place.bands = sprites.bands;
			look(place, camera);
			if (writeApart(apart, simulation, picture, place)) {
				writeAsides(quads, apart, uploadAsides);
			}
			frame[FRAME.aside] = (picture.time - APART.from) / APART.every - apart.second;
			frame[FRAME.salute] = place.saluted[0];
			drawn[0] = picture.time;
			frame[FRAME.time] = picture.time - quads.epoch;
			frame[FRAME.night] = picture.night;
			frame[FRAME.leanX] = picture.leanX;
			frame[FRAME.leanY] = -picture.leanY;
			frame[FRAME.sphereX] = camera.sphere[VIEW.middleX];
			frame[FRAME.sphereY] = camera.sphere[VIEW.middleY];
			frame[FRAME.radius] = camera.sphere[VIEW.radiusY];
			frame[FRAME.clarity] = picture.clarity;
			frame[FRAME.sunken] = picture.sunken;
			frame[FRAME.pointerX] = picture.pointerX;
			frame[FRAME.pointerY] = -picture.pointerY;
			frame[FRAME.push] = picture.pointer;
			gl.enable(gl.BLEND);
			const some = sprites.count > 0;
			const detail = software || pixelRatio < FINE_FROM || camera.width < FINE_WIDTH ? 1 : 2;
			if (some && painted < detail) paintAtlas(detail);
			if (some) drawSprites(sprites);
			drawCalls = some ? 2 : 1;
		},
		destroy() {
			regl.destroy();
		},
	};
}

/** Out of reach: the picture ends at 1. */
const FAR_AWAY = [99, 99, 0, 0];

/** Device pixels per CSS px up to which the coarse sphere suffices. */
const FEW_PIXELS = 0.5;

/**
 * Device pixels per CSS px at which grain is affordable: it costs a GPU nothing, and a CPU 8 ms at
 * 1440 x 900 (measured).
 */
const GRAINY = { software: 1.5, gpu: 1 };

/**
 * Device pixels per CSS px, and window width: the largest emoji are 120 CSS px, on phones 0.18 of
 * the width, and the atlas has 160 px each.
 */
const FINE_FROM = 1.4;
const FINE_WIDTH = 640;

interface Part {
	offset: number;
	count: number;
}

interface Geometry {
	/** Vertices of quads, then of the sky and of both spheres. */
	numbers: Float32Array;
	/** Indices of quads, then of the sky with each sphere. */
	triangles: Uint16Array;
	coarse: Part;
	fine: Part;
}

function createGeometry(quads: Quads): Geometry {
	const triangles = quadTriangles(quads);
	const positions: number[] = [];
	const firstPoint = quads.vertices.length / VERTEX;
	function addMesh(mesh: { positions: number[]; triangles: number[] }): void {
		const first = firstPoint + positions.length / 3;
		triangles.push(...mesh.triangles.map((vertex) => first + vertex));
		positions.push(...mesh.positions);
	}
	function addPart(of: "coarse" | "fine"): Part {
		const offset = triangles.length;
		addMesh(createSkyGrid(SKY_CELLS[of]));
		addMesh(hemisphere(RINGS[of]));
		return { offset, count: triangles.length - offset };
	}
	const [coarse, fine] = [addPart("coarse"), addPart("fine")];
	const numbers = new Float32Array(quads.vertices.length + (positions.length / 3) * VERTEX);
	numbers.set(quads.vertices);
	for (let point = 0; point * 3 < positions.length; point++) {
		const position = positions.slice(point * 3, point * 3 + 3);
		numbers.set(position, (firstPoint + point) * VERTEX);
	}
	return { numbers, triangles: new Uint16Array(triangles), coarse, fine };
}
