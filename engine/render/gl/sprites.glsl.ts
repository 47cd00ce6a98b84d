import { DRIFT, FLIGHT, KIND, LEAN, ORBIT, ROCKET } from "../../simulation/index.ts";
import { ARRIVAL } from "../alone.ts";
import { ATLAS } from "../atlas.ts";
import { DEPTH, inDepth } from "../depth.ts";
import { BURST } from "../fireworks/bursts.ts";
import { EMBER, FAN, HURRY, LIGHTNESS, SPRAY } from "../fireworks/fireworks.ts";
import { GROWTH, LONG, SHINE } from "../fireworks/lights.ts";
import { SALUTE } from "../fireworks/salute.ts";
import { HAIRLINE } from "../orbits.ts";
import { EDGE, QUIET } from "../quiet.ts";
import { float } from "./float.ts";
import { seenGlsl } from "./seen.glsl.ts";

const falling = ({ first, half }: { first: number; half: number }) =>
	`${float(first)} * exp2(age * ${float(-1 / half)})`;

const between = (range: readonly number[], share: string) => `mix(${range.map(float)}, ${share})`;

/**
 * All sprites in one draw call. Position and appearance are computed from the particle's record, by
 * the closed forms of motion.ts and seen.ts, so that only births are sent to the GPU.
 *
 * | attribute | from the record |
 * | --- | --- |
 * | `corner` | quad corner: both ways a light's radius, or 1 and the ticks until arrival; a light's lag: see lights.ts |
 * | `life` | first and last visible tick (since the epoch), kind, emoji or the light's cell |
 * | `place` | x, y, velocity x, velocity y |
 * | `style` | size, turn, spin, sway |
 * | `pace` | sway rate, or a spark's rank in its burst; sway phase, fade-in, fade-out |
 * | `apart`, `higher` | floats: px offset to the right and up at three moments, see apart.ts |
 *
 * `frame` holds all per-frame values in one uniform: see `FRAME` in gl-renderer.ts. `bands` and `zones`
 * are sent only when they change. Their columns, except for the first of `bands`, are quiet zones:
 * center and half size in clip units.
 */
