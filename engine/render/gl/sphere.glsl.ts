import { RIM_FADE } from "../hemisphere.ts";
import { SKY_DEPTH } from "../sky.ts";
import {
	DUSK_AIR_SHARE,
	DUSK_LAMP,
	DUSK_TINT_SHARE,
	LEAST_LIGHT,
	LIGHT_BELOW_SPHERE,
	PLANET_AIR,
	PLANET_SHADOW,
	SALUTE_DARKNESS,
	SHADOW_PARALLAX,
	SILK_COOLNESS,
} from "../theme.ts";
import { glslDefines } from "./defines.ts";
import { glsl } from "./glsl.ts";
import { skyGlsl } from "./sky.glsl.ts";
import * as SPHERE from "./sphere-fields.ts";

const BODY = 0.8; // shade toward the rim
const EDGE = 0.9; // light on the lit rim

/** Strength of the rim's reflections at dusk: blue, but rose and weaker on the lit side. */
const FRESNEL = 0.4;

/** Width in radii of the air around the planet, wide enough for its off-center rings. */
const AIR_WIDTH = Math.max(...PLANET_AIR.reach) - 1 + Math.hypot(...PLANET_AIR.middle);

/** Width in radii of the light below the sphere by day, and the heights between which it tapers off. */
const UNDER_WIDTH = Math.hypot(LIGHT_BELOW_SPHERE.radii[0], LIGHT_BELOW_SPHERE.middle[1]) - 1;
const UNDER_ENDS = [-0.7, -0.5];

/**
 * Shades the sphere at its vertices, which is cheaper than any color per pixel. The rim fades into
 * the sky to hide the mesh's corners: antialiasing would make a frame 2.2 times as expensive
 * (measured). All speeds are whole multiples of `u_phase`, so the loop has no seam.
 */
