import { DAWN_LIGHTS, DUSK_LIGHT, SKY_STOPS } from "../sky.ts";
import { glsl } from "./glsl.ts";

const glslStops = (name: keyof typeof SKY_STOPS) =>
	SKY_STOPS[name].slice(1).reduce((above, to, i) => {
		const from = SKY_STOPS[name][i]!;
		return glsl`mix(${above}, ${name}_${String(i + 1)}, clamp((at.y - ${from}) / ${to - from}, 0.0, 1.0))`;
	}, `${name}_0`);

/** Blends the lights into the morning, the top layer last. */
const glslDawn = DAWN_LIGHTS.map(
	({ middle, radii, alpha }, i) =>
		glsl`morning = mix(morning, dawn_${String(i)}, ${alpha} * glow(at, vec2(${middle}), vec2(${radii})));`,
)
	.reverse()
	.join("\n\t");

/**
 * The sky's color at a point in clip units, as in the style sheet's gradients (brand-styles.ts).
 *
 * The canvas draws the sky because a transparent canvas is slow without a GPU: the browser would
 * composite more window-sized layers in each frame.
 */
export const skyGlsl = glsl`
// A light's strength at a point: 1 at its middle, 0 from its radius on.
float glow(vec2 at, vec2 middle, vec2 radius) {
	vec2 away = (at - middle) / radius;
	float left = max(0.0, 1.0 - dot(away, away));
	return left * left;
}

// Share of the sky that theme.ts calls "between".
float warmth(float night) {
	return smoothstep(0.0, 0.5, night);
}

// Share of the night's colors. Green darkens first, so the sky stays rose and violet.
vec3 darkness(float night) {
	return smoothstep(vec3(0.3, 0.2, 0.4), vec3(1.0, 0.85, 1.0), vec3(night));
}

vec3 skyAt(vec4 place, float night) {
	// (0, 0) is the top left, (1, 1) the bottom right.
	vec2 at = vec2(0.5, -0.5) * place.xy + 0.5;
	vec3 morning = ${glslStops("morning")};
	${glslDawn}

	vec3 dark = ${glslStops("night")};
	// Interpolates premultiplied colors, like style sheets.
	float light = max(0.0, 1.0 - length((at - vec2(${DUSK_LIGHT.middle})) / vec2(${DUSK_LIGHT.radii})));
	vec4 outer = vec4(dusk_1, 1.0) * ${DUSK_LIGHT.outer};
	vec4 inner = vec4(dusk_0, 1.0) * ${DUSK_LIGHT.inner};
	float inside = ${1 - DUSK_LIGHT.outerAt};
	vec4 dusk = mix(outer * clamp(light / inside, 0.0, 1.0), inner, clamp((light - inside) / (1.0 - inside), 0.0, 1.0));
	dark = dark * (1.0 - dusk.a) + dusk.rgb;

	// A direct mix of morning and night would look muddy.
	vec3 between = ${glslStops("between")};
	return mix(mix(morning, between, warmth(night)), dark, darkness(night));
}
`;
