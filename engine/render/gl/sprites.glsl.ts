import { FIELD, KIND, KIND_NAMES, type KindName } from "../../simulation/index.ts";
import { ATLAS } from "../atlas.ts";
import { DEPTH } from "../depth.ts";
import { QUIET, SPRITE_EDGE } from "../quiet.ts";
import { glslDefines } from "./defines.ts";
import { fireworksGlsl } from "./fireworks.glsl.ts";
import { floatsGlsl } from "./floats.glsl.ts";
import * as FRAME from "./frame-fields.ts";
import { glsl } from "./glsl.ts";
import { QUAD_FIELD } from "./quads.ts";
import { quietGlsl } from "./quiet.glsl.ts";

/** Varyings of both shaders, except `v_cell`, whose precision differs. */
const varyings = glsl`varying float v_blur; // mip levels
varying vec4 v_shade;
// Position in radii from the sphere's center, and opacity behind the sphere.
varying vec2 v_disc;
varying float v_frosted;
// The shadow's offset in the atlas, and its darkness.
varying vec2 v_shadow;
varying float v_dark;`;

const PLACE: Readonly<Record<KindName, string>> = {
	float: "placeFloat()",
	rocket: "placeRocket()",
	spark: "placeSpark()",
};

// The orbit's line has a kind below 0 and matches none of these.
const placeByKind = KIND_NAMES.map(
	(name) => glsl`if (abs(a_kind - ${KIND[name]}) < 0.5) ${PLACE[name]};`,
).join(" else ");

/**
 * All sprites in one draw call. The shader computes positions from the particles' records, so only
 * births are sent to the GPU.
 *
 * Inputs are named by the tables that write them: `a_` by `QUAD_FIELD` (quads.ts) and `FIELD`
 * (particles.ts), `u_` by `FRAME` (frame-fields.ts).
 */
