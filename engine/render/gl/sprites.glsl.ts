import {
	DRIFT,
	KIND,
	LEAN,
	ROCKET_DRAG,
	SPARK_DRAG,
	SPARK_GRAVITY,
	SPARK_SHRINK,
} from "../../simulation/index.ts";
import { ATLAS } from "../atlas.ts";
import { DEPTH, inDepth } from "../depth.ts";
import { GROWTH, SHINE } from "../lights.ts";
import { CLARITY, EDGE_PX, QUIET } from "../renderer.ts";

/** A number as GLSL writes it: always with a point. */
function float(value: number): string {
	const text = value.toString();
	return /[.e]/.test(text) ? text : `${text}.0`;
}

/** GLSL of a brightness that falls with `age`. */
const falling = ({ first, last, half }: { first: number; last: number; half: number }) =>
	`${float(last)} + ${float(first - last)} * exp2(age * ${float(-1 / half)})`;

/**
 * All sprites in one draw call. The pose is the closed form of motion.ts, computed from the
 * particle's record, so that only births are sent to the GPU.
 *
 * | attribute | from the record |
 * | --- | --- |
 * | `corner` | corner of the quad, 1 or a light's radius both ways; a light's lag: see lights.ts |
 * | `life` | birth, death (ticks since the epoch), kind, emoji or the light's cell |
 * | `place` | x, y, velocity x, velocity y |
 * | `looks` | size, turn, spin, sway |
 * | `pace` | sway rate, sway phase, fade-in, fade-out |
 *
 * `frame` holds everything that changes from frame to frame, in one uniform. Its first column is clip
 * units per CSS px both ways, the time in ticks since the epoch, and the night plus twice the clarity
 * in steps of `CLARITY.steps`. Its second column is the pointer's lean (see renderer.ts), and the height
 * of the sphere's middle and its radius, both in clip units. Its last two columns and those of `zones`, which is sent only when they change, are quiet
 * zones: middle and half size in clip units.
 */
