import { DRIFT, FLOAT, ORBIT } from "../../simulation/index.ts";
import { BEGINNING, MOST_SIZE, SIDES } from "../alone.ts";
import { BESIDE, CROSSING, WIDE } from "../bands.ts";
import { DEPTH } from "../depth.ts";
import { BURST } from "../fireworks/bursts.ts";
import { CLEAR, HURRY } from "../fireworks/fireworks.ts";
import { ELLIPSE } from "../orbits.ts";
import { QUIET } from "../quiet.ts";
import { float } from "./float.ts";

const [least, most] = DRIFT.size;

const part = (start: number, end: number) =>
	`clamp((y * u_clip.y * 0.5 - ${float(start)}) * ${float(1 / (end - start))}, 0.0, 1.0)`;

const direction = (angle: number) => `vec2(${float(Math.cos(angle))}, ${float(Math.sin(angle))})`;

export const eachZone = (code: (zone: string) => string): string =>
	Array.from({ length: QUIET.rectangles }, (_, i) => code(`u_zones[${i}]`)).join("\n\t");

/** GLSL counterpart of alone.ts, seen.ts and bursts.ts, which fit sprites to words and screen. */
export const seenGlsl = /* glsl */ `
// How wide words are: 0 on a wide screen, 1 on a phone.
float wide() {
	return smoothstep(${float(WIDE[0])}, ${float(WIDE[1])}, u_halfWidth * u_clip.x);
}

float sizeOf(float near) {
	return mix(${float(least)}, min(${float(most)}, ${float(2 * MOST_SIZE)} / max(u_clip.x, u_clip.y)), near);
}

// Precise enough for an orbit hundreds of px wide: a GPU's own sine may be off by 2^-11.
float sine(float turns) {
	float t = turns - floor(turns + 0.5);
	if (abs(t) > 0.25) t = sign(t) * 0.5 - t;
	float x = TURN * t;
	float s = x * x;
	return x * (1.0 - s * ${float(1 / 6)} * (1.0 - s * 0.05 * (1.0 - s * ${float(1 / 42)} * (1.0 - s * ${float(1 / 72)}))));
}

float stopped(float u, float h) {
	float t = clamp(u + h, 0.0, 2.0 * h);
	return min(u, h) - 0.25 * t * t / h;
}

// In radii from the sphere's center, with the depth behind it.
vec3 onOrbit(float round_, float side) {
	float behind = sine(round_);
	vec2 orbit = vec2(${float(ELLIPSE.across)} * sine(round_ + 0.25), ${float(ELLIPSE.high)} * behind);
	vec2 lean = u_clip.x > u_clip.y ? ${direction(ELLIPSE.lean.upright)} : vec2(1.0, side) * ${direction(ELLIPSE.lean.wide)};
	return vec3(side * (lean.x * orbit.x - lean.y * orbit.y), lean.y * orbit.x + lean.x * orbit.y, behind);
}

// In clip units, with its depth in front of the sphere's center.
vec3 ridden() {
	float ticks = ${float(ORBIT.turns)} / abs(a_velocityX);
	float ease = ${float(ORBIT.ease)} * ticks;
	float since = age + a_y / a_velocityY;
	float round_ = abs(a_x) + sign(a_velocityX) * ${float(ORBIT.turns)} * smoothstep(0.0, ticks, since + ease);
	vec3 orbit = onOrbit(round_, sign(a_x));
	float rise = a_velocityY * (stopped(since, ease) - stopped(ticks - 2.0 * ease - since, ease));
	vec2 at = u_sphere + radius * orbit.xy;
	return vec3(at.x, at.y * (1.0 - abs(rise) * ${float(1 / FLOAT.edge)}) + rise, -orbit.z);
}

float whole(float across) {
	float most = 1.0 - ${float(SIDES.room / 2)} * size * u_clip.x;
	float beyond = max(0.0, abs(across) - ${float(SIDES.from)} * most);
	float room = ${float(1 - SIDES.from)} * most;
	return across + sign(across) * (room * (1.0 - exp(-beyond / room)) - beyond);
}

vec2 asideAt() {
	float at = u_aside;
	vec3 shares = vec3(0.5 * (1.0 - at) * (1.0 - at), 0.5 + at - at * at, 0.5 * at * at);
	return vec2(dot(a_right, shares), dot(a_up, shares));
}

// Stretches the path of a scene's first floats on a phone.
float longer() {
	float way = arrival() < ${float(BEGINNING.until)} ? ${float(BEGINNING.above)} : ${float(BEGINNING.below)};
	return (way - ${float(BEGINNING.strewn)} * a_y) / (${float(FLOAT.edge)} - a_y) - 1.0;
}

vec2 pastWords() {
	float reach = ${float(QUIET.reach)} * size + ${float(QUIET.fade)};
	float height = 2.0 / u_clip.y;
	float share = wide();
	float y = (1.0 - middle.y) / u_clip.y;
	vec2 ends = vec2(u_words - reach, u_below + reach);
	float between = 0.5 * (u_below + u_footer);
	float from = min(ends.y, between);
	float to = max(u_footer - reach, between);
	float past = -reach
		+ (ends.x + reach) * ${part(CROSSING.gone, CROSSING.above)}
		+ (from - ends.x) * ${part(CROSSING.above, CROSSING.words)}
		+ (to - from) * ${part(CROSSING.words, CROSSING.footer)}
		+ (height + reach - to) * ${part(CROSSING.footer, 1 - CROSSING.gone)};
	float side = a_x - a_velocityX * a_y / a_velocityY < 0.0 ? -1.0 : 1.0;
	float away = abs(y - 0.5 * (u_words + u_below)) - 0.5 * (u_below - u_words) - reach;
	float aside = u_halfWidth > 0.0 && near >= ${float(DEPTH.behind)} ? (u_halfWidth + reach) * u_clip.x * (1.0 - smoothstep(0.0, 1.0, away / (${float(BESIDE)} * height))) : 0.0;
	return mix(middle, vec2(side, 1.0 - past * u_clip.y), vec2(aside * (1.0 - share), share));
}

// Pushes a burst out of words: px from the window's center, y up.
vec2 pushed(vec4 zone, vec2 at, float push) {
	vec2 window = 1.0 / u_clip;
	vec2 words = zone.xy * window;
	vec2 half_ = zone.zw * window;
	vec2 away = at - words;
	vec2 room = abs(away) - half_;
	if (zone.z * zone.w <= ${float(BURST.words)} || max(room.x, room.y) >= push) return at;
	vec2 side = vec2(away.x < 0.0 ? -1.0 : 1.0, away.y > 0.0 ? 1.0 : -1.0);
	float freeX = window.x - half_.x - side.x * words.x;
	float above = window.y - half_.y - words.y;
	float below = window.y - half_.y + words.y;
	if (above > below) side.y = away.y > 0.0 || below < push ? 1.0 : -1.0;
	else side.y = away.y > 0.0 && above >= push ? 1.0 : -1.0;
	if (freeX > (side.y > 0.0 ? above : below)) at.x += side.x * (push - room.x) * ${float(BURST.strew)};
	else at.y += side.y * (push + half_.y - side.y * away.y) * ${float(BURST.strew)};
	return at;
}

float roomAt(vec4 zone, vec2 at, float few) {
	return away(zone, at * u_clip, 0.0) + few * max(0.0, 1.0 - zone.z * zone.w * ${float(1 / BURST.words)});
}

// Places a burst at clip coordinates, with its share of the wanted room.
vec3 burstAt(vec2 ends) {
	vec2 window = 1.0 / u_clip;
	vec2 at = ends * window;
	at.x *= 1.0 + (window.y > window.x ? ${float(BURST.aside.upright)} : ${float(BURST.aside.wide)}) * wide();
	if (ends.y > 0.0) at.y -= max(0.0, ${float(BURST.highest)} - ends.y) * ${float(BURST.down)} * (1.0 - wide()) * window.y;
	float push = ${float(BURST.spark)} + mix(${BURST.push.map(float)}, wide()) * spanPx;
	${eachZone((zone) => `at = pushed(${zone}, at, push);`)}
	vec2 inside = window - ${float(BURST.inside)} * spanPx;
	at = clamp(at, -inside, inside);
	float lowest = window.y - 0.5 * (u_below + u_footer);
	float highest = window.y - 0.5 * (${float(BURST.head)} + u_words);
	if (window.y > window.x) at.y = mix(at.y, clamp(at.y, lowest, highest), wide());
	vec2 planet = u_sphere * window;
	float away = length(at - planet);
	if (away > 0.0) at = planet + (at - planet) * max(1.0, (abs(u_radius) * window.y + ${float(BURST.above)} * spanPx) * u_night / away);
	float few = ${float(BURST.few)} * spanPx;
	vec2 edges = window - abs(at) + ${float(BURST.beyond)} * spanPx;
	float room = min(edges.x, edges.y);
	${eachZone((zone) => `room = min(room, roomAt(${zone}, at, few));`)}
	return vec3(at * u_clip, clamp((room - ${float(BURST.spark)}) / (${float(BURST.reach)} * spanPx), 0.0, 1.0));
}

// A rocket's progress by the share of its flight, which ends at height end.
float flownBy(float time, float end) {
	float share = time * time;
	vec3 past = (1.0 - a_y - u_clip.y * (vec3(u_below, u_words, u_footer) + vec3(${[CLEAR.below, -CLEAR.above, 0].map(float)}))) / (end - a_y);
	if (past.y >= 1.0) {
		past.x = min(1.0, past.z);
		past.y = mix(past.x, 1.0, ${float((HURRY[1] - HURRY[0]) / (1 - HURRY[0]))});
	}
	vec3 ends = vec3(0.0, ${HURRY.map(float)});
	vec3 parts = clamp((time - ends) / vec3(ends.yz - ends.xy, 1.0 - ends.z), 0.0, 1.0);
	float way = dot(vec3(past.x, past.y - past.x, 1.0 - past.y), parts);
	return mix(share, way, wide());
}
`;