export const spritesVertex = glsl`
precision highp float;

attribute vec3 corner;
attribute vec4 life;
attribute vec4 place;
attribute vec4 style;
attribute vec4 pace;
// Px that keep a float apart from others, at three control points (apart.ts).
attribute vec3 a_right;
attribute vec3 a_up;
uniform vec4 u[${String(FRAME.length / 4)}];
// Quiet zones, sent only when they change: center and half size in clip units.
uniform vec4 u_zones[${String(QUIET.rectangles)}];
varying vec2 v_cell;
${varyings}
${glslDefines("a_", ["corner"], QUAD_FIELD)}
${glslDefines("a_", ["life", "place", "style", "pace"], FIELD)}
${glslDefines("u_", "u", FRAME)}

const float TURN = 6.283185307179586;

// Ticks since birth and until death.
float age;
float left;
// Half of sqrt(width * height), in px and in clip units.
float spanPx;
vec2 span;
// The sphere's radius in clip units.
vec2 radius;

// The sprite, as in SPRITE (place.ts), in clip units with y up.
vec2 middle;
float size;
float turn;
float opacity;
float near;
bool behind;
// Center of the particle's burst, and the share of the burst's full size that fits there.
vec3 burst;

// This corner of the quad: px from the middle, place in the atlas cell, and depth.
vec2 px;
vec2 edge;
float depth;

bool isCaught() {
	return a_sway < 0.0;
}

bool isRocket() {
	return abs(a_kind - ${KIND.rocket}) < 0.5;
}

bool isLine() {
	return a_kind < 0.0;
}

// A light's radius (lights.ts).
float thickness() {
	return abs(a_cornerX);
}

// Ticks from a float's birth to its arrival.
float arrival() {
	return abs(a_cornerX) - 1.0;
}

// Whether a float rises above words that fill the width.
bool risesAboveWords() {
	return abs(a_cornerY) > 1.5;
}

// Distance to the sphere's center, in radii.
float toSphere() {
	return length((middle - u_sphere) / radius);
}

// Hides sprites near the sphere's rim, which would cut them.
float besideRim() {
	return smoothstep(${DEPTH.gone}, abs(toSphere() - 1.0));
}

// The sprite's x axis.
vec2 heading() {
	float angle = TURN * fract(turn);
	return vec2(cos(angle), sin(angle));
}

// Half the edge of the bounding box around the turned sprite, in px.
float halfBox(vec2 axis) {
	return 0.5 * size * (abs(axis.x) + abs(axis.y));
}

${quietGlsl}${floatsGlsl}${fireworksGlsl}

void drawEmoji() {
	vec2 axis = heading();
	mat2 turned = mat2(axis, -axis.y, axis.x);
	float box = halfBox(axis);
	float seen = quiet(middle, ${SPRITE_EDGE} * box);
	opacity *= smoothstep(${QUIET.pale}, seen);
	v_shade = vec4(opacity);
	if (!behind) {
		// The shadow on the sphere is the same glyph, sampled at an offset and blurred.
		v_shadow = ${ATLAS.glyphShare / ATLAS.columns} * vec2(1.0, -1.0) * (vec2(${DEPTH.shadow.aside}, ${-DEPTH.shadow.below}) * turned);
		v_dark = ${DEPTH.shadow.dark} * opacity * (1.0 - u_night) * quiet(middle, ${1 / ATLAS.glyphShare} * box)
			* (1.0 - smoothstep(${DEPTH.shadow.ends}, toSphere()));
	}
	// Without a shadow, a smaller quad suffices, and fewer pixels are blended.
	edge *= v_dark > 0.0 ? ${1 / ATLAS.glyphShare} : ${SPRITE_EDGE};
	px = turned * edge * size * mix(${QUIET.least}, 1.0, seen);
}

void main() {
	age = u_time - a_birth;
	left = a_death - u_time;
	spanPx = inversesqrt(u_clip.x * u_clip.y);
	span = spanPx * u_clip;
	radius = u_radius * span / span.y;

	middle = vec2(a_x, a_y);
	size = a_size;
	turn = a_turn;
	opacity = smoothstep(0.0, a_fadeIn, age) * smoothstep(0.0, a_fadeOut, left);
	near = 0.0;
	behind = true;
	${placeByKind}

	edge = 0.5 * sign(a_corner);
	depth = 1.0;
	v_shadow = vec2(0.0);
	v_dark = 0.0;
	if (isLine()) drawLine();
	else if (a_lag == 0.0) drawEmoji();
	else drawLight();

	// No mod: GPUs that divide by a reciprocal may return 5.0 for mod(5.0, 5.0).
	float row = floor((a_emoji + 0.5) / ${ATLAS.columns});
	vec2 cell = vec2(a_emoji - ${ATLAS.columns} * row, row);
	v_cell = (cell + 0.5 + ${ATLAS.glyphShare} * edge * vec2(1.0, -1.0)) / ${ATLAS.columns};
	float lens = near > 0.0 ? near - ${DEPTH.soft.sharp} : 0.0;
	// Half a level less selects the larger of two mip levels, which keeps edges sharp.
	v_blur = ${DEPTH.soft.lens} * lens * lens - 0.5;
	// A dead particle's corners are one point off screen.
	bool gone = !isLine() && (age < 0.0 || left <= 0.0 || opacity <= 0.0);
	middle += px * u_clip;
	gl_Position = gone ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(middle * depth, 0.0, depth);
	// Sprites in front of the sphere count as far outside it, so that it does not frost them.
	v_disc = (middle - u_sphere) / radius * depth;
	if (!behind) v_disc = isLine() ? 9.0 * v_disc : vec2(9.0);
	v_frosted = isLine() ? 0.0 : ${DEPTH.frosted} * (1.0 - u_night);
}`;

export const spritesFragment = glsl`
precision mediump float;

uniform sampler2D u_atlas;
// With 16 bits, atlas coordinates step by half a texel, which makes emoji edges jagged.
#ifdef GL_FRAGMENT_PRECISION_HIGH
varying highp vec2 v_cell;
#else
varying vec2 v_cell;
#endif
${varyings}

void main() {
	vec2 away = v_disc * gl_FragCoord.w;
	float seen = clamp((dot(away, away) - ${DEPTH.rim[0] ** 2}) * ${1 / (DEPTH.rim[1] ** 2 - DEPTH.rim[0] ** 2)}, 0.0, 1.0);
	gl_FragColor = texture2D(u_atlas, v_cell, v_blur + ${DEPTH.soft.frosted} * (1.0 - seen)) * v_shade * mix(v_frosted, 1.0, seen);
	if (v_dark > 0.0) gl_FragColor.a += (1.0 - gl_FragColor.a) * v_dark * texture2D(u_atlas, v_cell - v_shadow, ${DEPTH.shadow.soft}).a;
}`;
