import { DRIFT, FIELD, FLIGHT, FLOAT, KIND, LEAN, ORBIT, ROCKET } from "../../simulation/index.ts";
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
import * as FRAME from "./frame-fields.ts";
import { glslNames } from "./names.ts";
import { CORNER } from "./quads.ts";
import { eachZone, seenGlsl } from "./seen.glsl.ts";

const falling = ({ first, half }: { first: number; half: number }) =>
	`${float(first)} * exp2(age * ${float(-1 / half)})`;

const between = (range: readonly number[], share: string) => `mix(${range.map(float)}, ${share})`;

/**
 * All sprites in one draw call. Position and appearance are computed from the particle's record, by
 * the closed forms of motion.ts and seen.ts, so that only births are sent to the GPU.
 *
 * Inputs are named by the tables that write them: `a_` by `CORNER` (quads.ts) and `FIELD`
 * (particles.ts), `u_` by `FRAME` (frame-fields.ts).
 */
export const spritesVertex = /* glsl */ `
precision highp float;

attribute vec3 corner;
attribute vec4 life;
attribute vec4 place;
attribute vec4 style;
attribute vec4 pace;
// Px that a float makes way at three moments: see apart.ts.
attribute vec3 a_right;
attribute vec3 a_up;
uniform vec4 u[${FRAME.length / 4}];
// Quiet zones, sent only when they change: center and half size in clip units.
uniform vec4 u_zones[${QUIET.rectangles}];
varying vec2 v_cell;
varying float v_blur;
varying vec4 v_shade;
varying vec2 v_disc;
varying float v_frosted;
varying vec2 v_shadow;
varying float v_dark;
${glslNames("a_", ["corner"], CORNER)}
${glslNames("a_", ["life", "place", "style", "pace"], FIELD)}
${glslNames("u_", "u", FRAME)}

const float TURN = 6.283185307179586;

// Ticks since birth and until death.
float age;
float left;
// Half of sqrt(width * height), in px and in clip units.
float spanPx;
vec2 span;
// The sphere's, in clip units.
vec2 radius;

// The sprite, as in SEEN (place.ts), in clip units with y up.
vec2 middle;
float size;
float turn;
float opacity;
float near;
bool behind;
// Center of its burst, and the share of the wanted room.
vec3 burst;

// The quad: px from the middle to the corner, the corner in its cell, and its depth.
vec2 px;
vec2 edge;
float depth;

bool isCaught() {
	return a_sway < 0.0;
}

bool isRocket() {
	return abs(a_kind - ${float(KIND.rocket)}) < 0.5;
}

bool isLine() {
	return a_kind < 0.0;
}

// A light's radius, as a share of its particle's size.
float thickness() {
	return abs(a_cornerX);
}

// Ticks from a float's birth to its arrival.
float arrival() {
	return abs(a_cornerX) - 1.0;
}

// Px from a quiet zone to a box of half size reach.
float away(vec4 zone, vec2 at, float reach) {
	return length(max((abs(at - zone.xy) - zone.zw) / u_clip - reach, 0.0));
}

float room(vec2 at, float reach) {
	float room = away(u_zones[0], at, reach);
	${eachZone((zone) => `room = min(room, away(${zone}, at, reach));`)}
	return room;
}

float quiet(vec2 at, float reach) {
	return smoothstep(0.0, ${float(QUIET.fade)}, room(at, reach));
}

// Distance to the sphere's center, in radii.
float toSphere() {
	return length((middle - u_sphere) / radius);
}

// Hides what is near the sphere's rim, which would clip it.
float besideRim() {
	return smoothstep(${DEPTH.gone.map(float)}, abs(toSphere() - 1.0));
}

${seenGlsl}
// A spark's random numbers: see fireworks.ts.
float lightness() {
	return a_spin * ${float(LIGHTNESS)} + 0.5;
}

float chance() {
	return abs(2.0 * a_turn);
}

// From 0 to 1 by area; above 1 a cramped burst leaves the spark out.
float placeInBurst() {
	return a_swayRate * (burst.z < ${float(BURST.thin)} ? ${float(BURST.fewer)} : 1.0);
}

float wholeBurst() {
	return smoothstep(${BURST.gone.map(float)}, burst.z);
}

// From a rocket's birth to its burst.
vec2 rise() {
	return vec2(burst.x * ${float(FAN)}, burst.y - a_y);
}

// A particle of fireworks at an age, relative to its burst.
vec2 flown(float age) {
	if (isRocket()) return rise() * (flownBy(age / (a_death - a_birth), burst.y) - 1.0);
	float way = 1.0 - exp2(age * ${float(-1 / SPRAY.half)}) + ${float(SPRAY.on)} * age;
	float reach = ${float(BURST.reach)} * sqrt(${between(SPRAY.areas, "min(1.0, placeInBurst())")}) * ${between(SPRAY.ways, "lightness()")};
	float falling = max(0.0, age - ${float(SPRAY.thrown)});
	float fall = ${between(SPRAY.falls, "chance()")} * falling * falling;
	float aside = ${float(SPRAY.aside)} * (lightness() - 0.5) * age;
	return (normalize(a_velocity) * reach * way * burst.z + vec2(aside, -fall) * ${between(SPRAY.little, "burst.z")}) * span;
}

void giveWay() {
	middle -= u_lean * u_clip * mix(${float(DEPTH.parallax.far)}, ${float(DEPTH.parallax.near)}, near);
	vec2 fromPointer = (middle - u_pointer) / u_clip;
	float px = length(fromPointer);
	float closeness = max(0.0, 1.0 - px * ${float(1 / DEPTH.way.reach)});
	middle += u_push * near * ${float(DEPTH.way.px)} * closeness * closeness / max(1.0, px) * fromPointer * u_clip;
}

void arrive() {
	float since = age - arrival();
	float t = clamp(since * ${float(1 / ARRIVAL.spring)}, 0.0, 1.0) - 1.0;
	size *= mix(${float(ARRIVAL.from)}, 1.0, 1.0 + (${float(ARRIVAL.over + 1)} * t + ${float(ARRIVAL.over)}) * t * t);
	opacity = smoothstep(0.0, ${float(ARRIVAL.fade)}, since) * smoothstep(0.0, a_fadeOut, left);
}

void placeFloat() {
	if (isCaught()) {
		vec3 at = ridden();
		middle = at.xy;
		size *= 1.0 + ${float(ORBIT.nearer)} * at.z;
		behind = at.z < 0.0;
	} else middle += a_velocity * age;
	float wave = TURN * fract(a_swayPhase + a_swayRate * age);
	middle.x += a_sway * sin(wave) * span.x;
	turn += a_spin * age - ${float(LEAN)} * a_sway * cos(wave);
	near = (size - ${float(DRIFT.size[0])}) * ${float(1 / (DRIFT.size[1] - DRIFT.size[0]))};
	size = sizeOf(near);
	if (!isCaught()) {
		if (arrival() > 0.0) middle.y -= wide() * (${float(FLOAT.edge)} - middle.y) * longer();
		middle = pastWords();
		middle.x = whole(middle.x);
		middle += asideAt() * u_clip;
		behind = near < ${float(DEPTH.behind)};
	}
	giveWay();
	float rim = behind && !isCaught() ? besideRim() : 1.0;
	if (arrival() > 0.0) arrive();
	opacity *= u_clarity;
	float seen = smoothstep(0.0, 1.0, 1.0 + ${float(SALUTE.spread)} * min(1.0, near) - ${float(1 + SALUTE.spread)} * u_salute)
		* rim * smoothstep(${DEPTH.top.map(float)}, (1.0 - middle.y) / (u_clip.y * size));
	opacity *= smoothstep(0.0, ${float(DEPTH.faint)}, seen);
	size *= ${between(DEPTH.small, "seen")};
}

void placeRocket() {
	vec2 path = rise() / u_clip;
	turn = ${float(ROCKET.upright)} - atan(path.x, path.y) / TURN;
	opacity = smoothstep(0.0, a_fadeIn, age) * besideRim();
}

void placeSpark() {
	left -= mix(${between(SPRAY.early.byDay, "chance()")}, ${between(SPRAY.early.atNight, "chance()")}, u_sunken);
	float fading = smoothstep(0.0, ${float(SPRAY.fade)}, left);
	turn = turn * ${float(SPRAY.turn)} + a_spin * ${float(SPRAY.spin)} * age;
	size *= ${between(BURST.sizes, "burst.z")}
		* ${between(SPRAY.sizes, "(1.0 - lightness()) * (1.0 - lightness())")}
		* ${between(SPRAY.grown, `smoothstep(0.0, ${float(SPRAY.growth)}, age)`)}
		* fading;
	opacity = smoothstep(${SPRAY.seen.map(float)}, age) * fading;
	opacity = placeInBurst() > 1.0 ? 0.0 : smoothstep(0.0, ${float(EMBER)}, opacity) * wholeBurst();
}

void placeFirework() {
	burst = burstAt(isRocket() ? middle + a_velocity * ${float(FLIGHT)} : middle);
	middle = burst.xy + flown(age);
	size *= ${float(GROWTH.least)} + ${float(GROWTH.perPx)} * spanPx;
	if (isRocket()) placeRocket();
	else placeSpark();
}

// A segment of the orbit, at a_y turns.
void drawLine() {
	vec3 at = onOrbit(a_y, 1.0);
	// Px to the next segment. A quarter turn on, an ellipse is its own slope.
	vec2 along = ${float((2 * Math.PI) / HAIRLINE.steps)} * onOrbit(a_y + 0.25, 1.0).xy * radius / u_clip;
	middle = u_sphere + radius * at.xy;
	behind = at.z > 0.0;
	// Keeps fully visible segments off words: they fade evenly and are no longer than this.
	float tail = fract(${float(1 / HAIRLINE.ticks)} * u_time - a_y);
	tail = exp2(${float(-HAIRLINE.tail)} * tail) * smoothstep(0.0, ${float(HAIRLINE.head)}, tail);
	opacity = ${between(HAIRLINE.opacity, "tail")} * (1.0 - u_sunken) * mix(${float(HAIRLINE.quiet)}, 1.0, quiet(middle, 1.1 * length(along)));
	if (!behind) opacity *= smoothstep(${HAIRLINE.fades.map(float)}, abs(sine(a_y + 0.25)));
	v_shade = vec4(opacity * mix(vec3(${HAIRLINE.byDay.map(float)}), vec3(${HAIRLINE.atNight.map(float)}), u_night), opacity);
	edge.x = ${float(HAIRLINE.beside)};
	// Perspective broadens it, so that both halves of a quad match.
	depth = 1.0 / (1.0 + tail);
	px = normalize(vec2(-along.y, along.x)) * sign(a_cornerY) * (${float(HAIRLINE.px)} - ${float(HAIRLINE.px * HAIRLINE.broader)} * at.z) / depth;
}

void drawEmoji() {
	float angle = TURN * fract(turn);
	float c = cos(angle);
	float s = sin(angle);
	mat2 turned = mat2(c, s, -s, c);
	float half_ = 0.5 * (abs(c) + abs(s));
	float seen = quiet(middle, half_ * size * ${float(EDGE)});
	opacity *= smoothstep(${QUIET.pale.map(float)}, seen);
	v_shade = vec4(opacity);
	if (!behind) {
		// Its shadow on the sphere is as large as its cell.
		v_shadow = ${float(ATLAS.glyphShare / ATLAS.columns)} * vec2(1.0, -1.0) * (vec2(${float(DEPTH.shadow.aside)}, ${float(-DEPTH.shadow.below)}) * turned);
		v_dark = ${float(DEPTH.shadow.dark)} * opacity * (1.0 - u_night) * quiet(middle, half_ * size * ${float(1 / ATLAS.glyphShare)})
			* (1.0 - smoothstep(${DEPTH.shadow.ends.map(float)}, toSphere()));
	}
	// Covers the glyph and its soft edge, not the whole cell: fewer pixels to blend.
	edge *= v_dark > 0.0 ? ${float(1 / ATLAS.glyphShare)} : ${float(EDGE)};
	px = turned * edge * size * mix(${float(QUIET.least)}, 1.0, seen);
}

// A flash is as large as the words allow.
void drawFlash() {
	middle = burst.xy;
	float byDay = ${between(SHINE.flashByDay, "u_night")};
	opacity = wholeBurst() * byDay * (${falling(SHINE.flash)});
	px = sign(a_corner) * min(thickness() * spanPx * byDay, room(middle, 0.0));
}

// The trail of a rocket or spark, from its head to where it was.
void drawTrail() {
	float past = isRocket() ? ${float(HURRY[1])} * (a_death - a_birth) * wide() : 0.0;
	float from = max(age - a_lag, age > past ? past : 0.0);
	vec2 path = (flown(age) - flown(from)) / u_clip;
	float stretch = 0.5 * length(path);
	vec2 along = stretch > 0.01 ? 0.5 * path / stretch : vec2(0.0, 1.0);
	float reach = stretch + thickness() * size;
	opacity *= isRocket() ? ${float(SHINE.rocket)} : ${falling(SHINE.spark)};
	middle -= 0.5 * path * u_clip;
	opacity *= quiet(middle, reach);
	px = along * sign(a_cornerY) * reach;
	if (a_lag > ${float(LONG)}) {
		// Perspective narrows its far end, so that both halves of the quad match.
		edge.y = min(edge.y, 0.0);
		if (a_cornerY > 0.0) px = along * stretch;
		else depth = ${float(1 / SHINE.taper)};
	}
	px += vec2(along.y, -along.x) * a_cornerX * size / depth;
}

void drawLight() {
	if (a_lag < 0.0) drawFlash();
	else drawTrail();
	opacity *= mix(${float(SHINE.byDay)}, 1.0, u_night);
	if (opacity < ${float(SHINE.least)}) opacity = 0.0;
	v_shade = vec4(vec3(opacity), opacity * (1.0 - u_night));
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
	if (${inDepth("a_kind")}) placeFloat();
	else if (!isLine()) placeFirework();

	edge = 0.5 * sign(a_corner);
	depth = 1.0;
	v_shadow = vec2(0.0);
	v_dark = 0.0;
	if (isLine()) drawLine();
	else if (a_lag == 0.0) drawEmoji();
	else drawLight();

	// No mod: some GPUs divide by a reciprocal, and compute the last of five columns as the fifth.
	float row = floor((a_emoji + 0.5) / ${float(ATLAS.columns)});
	vec2 cell = vec2(a_emoji - ${float(ATLAS.columns)} * row, row);
	v_cell = (cell + 0.5 + ${float(ATLAS.glyphShare)} * edge * vec2(1.0, -1.0)) / ${float(ATLAS.columns)};
	float lens = near > 0.0 ? near - ${float(DEPTH.soft.sharp)} : 0.0;
	v_blur = ${float(DEPTH.soft.lens)} * lens * lens - 0.5;
	// Dead particles collapse to a point off screen.
	bool gone = !isLine() && (age < 0.0 || left <= 0.0 || opacity <= 0.0);
	middle += px * u_clip;
	gl_Position = gone ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(middle * depth, 0.0, depth);
	// In radii from the sphere's center, in screen space. Sprites in front get a far value, and lines
	// their own side.
	v_disc = (middle - u_sphere) / radius * depth;
	if (!behind) v_disc = isLine() ? 9.0 * v_disc : vec2(9.0);
	v_frosted = isLine() ? 0.0 : ${float(DEPTH.frosted)} * (1.0 - u_night);
}`;