export const spritesVertex = /* glsl */ `
precision highp float;

attribute vec3 corner;
attribute vec4 life;
attribute vec4 place;
attribute vec4 looks;
attribute vec4 pace;
uniform mat4 frame;
uniform mat4 zones;
varying vec2 cell;
varying vec4 shade;
varying vec2 disc;

const float TURN = 6.283185307179586;

float travel(float age, float log2Keep, float reach) {
	return (1.0 - exp2(age * log2Keep)) * reach;
}

// The way of a rocket or a spark, in clip units. 'span' is that of a span.
vec2 flown(float age, vec2 span) {
	if (life.z < ${float(KIND.rocket + 0.5)}) return place.zw * travel(age, ${float(ROCKET_DRAG.log2)}, ${float(ROCKET_DRAG.reach)});
	float way = travel(age, ${float(SPARK_DRAG.log2)}, ${float(SPARK_DRAG.reach)});
	return (place.zw * way - vec2(0.0, ${float(SPARK_GRAVITY * SPARK_DRAG.reach)} * (age - way))) * span;
}

// Px to a quiet zone from what reaches so many px both ways.
float away(vec4 zone, vec2 at, float reach) {
	return length(max((abs(at - zone.xy) - zone.zw) / frame[0].xy - reach, 0.0));
}

float room(vec2 at, float reach) {
	return min(
		min(
			min(away(zones[0], at, reach), away(zones[1], at, reach)),
			min(away(zones[2], at, reach), away(zones[3], at, reach))
		),
		min(away(frame[2], at, reach), away(frame[3], at, reach))
	);
}

float quiet(vec2 at, float reach) {
	return smoothstep(0.0, ${float(QUIET.fade)}, room(at, reach));
}

void main() {
	float lag = corner.z;
	float age = frame[0].z - life.x;
	float left = life.y - frame[0].z;
	float opacity = smoothstep(0.0, pace.z, age) * smoothstep(0.0, pace.w, left);
	float clarity = floor(0.5 * frame[0].w);
	float night = frame[0].w - 2.0 * clarity;
	float heat = 0.0;
	float near = 0.0;

	// A span is half of sqrt(width * height) px.
	float spanPx = inversesqrt(frame[0].x * frame[0].y);
	vec2 span = spanPx * frame[0].xy;
	vec2 middle = place.xy;
	float size = looks.x;
	float turn = looks.y;
	if (${inDepth("life.z")}) {
		float wave = TURN * fract(pace.y + pace.x * age);
		middle += place.zw * age;
		middle.x += looks.w * sin(wave) * span.x;
		turn += looks.z * age - ${float(LEAN)} * looks.w * cos(wave);
		near = (size - ${float(DRIFT.size[0])}) * ${float(1 / (DRIFT.size[1] - DRIFT.size[0]))};
		middle += vec2(-frame[1].x, frame[1].y) * frame[0].xy * mix(${float(DEPTH.parallax.far)}, ${float(DEPTH.parallax.near)}, near);
		opacity *= mix(${float(DEPTH.pale)}, 1.0, near) * clarity * ${float(1 / CLARITY.steps)};
	} else {
		middle += flown(age, span);
		size *= ${float(GROWTH.least)} + ${float(GROWTH.perPx)} * spanPx;
		if (life.z > ${float(KIND.spark - 0.5)}) {
			turn += looks.z * travel(age, ${float(SPARK_DRAG.log2)}, ${float(SPARK_DRAG.reach)});
			size *= 1.0 - ${float(SPARK_SHRINK)} * (1.0 - opacity);
			heat = night * (${falling(SHINE.heat)});
		}
	}

	vec2 side = sign(corner.xy);
	vec2 edge = 0.5 * side;
	vec2 px;
	if (lag == 0.0) {
		float angle = TURN * fract(turn);
		float c = cos(angle);
		float s = sin(angle);
		float seen = quiet(middle, 0.5 * (abs(c) + abs(s)) * (size + ${float(EDGE_PX)}));
		opacity *= seen;
		shade = vec4(vec3(opacity * (1.0 + heat)), opacity);
		// The quad covers the glyph and its soft edge, not the whole cell: fewer pixels to blend.
		edge *= min(1.0 + ${float(EDGE_PX)} / size, ${float(1 / ATLAS.glyphShare)});
		px = mat2(c, s, -s, c) * edge * size * mix(${float(QUIET.least)}, 1.0, seen);
	} else {
		float end = 1.0;
		if (lag < 0.0) {
			// A flash is as large as the words leave room for.
			middle = place.xy;
			opacity *= ${falling(SHINE.flash)};
			px = side * min(abs(corner.x) * spanPx, room(middle, 0.0));
		} else {
			vec2 path = (flown(age, span) - flown(max(age - lag, 0.0), span)) / frame[0].xy;
			float stretch = 0.5 * length(path);
			vec2 along = stretch > 0.01 ? 0.5 * path / stretch : vec2(0.0, 1.0);
			float reach = stretch + abs(corner.x) * size;
			middle -= 0.5 * path * frame[0].xy;
			opacity *= life.z < ${float(KIND.rocket + 0.5)} ? ${float(SHINE.rocket)} : ${falling(SHINE.spark)};
			opacity *= quiet(middle, reach);
			if (side.y < 0.0) end = mix(1.0, ${float(SHINE.tail)}, stretch / reach);
			px = along * side.y * reach + vec2(along.y, -along.x) * corner.x * size * end;
		}
		opacity *= mix(${float(SHINE.byDay)}, 1.0, night);
		if (opacity < ${float(SHINE.least)}) opacity = 0.0;
		shade = vec4(vec3(opacity * end), 0.0);
	}
	// Not by mod: some GPUs divide by a reciprocal, and find the last column in a row of five to be the fifth.
	float row = floor((life.w + 0.5) / ${float(ATLAS.columns)});
	cell = (vec2(life.w - ${float(ATLAS.columns)} * row, row) + 0.5 + ${float(ATLAS.glyphShare)} * edge * vec2(1.0, -1.0)) / ${float(ATLAS.columns)};
	// What is not alive is drawn out of sight, with all corners in one point.
	bool gone = age < 0.0 || left <= 0.0 || opacity <= 0.0;
	gl_Position = gone ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(middle + px * frame[0].xy, 0.0, 1.0);
	// In radii from the middle of the sphere; what is in front of it is far from it.
	disc = near < ${float(DEPTH.behind)} ? (gl_Position.xy - vec2(0.0, frame[1].z)) / (frame[1].w * span / span.y) : vec2(9.0);
}`;

export const spritesFragment = /* glsl */ `
precision mediump float;

uniform sampler2D atlas;
varying vec2 cell;
varying vec4 shade;
varying vec2 disc;

void main() {
	// The larger of two sizes of the atlas: a glyph is never scaled up, and its edges stay sharp. Light
	// has no opacity: it adds to what is behind it.
	float seen = clamp((dot(disc, disc) - ${float(DEPTH.rim[0] ** 2)}) * ${float(1 / (DEPTH.rim[1] ** 2 - DEPTH.rim[0] ** 2))}, 0.0, 1.0);
	gl_FragColor = texture2D(atlas, cell, -0.5) * shade * seen;
}`;
