/** Compares GPU sprite positions, read back by transform feedback, with seen.ts. */
import { createFloatSpacing, updateFloatSpacing } from "../../../../engine/render/apart.ts";
import { writeWordBands } from "../../../../engine/render/bands.ts";
import { aimCamera, createCamera } from "../../../../engine/render/camera.ts";
import { trailStartTick } from "../../../../engine/render/fireworks/fireworks.ts";
import { isVisibleAt } from "../../../../engine/render/fireworks/late.ts";
import { TRAIL_LAG_TICKS } from "../../../../engine/render/fireworks/lights.ts";
import { writeSaluteProgress } from "../../../../engine/render/fireworks/salute.ts";
import { createQuads, VERTEX_LENGTH, writeBirths } from "../../../../engine/render/gl/quads.ts";
import { isBehindSphere } from "../../../../engine/render/orbits.ts";
import { createPlace, SPRITE, setPlace } from "../../../../engine/render/place.ts";
import {
	halfBoxEdge,
	opacityNearWords,
	QUIET,
	SPRITE_EDGE,
	visibilityNearWords,
} from "../../../../engine/render/quiet.ts";
import { createPicture, type Picture } from "../../../../engine/render/renderer.ts";
import { writeVisiblePose } from "../../../../engine/render/seen.ts";
import { FIELD, STRIDE } from "../../../../engine/simulation/index.ts";
import { simulationAt } from "../../render/sprites.ts";
import { openRenderer, type Shot } from "./shot.ts";

/** Numbers per vertex that the shader writes: `gl_Position` and `v_disc`. */
const RESULT_LENGTH = 6;

/** Returns each vertex of the sprites, as the shipped renderer draws them. */
function drawSprites(shot: Shot, picture: Picture, vertices: number): Float32Array {
	const positions = new Float32Array(vertices * RESULT_LENGTH);
	let draws = 0;
	const { renderer } = openRenderer(shot, (gl) => {
		const linkProgram = gl.linkProgram.bind(gl);
		gl.linkProgram = (program) => {
			const shaders = gl.getAttachedShaders(program) ?? [];
			if (shaders.some((shader) => gl.getShaderSource(shader)?.includes("v_disc"))) {
				const names = ["gl_Position", "v_disc"];
				gl.transformFeedbackVaryings(program, names, gl.INTERLEAVED_ATTRIBS);
			}
			linkProgram(program);
		};
		gl.drawElements = () => {
			// The first call draws sky and sphere.
			if (draws++ === 0) return;
			gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
			gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, positions.byteLength, gl.STATIC_READ);
			gl.enable(gl.RASTERIZER_DISCARD);
			gl.beginTransformFeedback(gl.POINTS);
			gl.drawArrays(gl.POINTS, 0, vertices);
			gl.endTransformFeedback();
			gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, positions);
		};
		return gl;
	});
	renderer.draw(picture);
	renderer.destroy();
	return positions;
}

/**
 * Compares sprites from the GPU and from seen.ts: `px` is the largest distance of centers and
 * corners, `ghosts` counts sprites that only one of the two shows, or places behind the sphere.
 */