export const spritesFragment = /* glsl */ `
precision mediump float;

uniform sampler2D u_atlas;
// In 16 bits, atlas coordinates step by half a texel: emoji have jagged edges.
#ifdef GL_FRAGMENT_PRECISION_HIGH
varying highp vec2 v_cell;
#else
varying vec2 v_cell;
#endif
// Mip level.
varying float v_blur;
varying vec4 v_shade;
// Position in radii from the sphere's center, and opacity behind it.
varying vec2 v_disc;
varying float v_frosted;
// The shadow's offset in the atlas, and its darkness.
varying vec2 v_shadow;
varying float v_dark;

void main() {
	// The larger of two mip levels keeps edges sharp, except far, very near, or behind the sphere. At
	// night light has no opacity: it adds to the background.
	vec2 away = v_disc * gl_FragCoord.w;
	float seen = clamp((dot(away, away) - ${float(DEPTH.rim[0] ** 2)}) * ${float(1 / (DEPTH.rim[1] ** 2 - DEPTH.rim[0] ** 2))}, 0.0, 1.0);
	gl_FragColor = texture2D(u_atlas, v_cell, v_blur + ${float(DEPTH.soft.frosted)} * (1.0 - seen)) * v_shade * mix(v_frosted, 1.0, seen);
	if (v_dark > 0.0) gl_FragColor.a += (1.0 - gl_FragColor.a) * v_dark * texture2D(u_atlas, v_cell - v_shadow, ${float(DEPTH.shadow.soft)}).a;
}`;
