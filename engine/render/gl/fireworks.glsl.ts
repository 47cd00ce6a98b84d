import { FLIGHT_DISTANCE, ROCKET } from "../../simulation/index.ts";
import { BURST_LAYOUT } from "../fireworks/bursts.ts";
import {
	EMBER_SHARE,
	ROCKET_FAN,
	ROCKET_RUSH,
	RUSH_MARGIN_PX,
	SPARK_FLIGHT,
	SPIN_TO_LIGHTNESS,
} from "../fireworks/fireworks.ts";
import { FIREWORKS_SCALE, LIGHT_STYLE, TRAIL_LAG_TICKS } from "../fireworks/lights.ts";
import { QUIET, SPRITE_EDGE } from "../quiet.ts";
import { glsl, glslMix } from "./glsl.ts";
import { glslForEachZone } from "./quiet.glsl.ts";

const falling = ({ first, half }: { first: number; half: number }) =>
	glsl`${first} * exp2(age * ${-1 / half})`;

/** Rockets, sparks and their lights, as in fireworks.ts, bursts.ts and lights.ts. */
export const fireworksGlsl = glsl`
// Pushes a burst out of words. Positions are px from the window's center, y up.
vec2 pushed(vec4 zone, vec2 at, float push) {
	vec2 window = 1.0 / u_clip;
	vec2 words = zone.xy * window;
	vec2 half_ = zone.zw * window;
	vec2 away = at - words;
	vec2 room = abs(away) - half_;
	if (zone.z * zone.w <= ${BURST_LAYOUT.words} || max(room.x, room.y) >= push) return at;
	vec2 side = vec2(away.x < 0.0 ? -1.0 : 1.0, away.y > 0.0 ? 1.0 : -1.0);
	float freeX = window.x - half_.x - side.x * words.x;
	float above = window.y - half_.y - words.y;
	float below = window.y - half_.y + words.y;
	if (above > below) side.y = away.y > 0.0 || below < push ? 1.0 : -1.0;
	else side.y = away.y > 0.0 && above >= push ? 1.0 : -1.0;
	if (freeX > (side.y > 0.0 ? above : below)) at.x += side.x * (push - room.x) * ${BURST_LAYOUT.strew};
	else at.y += side.y * (push + half_.y - side.y * away.y) * ${BURST_LAYOUT.strew};
	return at;
}

float roomAt(vec4 zone, vec2 at, float few) {
	return away(zone, at * u_clip, 0.0) + few * max(0.0, 1.0 - zone.z * zone.w * ${1 / BURST_LAYOUT.words});
}

// A burst's center in clip units, and the share of its full size that fits there.
vec3 burstAt(vec2 ends) {
	vec2 window = 1.0 / u_clip;
	vec2 at = ends * window;
	at.x *= 1.0 + (window.y > window.x ? ${BURST_LAYOUT.aside.upright} : ${BURST_LAYOUT.aside.wide}) * wide();
	if (ends.y > 0.0) at.y -= max(0.0, ${BURST_LAYOUT.highest} - ends.y) * ${BURST_LAYOUT.down} * (1.0 - wide()) * window.y;
	float push = ${BURST_LAYOUT.spark} + mix(${BURST_LAYOUT.push}, wide()) * spanPx;
	${glslForEachZone((zone) => `at = pushed(${zone}, at, push);`)}
	vec2 inside = window - ${BURST_LAYOUT.inside} * spanPx;
	at = clamp(at, -inside, inside);
	float lowest = window.y - 0.5 * (u_below + u_footer);
	float highest = window.y - 0.5 * (${BURST_LAYOUT.head} + u_words);
	if (window.y > window.x) at.y = mix(at.y, clamp(at.y, lowest, highest), wide());
	vec2 planet = u_sphere * window;
	float away = length(at - planet);
	if (away > 0.0) at = planet + (at - planet) * max(1.0, (abs(u_radius) * window.y + ${BURST_LAYOUT.above} * spanPx) * u_night / away);
	float few = ${BURST_LAYOUT.few} * spanPx;
	vec2 edges = window - abs(at) + ${BURST_LAYOUT.beyond} * spanPx;
	float room = min(edges.x, edges.y);
	${glslForEachZone((zone) => `room = min(room, roomAt(${zone}, at, few));`)}
	return vec3(at * u_clip, clamp((room - ${BURST_LAYOUT.spark}) / (${BURST_LAYOUT.reach} * spanPx), 0.0, 1.0));
}

// A rocket's progress from 0 to 1, after a share of its flight time. The burst's height is end.
float flownBy(float time, float end) {
	float share = time * time;
	vec3 past = (1.0 - a_y - u_clip.y * (vec3(u_below, u_words, u_footer) + vec3(${[RUSH_MARGIN_PX.below, -RUSH_MARGIN_PX.above, 0]}))) / (end - a_y);
	if (past.y >= 1.0) {
		past.x = min(1.0, past.z);
		past.y = mix(past.x, 1.0, ${(ROCKET_RUSH[1] - ROCKET_RUSH[0]) / (1 - ROCKET_RUSH[0])});
	}
	vec3 ends = vec3(0.0, ${ROCKET_RUSH});
	vec3 parts = clamp((time - ends) / vec3(ends.yz - ends.xy, 1.0 - ends.z), 0.0, 1.0);
	float way = dot(vec3(past.x, past.y - past.x, 1.0 - past.y), parts);
	return mix(share, way, wide());
}

// A spark's random numbers, as in fireworks.ts.
float lightness() {
	return a_spin * ${SPIN_TO_LIGHTNESS} + 0.5;
}

float chance() {
	return abs(2.0 * a_turn);
}

// From 0 (innermost) to 1 (outermost spark). In a small burst it exceeds 1 for sparks to hide.
float placeInBurst() {
	return a_swayRate * (burst.z < ${BURST_LAYOUT.thin} ? ${BURST_LAYOUT.fewer} : 1.0);
}

float wholeBurst() {
	return smoothstep(${BURST_LAYOUT.gone}, burst.z);
}

// Vector from a rocket's birth to its burst.
vec2 rise() {
	return vec2(burst.x * ${ROCKET_FAN}, burst.y - a_y);
}

// Position of a rocket or spark at an age, relative to its burst.
vec2 flown(float age) {
	if (isRocket()) return rise() * (flownBy(age / (a_death - a_birth), burst.y) - 1.0);
	float way = 1.0 - exp2(age * ${-1 / SPARK_FLIGHT.half}) + ${SPARK_FLIGHT.on} * age;
	float reach = ${BURST_LAYOUT.reach} * sqrt(${glslMix(SPARK_FLIGHT.areas, "min(1.0, placeInBurst())")}) * ${glslMix(SPARK_FLIGHT.ways, "lightness()")};
	float falling = max(0.0, age - ${SPARK_FLIGHT.thrown});
	float fall = ${glslMix(SPARK_FLIGHT.falls, "chance()")} * falling * falling;
	float aside = ${SPARK_FLIGHT.aside} * (lightness() - 0.5) * age;
	return (normalize(a_velocity) * reach * way * burst.z + vec2(aside, -fall) * ${glslMix(SPARK_FLIGHT.little, "burst.z")}) * span;
}

void placeFirework(vec2 burstsAt) {
	burst = burstAt(burstsAt);
	middle = burst.xy + flown(age);
	size *= ${FIREWORKS_SCALE.least} + ${FIREWORKS_SCALE.perPx} * spanPx;
}

void placeRocket() {
	placeFirework(middle + a_velocity * ${FLIGHT_DISTANCE});
	vec2 path = rise() / u_clip;
	turn = ${ROCKET.upright} - atan(path.x, path.y) / TURN;
	opacity = smoothstep(0.0, a_fadeIn, age) * besideRim();
}

void placeSpark() {
	placeFirework(middle);
	left -= mix(${glslMix(SPARK_FLIGHT.early.byDay, "chance()")}, ${glslMix(SPARK_FLIGHT.early.atNight, "chance()")}, u_sunken);
	float fading = smoothstep(0.0, ${SPARK_FLIGHT.fade}, left);
	turn = turn * ${SPARK_FLIGHT.turn} + a_spin * ${SPARK_FLIGHT.spin} * age;
	size *= ${glslMix(BURST_LAYOUT.sizes, "burst.z")}
		* ${glslMix(SPARK_FLIGHT.sizes, "(1.0 - lightness()) * (1.0 - lightness())")}
		* ${glslMix(SPARK_FLIGHT.grown, glsl`smoothstep(0.0, ${SPARK_FLIGHT.growth}, age)`)}
		* fading;
	opacity = smoothstep(${SPARK_FLIGHT.seen}, age) * fading;
	opacity = placeInBurst() > 1.0 ? 0.0 : smoothstep(0.0, ${EMBER_SHARE}, opacity) * wholeBurst();
}

// Draws a burst's flash, shrunk if words are near.
void drawFlash() {
	middle = burst.xy;
	float byDay = ${glslMix(LIGHT_STYLE.flashByDay, "u_night")};
	opacity = wholeBurst() * byDay * (${falling(LIGHT_STYLE.flash)});
	px = sign(a_corner) * min(thickness() * spanPx * byDay, room(middle, 0.0));
}

// The trail of a rocket or spark, from its head to where it was a_lag ticks ago.
void drawTrail() {
	float past = isRocket() ? ${ROCKET_RUSH[1]} * (a_death - a_birth) * wide() : 0.0;
	float from = max(age - a_lag, age > past ? past : 0.0);
	vec2 path = (flown(age) - flown(from)) / u_clip;
	float stretch = 0.5 * length(path);
	vec2 along = stretch > 0.01 ? 0.5 * path / stretch : vec2(0.0, 1.0);
	float reach = stretch + thickness() * size;
	opacity *= isRocket() ? ${LIGHT_STYLE.rocket} : ${falling(LIGHT_STYLE.spark)};
	// Words that hide the head hide its trail, too.
	opacity *= smoothstep(${QUIET.pale}, quiet(middle, ${SPRITE_EDGE} * halfBox(heading())));
	middle -= 0.5 * path * u_clip;
	opacity *= quiet(middle, reach);
	px = along * sign(a_cornerY) * reach;
	if (a_lag > ${TRAIL_LAG_TICKS}) {
		// The trail ends at the particle, and perspective narrows its far end.
		edge.y = min(edge.y, 0.0);
		if (a_cornerY > 0.0) px = along * stretch;
		else depth = ${1 / LIGHT_STYLE.taper};
	}
	px += vec2(along.y, -along.x) * a_cornerX * size / depth;
}

void drawLight() {
	if (a_lag < 0.0) drawFlash();
	else drawTrail();
	opacity *= mix(${LIGHT_STYLE.byDay}, 1.0, u_night);
	if (opacity < ${LIGHT_STYLE.least}) opacity = 0.0;
	// At night light has no opacity: it adds to the background.
	v_shade = vec4(vec3(opacity), opacity * (1.0 - u_night));
}
`;