export const sphereVertex = glsl`
precision highp float;

attribute vec3 a_position;
uniform vec4 u[${String(SPHERE.length / 4)}];
varying vec3 v_color;
#define u_view mat4(u[0], u[1], u[2], u[3])
${glslDefines("u_", "u", SPHERE)}

vec3 iridescence(float turn) {
	float w0 = 0.5 + 0.5 * cos(6.2831853 * turn);
	float w1 = 0.5 + 0.5 * cos(6.2831853 * turn - 1.0471976);
	float w2 = 0.5 + 0.5 * cos(6.2831853 * turn - 2.0943951);
	// Weights of opposite silk colors add up to 1, until the powers below sharpen them.
	vec3 a = vec3(w0, w1, w2);
	vec3 b = 1.0 - a;
	a *= a * a * a;
	a *= a;
	b *= b * b * b;
	b *= b;
	return (silk_0 * a.x + silk_1 * a.y + silk_2 * a.z + silk_3 * b.x + silk_4 * b.y + silk_5 * b.z) / dot(a + b, vec3(1.0));
}

// A radial gradient through four premultiplied colors.
vec4 rings(float away, vec4 reach, vec4 a, vec4 b, vec4 c, vec4 d) {
	vec4 ring = mix(a, b, clamp((away - reach.x) / (reach.y - reach.x), 0.0, 1.0));
	ring = mix(ring, c, clamp((away - reach.y) / (reach.z - reach.y), 0.0, 1.0));
	return mix(ring, d, clamp((away - reach.z) / (reach.w - reach.z), 0.0, 1.0));
}

${skyGlsl}
void main() {
	// By day, a salute darkens the sky so that its rockets show.
	float evening = max(u_night, ${SALUTE_DARKNESS} * u_flash);
	if (a_position.z > ${SKY_DEPTH - 0.5}) {
		gl_Position = vec4(a_position.xy, 0.0, 1.0);
		v_color = skyAt(gl_Position, evening);
		return;
	}
	// Folds of the silk, by domain warping.
	vec3 p = vec3(a_position.xy, max(a_position.z, 0.0)) * 1.15;
	p.xz = vec2(u_turn.x * p.x - u_turn.y * p.z, u_turn.y * p.x + u_turn.x * p.z);
	vec3 q = p + 0.55 * sin(p.yzx * 2.1 + vec3(3.0, 4.0, 2.0) * u_phase + vec3(0.0, 1.7, 3.9));
	vec3 r = q + 0.34 * sin(q.zxy * 3.3 - vec3(2.0, 3.0, 5.0) * u_phase + vec3(2.1, 0.4, 5.2));
	float fold = sin(1.9 * r.x + 1.1 * r.y) + sin(1.6 * r.y - 2.2 * r.z + 2.0 * u_phase);

	vec3 normal = normalize(a_position + 0.16 * (r - p));
	vec3 towards = normalize(vec3(vec2(-0.48, 0.62) + 0.4 * u_parallax, 0.62));
	float light = 0.5 + 0.5 * dot(normal, towards);
	// Thin film: slanted light travels farther through the film.
	float film = 1.0 - sqrt(1.0 - (1.0 - a_position.z * a_position.z) / 1.7689);
	vec3 silk = iridescence(0.13 * fold + 0.22 * r.y + 0.55 * film + 0.2);
	silk *= ${LEAST_LIGHT} + 0.1 * light;
	// Unlit silk takes the shade's color, because a darker pastel would look gray.
	silk = mix(shade_0, silk, smoothstep(0.02, 0.52, light));
	// Two highlights, a broad one and a small one.
	float sheen = max(dot(normal, normalize(towards + vec3(0.0, 0.0, 1.0))), 0.0);
	float sheen4 = sheen * sheen * sheen * sheen;
	float sheen16 = sheen4 * sheen4 * sheen4 * sheen4;
	silk = mix(silk, sheen_0, 0.30 * sheen4 + 0.62 * sheen16 * sheen16);
	// A wide, soft light behind the words.
	vec2 wide = a_position.xy * vec2(0.95, 1.25);
	float middle = max(0.0, 1.0 - dot(wide, wide));
	silk = mix(silk, sheen_0, (0.28 + 0.2 * u_swell) * middle * middle);
	// Toward the rim the silk first turns rose, because lilac shade would gray yellow silk.
	float edge = 1.0 - max(a_position.z, 0.0);
	float lit = smoothstep(-0.2, 0.7, dot(a_position, towards));
	silk = mix(silk, mix(shade_0, silk_0, lit), ${BODY} * smoothstep(0.3, 0.72, edge));
	silk = mix(silk, mix(mix(halo_0, sheen_0, lit), halo_1, u_night), max(${EDGE} * lit, 0.4 * u_night) * smoothstep(0.62, 0.86, edge));
	// At night a planet: in shadow, with a crescent at its rim.
	vec4 shadow = rings(
		distance(a_position.xy, vec2(${PLANET_SHADOW.middle}) - ${SHADOW_PARALLAX} * u_parallax), vec4(${PLANET_SHADOW.reach}),
		vec4(night_1, 1.0) * ${PLANET_SHADOW.alpha[0]}, vec4(dusk_1, 1.0) * ${PLANET_SHADOW.alpha[1]},
		vec4(dusk_0, 1.0) * ${PLANET_SHADOW.alpha[2]}, vec4(halo_1, 1.0) * ${PLANET_SHADOW.alpha[3]}
	);
	float far = min(1.0, distance(a_position.xy, vec2(${DUSK_LAMP.middle})) / ${DUSK_LAMP.reach});
	float lamp = mix(${DUSK_LAMP.near}, ${DUSK_LAMP.far}, far);
	lamp = max(lamp, ${DUSK_LAMP.near} * mix(0.65, 1.0, lit) * smoothstep(0.6, 0.8, edge));
	vec3 dusky = mix(night_1, vec3(silk.r * silk.r * silk.r, silk.g * silk.g * (${1 + SILK_COOLNESS} - ${SILK_COOLNESS} * silk.r), sqrt(sqrt(silk.b))) * mix(dusk_0, dusk_1, far), lamp);
	dusky = mix(dusky, mix(silk_4, silk_0, lit), ${FRESNEL} * (1.0 - 0.7 * lit) * u_flash * smoothstep(0.45, 1.0, edge));
	silk = mix(silk, between_1, ${DUSK_TINT_SHARE} * warmth(u_night) * u_sunken);
	silk = mix(silk, mix(dusky, silk * (1.0 - shadow.a) + shadow.rgb, u_sunken), darkness(u_night));
	// The rim is bright on the lit side at dusk, and below a burst at night.
	float limb = mix(lit * lit, 1.0 - 0.5 * abs(a_position.x - u_flashX), u_sunken);
	silk = mix(silk, mix(dusk_0, halo_1, limb), u_night * u_flash * max(limb, 0.6) * smoothstep(mix(0.975, 0.9, u_sunken), 1.0, length(a_position.xy)));

	// Beyond the rim, the mesh draws air at dusk and night, and by day the light below the sphere.
	float aired = max(u_sunken, u_night * ${DUSK_AIR_SHARE} * lit);
	float width = mix(${UNDER_WIDTH} * (1.0 - smoothstep(${UNDER_ENDS}, a_position.y)), ${AIR_WIDTH}, max(u_sunken, u_night));
	float beyond = max(0.0, -a_position.z) * width;
	vec2 there = a_position.xy * (1.0 + beyond);
	gl_Position = u_view * vec4(there, 0.0, 1.0);
	vec4 air = aired * rings(
		distance(there, vec2(${PLANET_AIR.middle})), vec4(${PLANET_AIR.reach}),
		vec4(mix(dusk_0, halo_1, u_sunken), 1.0) * ${PLANET_AIR.alpha[0]}, vec4(dusk_0, 1.0) * ${PLANET_AIR.alpha[1]},
		vec4(dusk_0, 1.0) * ${PLANET_AIR.alpha[2]}, vec4(dusk_0, 1.0) * ${PLANET_AIR.alpha[3]}
	);
	vec3 behind = mix(skyAt(gl_Position, evening), shade_0, ${LIGHT_BELOW_SPHERE.alpha} * (1.0 - warmth(u_night)) * glow(there, vec2(${LIGHT_BELOW_SPHERE.middle}), vec2(${LIGHT_BELOW_SPHERE.radii})));
	behind = behind * (1.0 - air.a) + air.rgb;
	// Blends with the sky here, because GL's blending would cost twice as much.
	v_color = mix(behind, silk, smoothstep(${RIM_FADE.to}, ${RIM_FADE.from}, a_position.z));
}`;

export const sphereFragment = glsl`
precision mediump float;

varying vec3 v_color;

void main() {
	gl_FragColor = vec4(v_color, 1.0);
}`;

/**
 * Hides 8-bit banding with interleaved gradient noise (Jimenez 2014). Noise of one color step leaves
 * runs of 19 equal device pixels, 1.5 steps only 5 (measured). Needs highp.
 */
export const grainyFragment = glsl`
precision highp float;

varying vec3 v_color;

void main() {
	float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
	gl_FragColor = vec4(v_color + (grain - 0.5) / 170.0, 1.0);
}`;
