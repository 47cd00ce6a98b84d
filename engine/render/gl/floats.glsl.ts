import { DRIFT, FLOAT, ORBIT, SWAY_TILT } from "../../simulation/index.ts";
import { FIRST_FLOATS_ARRIVAL, FIRST_FLOATS_RISE, FLOAT_SIZE, SIDE_MARGIN } from "../alone.ts";
import { BAND_RISE, STEP_ASIDE_HEIGHT_SHARE } from "../bands.ts";
import { DEPTH } from "../depth.ts";
import { SALUTE } from "../fireworks/salute.ts";
import { ORBIT_ELLIPSE, ORBIT_LINE } from "../orbits.ts";
import { QUIET } from "../quiet.ts";
import { glsl, glslMix } from "./glsl.ts";

const [least, most] = DRIFT.size;

const part = (at: string, [from, to]: readonly [number, number]) =>
	glsl`(${at} - ${from}) * ${1 / (to - from)}`;

const direction = (angle: number) => glsl`vec2(${[Math.cos(angle), Math.sin(angle)]})`;

/** Floats and the orbit's line, as in motion.ts, alone.ts, seen.ts and orbits.ts. */
export const floatsGlsl = glsl`
float sizeOf(float near) {
	float shorter = 2.0 / max(u_clip.x, u_clip.y);
	float class_ = a_swayPhase < ${FLOAT_SIZE.shares[0]} ? ${FLOAT_SIZE.classes[0]} : a_swayPhase < ${FLOAT_SIZE.shares[1]} ? ${FLOAT_SIZE.classes[1]} : ${FLOAT_SIZE.classes[2]};
	near = mix(near, class_ * ${glslMix(FLOAT_SIZE.near, "near")}, wide());
	return mix(${least}, min(${most}, ${FLOAT_SIZE.most} * shorter), near) * clamp(${1 / FLOAT_SIZE.fullPx} * shorter, 1.0, ${FLOAT_SIZE.scale});
}

// A GPU's own sine may be off by 2^-11, which is visible on an orbit.
float sine(float turns) {
	float t = turns - floor(turns + 0.5);
	if (abs(t) > 0.25) t = sign(t) * 0.5 - t;
	float x = TURN * t;
	float s = x * x;
	return x * (1.0 - s * ${1 / 6} * (1.0 - s * 0.05 * (1.0 - s * ${1 / 42} * (1.0 - s * ${1 / 72}))));
}

float stopped(float u, float h) {
	float t = clamp(u + h, 0.0, 2.0 * h);
	return min(u, h) - 0.25 * t * t / h;
}

// A point of the orbit in radii from the sphere's center; z points away from the viewer.
vec3 onOrbit(float round_, float side) {
	float behind = sine(round_);
	vec2 orbit = vec2(${ORBIT_ELLIPSE.across} * sine(round_ + 0.25), ${ORBIT_ELLIPSE.high} * behind);
	vec2 lean = u_clip.x > u_clip.y ? ${direction(ORBIT_ELLIPSE.lean.upright)} : vec2(1.0, side) * ${direction(ORBIT_ELLIPSE.lean.wide)};
	return vec3(side * (lean.x * orbit.x - lean.y * orbit.y), lean.y * orbit.x + lean.x * orbit.y, behind);
}

// Position of a float on its orbit, in clip units; z points toward the viewer.
vec3 ridden() {
	float ticks = ${ORBIT.turns} / abs(a_velocityX);
	float ease = ${ORBIT.ease} * ticks;
	float since = age + a_y / a_velocityY;
	float round_ = abs(a_x) + sign(a_velocityX) * ${ORBIT.turns} * smoothstep(0.0, ticks, since + ease);
	vec3 orbit = onOrbit(round_, sign(a_x));
	float rise = a_velocityY * (stopped(since, ease) - stopped(ticks - 2.0 * ease - since, ease));
	vec2 at = u_sphere + radius * orbit.xy;
	return vec3(at.x, at.y * (1.0 - abs(rise) * ${1 / FLOAT.edge}) + rise, -orbit.z);
}

float whole(float across) {
	float most = 1.0 - ${SIDE_MARGIN.room / 2} * size * u_clip.x;
	float beyond = max(0.0, abs(across) - ${SIDE_MARGIN.from} * most);
	float room = ${1 - SIDE_MARGIN.from} * most;
	return across + sign(across) * (room * (1.0 - exp(-beyond / room)) - beyond);
}

vec2 asideAt() {
	float at = u_secondShare;
	vec3 shares = vec3(0.5 * (1.0 - at) * (1.0 - at), 0.5 + at - at * at, 0.5 * at * at);
	return vec2(dot(a_right, shares), dot(a_up, shares));
}

// On a phone, scales the rise of a scene's first floats to FIRST_FLOATS_RISE.
float longer() {
	float way = risesAboveWords() ? ${FIRST_FLOATS_RISE.above} : ${FIRST_FLOATS_RISE.below};
	return (way - ${FIRST_FLOATS_RISE.strewn} * a_y) / (${FLOAT.edge} - a_y) - 1.0;
}

vec2 pastWords() {
	float reach = ${QUIET.reach} * size + ${QUIET.fade};
	float height = 2.0 / u_clip.y;
	float share = wide();
	float y = (1.0 - middle.y) / u_clip.y;
	float at = y / height;
	float past = u_words * ${part("at", BAND_RISE.above)} - reach;
	if (!risesAboveWords()) {
		float between = 0.5 * (u_below + u_footer);
		float from = min(u_below + reach, between);
		float to = max(u_footer - reach, between);
		past = max(0.5 * (u_words + u_below), mix(from, to, ${part("min(1.0, at)", BAND_RISE.below)}))
			+ (height + reach - to) * max(0.0, ${part("at", BAND_RISE.start)});
	}
	float side = a_x - a_velocityX * a_y / a_velocityY < 0.0 ? -1.0 : 1.0;
	float away = abs(y - 0.5 * (u_words + u_below)) - 0.5 * (u_below - u_words) - reach;
	float aside = u_halfWidth > 0.0 && near >= ${DEPTH.behind} ? (u_halfWidth + reach) * u_clip.x * (1.0 - smoothstep(0.0, 1.0, away / (${STEP_ASIDE_HEIGHT_SHARE} * height))) : 0.0;
	return mix(middle, vec2(side, 1.0 - past * u_clip.y), vec2(aside * (1.0 - share), share));
}

void giveWay() {
	middle -= u_parallax * u_clip * mix(${[DEPTH.parallax.far, DEPTH.parallax.near]}, near);
	vec2 fromPointer = (middle - u_pointer) / u_clip;
	float px = length(fromPointer);
	float closeness = max(0.0, 1.0 - px * ${1 / DEPTH.dodge.reach});
	middle += u_push * near * ${DEPTH.dodge.px} * closeness * closeness / max(1.0, px) * fromPointer * u_clip;
}

void arrive() {
	float since = age - arrival();
	float t = clamp(since * ${1 / FIRST_FLOATS_ARRIVAL.spring}, 0.0, 1.0) - 1.0;
	size *= mix(${FIRST_FLOATS_ARRIVAL.from}, 1.0, 1.0 + (${FIRST_FLOATS_ARRIVAL.over + 1} * t + ${FIRST_FLOATS_ARRIVAL.over}) * t * t);
	opacity = smoothstep(0.0, ${FIRST_FLOATS_ARRIVAL.fade}, since) * smoothstep(0.0, a_fadeOut, left);
}

void placeFloat() {
	if (isCaught()) {
		vec3 at = ridden();
		middle = at.xy;
		size *= 1.0 + ${ORBIT.nearer} * at.z;
		behind = at.z < 0.0;
	} else middle += a_velocity * age;
	float wave = TURN * fract(a_swayPhase + a_swayRate * age);
	middle.x += a_sway * sin(wave) * span.x;
	turn += a_spin * age - ${SWAY_TILT} * a_sway * cos(wave);
	near = (size - ${least}) * ${1 / (most - least)};
	size = sizeOf(near);
	if (!isCaught()) {
		if (arrival() > 0.0) middle.y -= wide() * (${FLOAT.edge} - middle.y) * longer();
		middle = pastWords();
		middle.x = whole(middle.x);
		behind = near < ${DEPTH.behind};
	}
	middle += asideAt() * u_clip;
	giveWay();
	float rim = behind && !isCaught() ? besideRim() : 1.0;
	if (arrival() > 0.0) arrive();
	opacity *= u_clarity;
	vec2 toEnds = (1.0 - abs(middle)) / (u_clip * size);
	float seen = smoothstep(0.0, 1.0, 1.0 + ${SALUTE.spread} * min(1.0, near) - ${1 + SALUTE.spread} * u_salute)
		* rim * smoothstep(${DEPTH.ends}, min(toEnds.x, toEnds.y));
	opacity *= smoothstep(0.0, ${DEPTH.faint}, seen);
	size *= ${glslMix(DEPTH.small, "seen")};
}

// Draws a segment of the orbit's line; this corner is at a_y turns.
void drawLine() {
	vec3 at = onOrbit(a_y, 1.0);
	// Px to the next segment. An ellipse's tangent is parallel to its radius a quarter turn later.
	vec2 along = ${(2 * Math.PI) / ORBIT_LINE.steps} * onOrbit(a_y + 0.25, 1.0).xy * radius / u_clip;
	middle = u_sphere + radius * at.xy;
	behind = at.z > 0.0;
	float tail = fract(${1 / ORBIT_LINE.ticks} * u_time - a_y);
	tail = exp2(${-ORBIT_LINE.tail} * tail) * smoothstep(0.0, ${ORBIT_LINE.head}, tail);
	opacity = ${glslMix(ORBIT_LINE.opacity, "tail")} * (1.0 - u_sunken) * mix(${ORBIT_LINE.quiet}, 1.0, quiet(middle, 1.1 * length(along)));
	if (!behind) opacity *= smoothstep(${ORBIT_LINE.fades}, abs(sine(a_y + 0.25)));
	vec3 byDay = mix(vec3(${ORBIT_LINE.left}), vec3(${ORBIT_LINE.right}), 0.5 + ${0.5 / ORBIT_ELLIPSE.across} * at.x);
	v_shade = vec4(opacity * mix(byDay, vec3(${ORBIT_LINE.atNight}), u_night), opacity);
	edge.x = ${ORBIT_LINE.beside};
	depth = 1.0 / (1.0 + tail);
	px = normalize(vec2(-along.y, along.x)) * sign(a_cornerY) * (${ORBIT_LINE.px} - ${ORBIT_LINE.px * ORBIT_LINE.broader} * at.z) / depth;
}
`;
