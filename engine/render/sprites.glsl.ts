import {
	KIND,
	LEAN,
	ROCKET_DRAG,
	SPARK_DRAG,
	SPARK_GRAVITY,
	SPARK_SHRINK,
} from "../simulation/index.ts";
import { ATLAS } from "./atlas.ts";
import { EDGE_PX, QUIET } from "./renderer.ts";

/** A number as GLSL writes it: always with a point. */
function float(value: number): string {
	const text = value.toString();
	return /[.e]/.test(text) ? text : `${text}.0`;
}

/**
 * All sprites in one draw call. The pose is the closed form of motion.ts, computed from the
 * particle's record, so that only births are sent to the GPU.
 *
 * | attribute | from the record |
 * | --- | --- |
 * | `corner` | corner of the quad, -1 or 1 both ways; ticks by which this copy lags (a trail) |
 * | `life` | birth, death (ticks since the epoch), kind, emoji |
 * | `place` | x, y, velocity x, velocity y |
 * | `looks` | size, turn, spin, sway |
 * | `pace` | sway rate, sway phase, fade-in, fade-out |
 *
 * `frame` holds everything that changes from frame to frame, in one uniform. Its first column is clip
 * units per CSS px both ways, and the time in ticks since the epoch. Its last two columns and those of
 * `zones`, which is sent only when they change, are quiet zones: middle and half size in clip units.
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
varying float opacity;

const float TURN = 6.283185307179586;

float travel(float age, float log2Keep, float reach) {
	return (1.0 - exp2(age * log2Keep)) * reach;
}

// Px from a place to a quiet zone.
float away(vec4 zone, vec2 place) {
	return length(max(abs(place - zone.xy) - zone.zw, 0.0) / frame[0].xy);
}

void main() {
	float lag = corner.z;
	float age = frame[0].z - life.x - lag;
	float left = life.y - frame[0].z;
	opacity = smoothstep(0.0, pace.z, age) * smoothstep(0.0, pace.w, left);

	vec2 middle = place.xy;
	vec2 offset = vec2(0.0);
	float size = looks.x;
	float turn = looks.y;
	float emoji = life.w;
	if (life.z < ${float(KIND.float + 0.5)}) {
		float wave = TURN * fract(pace.y + pace.x * age);
		middle += place.zw * age;
		offset.x = looks.w * sin(wave);
		turn += looks.z * age - ${float(LEAN)} * looks.w * cos(wave);
	} else if (life.z < ${float(KIND.rocket + 0.5)}) {
		middle += place.zw * travel(age, ${float(ROCKET_DRAG.log2)}, ${float(ROCKET_DRAG.reach)});
		if (lag > 0.0) {
			emoji = ${float(ATLAS.glow)};
			float rest = 1.0 - lag / ${float(ATLAS.longestLag)};
			size *= 0.5 * rest;
			opacity *= 0.55 * rest * rest;
		}
	} else {
		float way = travel(age, ${float(SPARK_DRAG.log2)}, ${float(SPARK_DRAG.reach)});
		offset = place.zw * way;
		offset.y -= ${float(SPARK_GRAVITY * SPARK_DRAG.reach)} * (age - way);
		turn += looks.z * way;
		size *= 1.0 - ${float(SPARK_SHRINK)} * (1.0 - opacity);
	}

	// A span is half of sqrt(width * height): in clip units sqrt(height / width), and its inverse.
	float aspect = sqrt(frame[0].x / frame[0].y);
	middle += offset * vec2(aspect, 1.0 / aspect);
	float room = min(
		min(min(away(zones[0], middle), away(zones[1], middle)), min(away(zones[2], middle), away(zones[3], middle))),
		min(away(frame[2], middle), away(frame[3], middle))
	);
	opacity *= smoothstep(0.0, ${float(QUIET.fade)}, room - ${float(Math.SQRT1_2)} * (size + ${float(EDGE_PX)}));

	float angle = TURN * fract(turn);
	float c = cos(angle);
	float s = sin(angle);
	// The quad covers the glyph and its soft edge, not the whole cell: fewer pixels to blend.
	vec2 edge = 0.5 * corner.xy * min(1.0 + ${float(EDGE_PX)} / size, ${float(1 / ATLAS.glyphShare)});
	vec2 px = mat2(c, s, -s, c) * edge * size;
	cell = (vec2(mod(emoji, ${float(ATLAS.columns)}), floor((emoji + 0.5) / ${float(ATLAS.columns)})) + 0.5 + ${float(ATLAS.glyphShare)} * edge * vec2(1.0, -1.0)) / ${float(ATLAS.columns)};
	// What is not alive is drawn out of sight, with all corners in one point.
	bool gone = age < 0.0 || left <= 0.0 || opacity <= 0.0;
	gl_Position = gone ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(middle + px * frame[0].xy, 0.0, 1.0);
}`;

export const spritesFragment = /* glsl */ `
precision mediump float;

uniform sampler2D atlas;
varying vec2 cell;
varying float opacity;

void main() {
	// The larger of two sizes of the atlas: a glyph is never scaled up, and its edges stay sharp.
	gl_FragColor = texture2D(atlas, cell, -0.5) * opacity;
}`;