export const spritesVertex = /* glsl */ `
precision highp float;

attribute vec3 corner;
attribute vec4 life;
attribute vec4 place;
attribute vec4 style;
attribute vec4 pace;
attribute vec3 apart;
attribute vec3 higher;
uniform mat4 frame;
uniform mat4 zones;
uniform mat4 bands;
varying vec3 cell;
varying vec4 shade;
varying vec3 disc;
varying vec3 drop;

const float TURN = 6.283185307179586;

// Px from a quiet zone to a box of half size reach.
float away(vec4 zone, vec2 at, float reach) {
	return length(max((abs(at - zone.xy) - zone.zw) / frame[0].xy - reach, 0.0));
}

float room(vec2 at, float reach) {
	return min(
		min(
			min(away(zones[0], at, reach), away(zones[1], at, reach)),
			min(away(zones[2], at, reach), away(zones[3], at, reach))
		),
		min(away(bands[1], at, reach), away(bands[2], at, reach))
	);
}

float quiet(vec2 at, float reach) {
	return smoothstep(0.0, ${float(QUIET.fade)}, room(at, reach));
}

${seenGlsl}
vec2 rise(vec3 burst) {
	return vec2(burst.x * ${float(FAN)}, burst.y - place.y);
}

// A spark's random numbers: see fireworks.ts.
float lightness() {
	return style.z * ${float(LIGHTNESS)} + 0.5;
}

float chance() {
	return abs(2.0 * style.y);
}

// From 0 to 1 by area; above 1 a cramped burst leaves the spark out.
float placeInBurst(vec3 burst) {
	return pace.x * (burst.z < ${float(BURST.thin)} ? ${float(BURST.fewer)} : 1.0);
}

// Relative to its burst, in clip units, like 'span'.
vec2 flown(float age, vec2 span, vec3 burst) {
	if (life.z < ${float(KIND.rocket + 0.5)}) return rise(burst) * (flownBy(age / (life.y - life.x), burst.y) - 1.0);
	float way = 1.0 - exp2(age * ${float(-1 / SPRAY.half)}) + ${float(SPRAY.on)} * age;
	float reach = ${float(BURST.reach)} * sqrt(${between(SPRAY.areas, "min(1.0, placeInBurst(burst))")}) * ${between(SPRAY.ways, "lightness()")};
	float falling = max(0.0, age - ${float(SPRAY.thrown)});
	float fall = ${between(SPRAY.falls, "chance()")} * falling * falling;
	float aside = ${float(SPRAY.aside)} * (lightness() - 0.5) * age;
	return (normalize(place.zw) * reach * way * burst.z + vec2(aside, -fall) * ${between(SPRAY.little, "burst.z")}) * span;
}

void main() {
	float lag = corner.z;
	float age = frame[0].z - life.x;
	float left = life.y - frame[0].z;
	float opacity = smoothstep(0.0, pace.z, age) * smoothstep(0.0, pace.w, left);
	float night = frame[0].w;
	float sunken = frame[2].y;
	vec2 sphere = sphereAt(sunken);
	bool behind = true;
	float near = 0.0;
	float whole = 1.0;

	// A span is half of sqrt(width * height) px.
	float spanPx = inversesqrt(frame[0].x * frame[0].y);
	vec2 span = spanPx * frame[0].xy;
	vec2 radius = frame[1].w * span / span.y;
	vec2 middle = place.xy;
	float size = style.x;
	float turn = style.y;
	vec3 burst = vec3(0.0);
	float depth = 1.0;
	bool isLine = life.z < 0.0;
	if (isLine) {
	} else if (${inDepth("life.z")}) {
		bool caught = style.w < 0.0;
		if (caught) {
			vec3 at = ridden(age, sphere, radius);
			middle = at.xy;
			size *= 1.0 + ${float(ORBIT.nearer)} * at.z;
			behind = at.z < 0.0;
		} else middle += place.zw * age;
		float wave = TURN * fract(pace.y + pace.x * age);
		middle.x += style.w * sin(wave) * span.x;
		turn += style.z * age - ${float(LEAN)} * style.w * cos(wave);
		near = (size - ${float(DRIFT.size[0])}) * ${float(1 / (DRIFT.size[1] - DRIFT.size[0]))};
		size = sizeOf(near);
		if (!caught) {
			middle = pastWords(middle, size, near);
			middle.x = wholeAt(middle.x, size);
			middle += asideAt(frame[3].z) * frame[0].xy;
			behind = near < ${float(DEPTH.behind)};
		}
		middle += vec2(-frame[1].x, frame[1].y) * frame[0].xy * mix(${float(DEPTH.parallax.far)}, ${float(DEPTH.parallax.near)}, near);
		vec2 fromPointer = (middle - frame[2].zw) / frame[0].xy;
		float px = length(fromPointer);
		float closeness = max(0.0, 1.0 - px * ${float(1 / DEPTH.way.reach)});
		middle += frame[3].x * near * ${float(DEPTH.way.px)} * closeness * closeness / max(1.0, px) * fromPointer * frame[0].xy;
		if (behind && !caught) whole = smoothstep(${DEPTH.gone.map(float)}, abs(length((middle - sphere) / radius) - 1.0));
		float since = age - abs(corner.x) + 1.0;
		if (since < age) {
			float t = clamp(since * ${float(1 / ARRIVAL.spring)}, 0.0, 1.0) - 1.0;
			size *= mix(${float(ARRIVAL.from)}, 1.0, 1.0 + (${float(ARRIVAL.over + 1)} * t + ${float(ARRIVAL.over)}) * t * t);
			opacity = smoothstep(0.0, ${float(ARRIVAL.fade)}, since) * smoothstep(0.0, pace.w, left);
		}
		opacity *= frame[2].x;
		float beside = smoothstep(0.0, 1.0, 1.0 + ${float(SALUTE.spread)} * min(1.0, near) - ${float(1 + SALUTE.spread)} * frame[3].y)
			* whole * smoothstep(${DEPTH.top.map(float)}, (1.0 - middle.y) / (frame[0].y * size));
		opacity *= smoothstep(0.0, ${float(DEPTH.faint)}, beside);
		size *= ${between(DEPTH.small, "beside")};
	} else {
		bool isRocket = life.z < ${float(KIND.rocket + 0.5)};
		burst = burstAt(isRocket ? place.xy + place.zw * ${float(FLIGHT)} : place.xy, spanPx, sphere);
		middle = burst.xy + flown(age, span, burst);
		size *= ${float(GROWTH.least)} + ${float(GROWTH.perPx)} * spanPx;
		if (isRocket) {
			vec2 path = rise(burst) / frame[0].xy;
			turn = ${float(ROCKET.upright)} - atan(path.x, path.y) / TURN;
			opacity = smoothstep(0.0, pace.z, age) * smoothstep(${DEPTH.gone.map(float)}, abs(length((middle - sphere) / radius) - 1.0));
		} else {
			left -= mix(${between(SPRAY.early.byDay, "chance()")}, ${between(SPRAY.early.atNight, "chance()")}, sunken);
			float fading = smoothstep(0.0, ${float(SPRAY.fade)}, left);
			opacity = smoothstep(${SPRAY.seen.map(float)}, age) * fading;
			turn = turn * ${float(SPRAY.turn)} + style.z * ${float(SPRAY.spin)} * age;
			size *= ${between(BURST.sizes, "burst.z")}
				* ${between(SPRAY.sizes, "(1.0 - lightness()) * (1.0 - lightness())")}
				* ${between(SPRAY.grown, `smoothstep(0.0, ${float(SPRAY.growth)}, age)`)}
				* fading;
			whole = smoothstep(${float(BURST.gone[0])}, ${float(BURST.gone[1])}, burst.z);
			opacity = smoothstep(0.0, ${float(EMBER)}, opacity) * whole;
			if (placeInBurst(burst) > 1.0) opacity = 0.0;
		}
	}

	vec2 side = sign(corner.xy);
	vec2 edge = 0.5 * side;
	vec2 px;
	drop = vec3(0.0);
	if (isLine) {
		vec3 at = onOrbit(place.y, 1.0);
		// Px to the next segment. A quarter turn on, an ellipse is its own slope.
		vec2 along = ${float((2 * Math.PI) / HAIRLINE.steps)} * onOrbit(place.y + 0.25, 1.0).xy * radius / frame[0].xy;
		middle = sphere + radius * at.xy;
		behind = at.z > 0.0;
		// Keeps fully visible segments off words: they fade evenly and are no longer than this.
		float tail = fract(${float(1 / HAIRLINE.ticks)} * frame[0].z - place.y);
		tail = exp2(${float(-HAIRLINE.tail)} * tail) * smoothstep(0.0, ${float(HAIRLINE.head)}, tail);
		opacity = ${between(HAIRLINE.opacity, "tail")} * (1.0 - sunken) * mix(${float(HAIRLINE.quiet)}, 1.0, quiet(middle, 1.1 * length(along)));
		if (!behind) opacity *= smoothstep(${HAIRLINE.fades.map(float)}, abs(sine(place.y + 0.25)));
		shade = vec4(opacity * mix(vec3(${HAIRLINE.byDay.map(float)}), vec3(${HAIRLINE.atNight.map(float)}), night), opacity);
		edge.x = ${float(HAIRLINE.beside)};
		// Perspective broadens it, so that both halves of a quad match.
		depth = 1.0 / (1.0 + tail);
		px = normalize(vec2(-along.y, along.x)) * side.y * (${float(HAIRLINE.px)} - ${float(HAIRLINE.px * HAIRLINE.broader)} * at.z) / depth;
	} else if (lag == 0.0) {
		float angle = TURN * fract(turn);
		float c = cos(angle);
		float s = sin(angle);
		float half_ = 0.5 * (abs(c) + abs(s));
		float seen = quiet(middle, half_ * size * ${float(EDGE)});
		opacity *= smoothstep(${QUIET.pale.map(float)}, seen);
		if (!behind) {
			// Its shadow on the sphere, as large as its cell: offset in the atlas, and darkness.
			drop.xy = ${float(ATLAS.glyphShare / ATLAS.columns)} * vec2(1.0, -1.0) * (vec2(${float(DEPTH.shadow.aside)}, ${float(-DEPTH.shadow.below)}) * mat2(c, s, -s, c));
			drop.z = ${float(DEPTH.shadow.dark)} * opacity * (1.0 - night) * quiet(middle, half_ * size * ${float(1 / ATLAS.glyphShare)})
				* (1.0 - smoothstep(${DEPTH.shadow.ends.map(float)}, length((middle - sphere) / radius)));
		}
		shade = vec4(opacity);
		// Covers the glyph and its soft edge, not the whole cell: fewer pixels to blend.
		edge *= drop.z > 0.0 ? ${float(1 / ATLAS.glyphShare)} : ${float(EDGE)};
		px = mat2(c, s, -s, c) * edge * size * mix(${float(QUIET.least)}, 1.0, seen);
	} else {
		if (lag < 0.0) {
			// A flash is as large as the words allow.
			middle = burst.xy;
			float byDay = ${between(SHINE.flashByDay, "night")};
			opacity = whole * byDay * (${falling(SHINE.flash)});
			px = side * min(abs(corner.x) * spanPx * byDay, room(middle, 0.0));
		} else {
			bool isRocket = life.z < ${float(KIND.rocket + 0.5)};
			float past = isRocket ? ${float(HURRY[1])} * (life.y - life.x) * wide() : 0.0;
			float from = max(age - lag, age > past ? past : 0.0);
			vec2 path = (flown(age, span, burst) - flown(from, span, burst)) / frame[0].xy;
			float stretch = 0.5 * length(path);
			vec2 along = stretch > 0.01 ? 0.5 * path / stretch : vec2(0.0, 1.0);
			float reach = stretch + abs(corner.x) * size;
			opacity *= isRocket ? ${float(SHINE.rocket)} : ${falling(SHINE.spark)};
			middle -= 0.5 * path * frame[0].xy;
			opacity *= quiet(middle, reach);
			px = along * side.y * reach;
			if (lag > ${float(LONG)}) {
				// Perspective narrows its far end, so that both halves of the quad match.
				edge.y = min(edge.y, 0.0);
				if (side.y > 0.0) px = along * stretch;
				else depth = ${float(1 / SHINE.taper)};
			}
			px += vec2(along.y, -along.x) * corner.x * size / depth;
		}
		opacity *= mix(${float(SHINE.byDay)}, 1.0, night);
		if (opacity < ${float(SHINE.least)}) opacity = 0.0;
		shade = vec4(vec3(opacity), opacity * (1.0 - night));
	}
	// No mod: some GPUs divide by a reciprocal, and compute the last of five columns as the fifth.
	float row = floor((life.w + 0.5) / ${float(ATLAS.columns)});
	float lens = near > 0.0 ? near - ${float(DEPTH.soft.sharp)} : 0.0;
	cell.z = ${float(DEPTH.soft.lens)} * lens * lens - 0.5;
	cell.xy = (vec2(life.w - ${float(ATLAS.columns)} * row, row) + 0.5 + ${float(ATLAS.glyphShare)} * edge * vec2(1.0, -1.0)) / ${float(ATLAS.columns)};
	// Dead particles collapse to a point off screen.
	bool gone = !isLine && (age < 0.0 || left <= 0.0 || opacity <= 0.0);
	middle += px * frame[0].xy;
	gl_Position = gone ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(middle * depth, 0.0, depth);
	// In radii from the sphere's center, in screen space. Sprites in front get a far value, and lines
	// their own side.
	disc.xy = (middle - sphere) / radius * depth;
	if (!behind) disc.xy = isLine ? 9.0 * disc.xy : vec2(9.0);
	disc.z = isLine ? 0.0 : ${float(DEPTH.frosted)} * (1.0 - night);
}`;

export const spritesFragment = /* glsl */ `
precision mediump float;

uniform sampler2D atlas;
// In 16 bits, atlas coordinates step by half a texel: emoji have jagged edges.
#ifdef GL_FRAGMENT_PRECISION_HIGH
varying highp vec3 cell;
#else
varying vec3 cell;
#endif
varying vec4 shade;
varying vec3 disc;
varying vec3 drop;

void main() {
	// The larger of two mip levels keeps edges sharp, except far, very near, or behind the sphere. At
	// night light has no opacity: it adds to the background.
	vec2 away = disc.xy * gl_FragCoord.w;
	float seen = clamp((dot(away, away) - ${float(DEPTH.rim[0] ** 2)}) * ${float(1 / (DEPTH.rim[1] ** 2 - DEPTH.rim[0] ** 2))}, 0.0, 1.0);
	gl_FragColor = texture2D(atlas, cell.xy, cell.z + ${float(DEPTH.soft.frosted)} * (1.0 - seen)) * shade * mix(disc.z, 1.0, seen);
	if (drop.z > 0.0) gl_FragColor.a += (1.0 - gl_FragColor.a) * drop.z * texture2D(atlas, cell.xy - drop.xy, ${float(DEPTH.shadow.soft)}).a;
}`;