export function poseError(shot: Shot): {
	px: number;
	particles: number;
	lights: number;
	ghosts: number;
} {
	const { width, height } = shot;
	const simulation = simulationAt(shot.seed, shot.scene, shot.tick);
	const quads = createQuads(simulation);
	writeBirths(quads, () => {});
	const time = shot.tick + 0.375;
	// In every shot with floating emoji, some are near this pointer.
	const pointed = { pointerX: 0.6, pointerY: 0.8, pointer: 1 };
	const night = shot.scene === "fireworks" ? 1 : 0;
	const moved = { parallaxX: 0.3, parallaxY: -0.6, ...pointed, clarity: 0.9 };
	const picture = { ...createPicture(), time, night, sunken: night, ...moved };
	const results = drawSprites(shot, picture, quads.vertices.length / VERTEX_LENGTH);
	const apart = createFloatSpacing(simulation);
	const camera = { ...createCamera(), width, height };
	const place = { ...createPlace(apart), zones: shot.quietZone ?? [] };
	aimCamera(camera, picture);
	writeWordBands(place.bands, place.zones, width, height);
	setPlace(place, camera, picture);
	updateFloatSpacing(apart, simulation, picture, place);
	writeSaluteProgress(place.saluted, simulation, picture);
	const seen = new Float64Array(SPRITE.length);
	let px = 0;
	let particles = 0;
	let lights = 0;
	let ghosts = 0;

	function middleError(vertex: number, x: number, y: number): number {
		let middleX = 0;
		let middleY = 0;
		for (let corner = 0; corner < 4; corner++) {
			const [clipX, clipY, , w] = results.subarray((vertex + corner) * RESULT_LENGTH);
			middleX += ((clipX! / w! + 1) * width) / 8;
			middleY += ((1 - clipY! / w!) * height) / 8;
		}
		return Math.hypot(middleX - x, middleY - y);
	}

	/** The shader collapses hidden sprites to a point off screen. */
	const isGone = (quad: number) =>
		results[quad * 4 * RESULT_LENGTH] === 2 && results[quad * 4 * RESULT_LENGTH + 1] === 2;

	/** The shader places sprites in front of the sphere at 9 radii from it. */
	const isBehind = (quad: number) => results[quad * 4 * RESULT_LENGTH + 4] !== 9;

	/**
	 * Error in px of a light's center, which is midway between its ends. A trail ends at its
	 * particle, so its center is farther back.
	 */
	function lightError(slot: number, x: number, y: number, size: number): number {
		const birth = simulation.records.ints[slot * STRIDE + FIELD.birth]!;
		let error = 0;
		for (let quad = quads.starts[slot]!; quad < quads.starts[slot + 1]! - 1; quad++) {
			const lag = quads.vertices[quad * 4 * VERTEX_LENGTH + 2]!;
			if (isGone(quad)) continue;
			const before = lag < 0 ? birth : trailStartTick(simulation, slot, time, lag, place);
			writeVisiblePose(seen, simulation, slot, before, picture, place);
			const [thenX, thenY] = [seen[SPRITE.x]!, seen[SPRITE.y]!];
			const [nowX, nowY] = lag < 0 ? [thenX, thenY] : [x, y];
			const [pathX, pathY] = [nowX - thenX, nowY - thenY];
			const behind =
				lag > TRAIL_LAG_TICKS
					? (-quads.vertices[quad * 4 * VERTEX_LENGTH]! * size) / Math.hypot(pathX, pathY) / 2
					: 0;
			error = Math.max(
				error,
				middleError(
					quad * 4,
					(thenX + nowX) / 2 - pathX * behind,
					(thenY + nowY) / 2 - pathY * behind,
				),
			);
			lights++;
		}
		return error;
	}

	for (let slot = 0; slot < simulation.slots; slot++) {
		if (!isVisibleAt(simulation, slot, time)) continue;
		writeVisiblePose(seen, simulation, slot, time, picture, place);
		const [x, y, size, turn] = seen as unknown as [number, number, number, number];
		// A slot's last quad is its particle. The quads before it are its lights.
		const quad = quads.starts[slot + 1]! - 1;
		const vertex = quad * 4;
		const angle = turn * 2 * Math.PI;
		const quiet = visibilityNearWords(place.zones, x, y, halfBoxEdge(size, angle));
		const shade = seen[SPRITE.opacity]! * opacityNearWords(quiet);
		if (shade === 0 ? !isGone(quad) : shade > 0.01 && isGone(quad)) ghosts++;
		if (shade === 0 || isGone(quad)) continue;
		if (isBehind(quad) !== isBehindSphere(simulation.records, slot, time)) ghosts++;
		particles++;
		px = Math.max(px, middleError(vertex, x, y));
		// Compares the lower left corners. A quad has one of two sizes: sprites that cast a shadow on
		// the sphere cover their whole cell.
		const cell = size / 0.78;
		const corner = angle + (5 / 4) * Math.PI;
		const cornerX = ((results[vertex * RESULT_LENGTH]! + 1) * width) / 2;
		const cornerY = ((1 - results[vertex * RESULT_LENGTH + 1]!) * height) / 2;
		const cornerErrors = [SPRITE_EDGE * size, cell].map((edge) => {
			const reach = edge * (QUIET.least + (1 - QUIET.least) * quiet) * Math.SQRT1_2;
			return Math.hypot(
				cornerX - (x + reach * Math.cos(corner)),
				cornerY - (y - reach * Math.sin(corner)),
			);
		});
		px = Math.max(px, Math.min(...cornerErrors), lightError(slot, x, y, size));
	}
	return { px, particles, lights, ghosts };
}
