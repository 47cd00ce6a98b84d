import type { Simulation } from "../../simulation/index.ts";
import { createFloatSpacing, updateFloatSpacing } from "../apart.ts";
import { areEqualBands, easeBands, WORD_BANDS, writeWordBands } from "../bands.ts";
import { aimCamera, createCamera, SPHERE_ASIDE } from "../camera.ts";
import { writeRimLight } from "../fireworks/flash.ts";
import { writeSaluteProgress } from "../fireworks/salute.ts";
import { ORBIT_LINE } from "../orbits.ts";
import { createPlace, setPlace } from "../place.ts";
import { QUIET } from "../quiet.ts";
import type { Picture, Renderer } from "../renderer.ts";
import type { Theme } from "../theme.ts";
import { createAtlasPainter } from "./atlas-painter.ts";
import { quietZonesInClip, writeSphereUniforms, writeSpriteUniforms } from "./blocks.ts";
import { createDrawCommands, type Gl } from "./commands.ts";
import * as FRAME from "./frame-fields.ts";
import { createGeometry } from "./geometry.ts";
import {
	createQuads,
	orbitLineTriangles,
	sortFloatTriangles,
	writeBirths,
	writeDrawRange,
	writeFloatOffsets,
} from "./quads.ts";
import * as SPHERE from "./sphere-fields.ts";

/**
 * Draws a frame with two draw calls, 8 GL calls in all. Both commands share their buffers, so that
 * regl does not bind them again. One shader program for both would save 3 GL calls, but slow a frame
 * by a fifth (measured).
 * @param gl without alpha, antialiasing and depth; WebGL 1 or 2
 * @param software whether WebGL runs on the CPU
 * @throws Error if a shader does not compile or the build has not compiled a command
 */
export function createGlRenderer(
	gl: Gl,
	simulation: Simulation,
	theme: Theme,
	software = true,
): Renderer {
	const grainyFrom = software ? GRAINY.software : GRAINY.gpu;
	const camera = createCamera();
	const apart = createFloatSpacing(simulation);
	const place = createPlace(apart);
	const quads = createQuads(simulation);
	const geometry = createGeometry(quads);
	const inputs = { ...geometry, floatOffsets: quads.floatOffsets, colors: theme.colors };
	const { regl, vertices, floatOffsets, elements, drawSphere, drawGrainySphere, drawSprites } =
		createDrawCommands(gl, inputs);
	const paintAtlas = createAtlasPainter(gl, theme, software);
	const sphere = { block: new Float32Array(SPHERE.length), offset: 0, count: 0 };
	const sprites = {
		block: new Float32Array(FRAME.length),
		zones: new Float32Array(4 * QUIET.rectangles),
		offset: 0,
		count: 0,
	};
	const upload = (from: number, to: number) =>
		vertices.subdata(quads.vertices.subarray(from, to), from * 4);
	const uploadFloatOffsets = (of: Float32Array) => floatOffsets.subdata(of);
	const wantedBands = new Float32Array(WORD_BANDS.length);
	const latest = new Float64Array([Number.NEGATIVE_INFINITY]);
	const range = new Int32Array(2);
	let pixelRatio = 0;
	let drawCalls = 0;

	function placeQuietZone(): void {
		writeWordBands(wantedBands, place.zones, camera.width, camera.height);
		sprites.zones = quietZonesInClip(place.zones, camera);
	}

	/** Fits floats to words and to each other. */
	function settle(picture: Readonly<Picture>): void {
		// Not moved to a function: V8 would box the time as an argument.
		if (!areEqualBands(place.bands, wantedBands)) {
			place.bands = easeBands(place.bands, wantedBands, picture.time - latest[0]);
		}
		latest[0] = picture.time;
		setPlace(place, camera, picture);
		if (updateFloatSpacing(apart, simulation, picture, place))
			writeFloatOffsets(quads, apart, uploadFloatOffsets);
	}

	/** Sky and sphere cover every pixel, so this needs no clear and no blending. */
	function drawBackground(picture: Readonly<Picture>): void {
		writeSphereUniforms(sphere.block, camera, picture);
		writeRimLight(sphere.block, camera, simulation, picture, place.saluted[0]);
		gl.disable(gl.BLEND);
		(pixelRatio < grainyFrom ? drawSphere : drawGrainySphere)(sphere);
	}

	function drawParticles(picture: Readonly<Picture>): void {
		writeDrawRange(quads, range);
		sprites.offset = range[0] * 6;
		sprites.count = (range[1] - range[0]) * 6;
		writeSpriteUniforms(sprites.block, camera, picture, place, quads);
		gl.enable(gl.BLEND);
		drawCalls = 1;
		if (sprites.count === 0) return;
		paintAtlas(camera, pixelRatio);
		drawSprites(sprites);
		drawCalls = 2;
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
			const lined =
				ratio >= ORBIT_LINE.fromRatio && width > height && height > SPHERE_ASIDE.mostHeight;
			elements.subdata(orbitLineTriangles(quads, lined), quads.order.lines * 12);
			Object.assign(sphere, ratio > FEW_PIXELS ? geometry.fine : geometry.coarse);
			placeQuietZone();
			// Sets the viewport only: the build leaves out the rest of regl's state.
			regl.poll();
			gl.disable(gl.DEPTH_TEST);
			gl.enable(gl.CULL_FACE);
			gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
		},
		setQuietZone(rectangles) {
			place.zones = rectangles;
			placeQuietZone();
		},
		draw(picture) {
			if (writeBirths(quads, upload))
				elements.subdata(sortFloatTriangles(quads), quads.order.from * 12);
			aimCamera(camera, picture);
			writeSaluteProgress(place.saluted, simulation, picture);
			settle(picture);
			drawBackground(picture);
			drawParticles(picture);
		},
		destroy() {
			regl.destroy();
		},
	};
}

/** Up to this many device pixels per CSS px, the coarse mesh looks like the fine one. */
const FEW_PIXELS = 0.5;

/** Minimum device pixels per CSS px for grain, which costs 8 ms a frame in software GL (measured). */
const GRAINY = { software: 1.5, gpu: 1 };
