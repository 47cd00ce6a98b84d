import { DAWN, DUSK, STOPS } from "../sky.ts";

/** GLSL: the colours of a sky, one melting into the next, at the height `at.y`. */
const glslStops = (name: keyof typeof STOPS) =>
	STOPS[name].slice(1).reduce((above, to, i) => {
		const from = STOPS[name][i]!;
		return `mix(${above}, ${name}_${i + 1}, clamp((at.y - ${glsl(from)}) / ${glsl(to - from)}, 0.0, 1.0))`;
	}, `${name}_0`);

/** GLSL: the morning with its lights, the nearest last. */
const glslDawn = DAWN.map(
	({ middle, radii, alpha }, i) =>
		`morning = mix(morning, dawn_${i}, ${alpha} * glow(at, ${glslPair(middle)}, ${glslPair(radii)}));`,
)
	.reverse()
	.join("\n\t");

/**
 * GLSL: the colour of the sky at a place in clip units, by the gradients of the style sheet
 * (`.morning` and `.night` in brand-styles.ts). The colours are declared before it: see looks.ts.
 *
 * The sky is drawn so that the canvas can be opaque. Where a canvas lets the page's sky shine
 * through, the browser composes every frame from more layers as large as the window, which takes
 * most of the time of a machine without a GPU.
 */
export const skyAt = /* glsl */ `
// What is left of a light at this distance from its middle, in its radii.
float glow(vec2 at, vec2 middle, vec2 radius) {
	vec2 away = (at - middle) / radius;
	float left = max(0.0, 1.0 - dot(away, away));
	return left * left;
}

// How far the sky has come on its way from morning to what lies between, and from there to night. Green
// goes first and blue last, so that the light stays rose and violet to its end.
float warmth(float night) {
	return smoothstep(0.0, 0.5, night);
}

vec3 darkness(float night) {
	return smoothstep(vec3(0.3, 0.2, 0.4), vec3(1.0, 0.85, 1.0), vec3(night));
}

vec3 skyAt(vec4 place, float night) {
	// From 0, 0 at the top left to 1, 1.
	vec2 at = vec2(0.5, -0.5) * place.xy + 0.5;
	vec3 morning = ${glslStops("morning")};
	${glslDawn}

	vec3 dark = ${glslStops("night")};
	// Two stops of one light: style sheets mix them with their opacity already in them.
	float light = max(0.0, 1.0 - length((at - ${glslPair(DUSK.middle)}) / ${glslPair(DUSK.radii)}));
	vec4 outer = vec4(dusk_1, 1.0) * ${DUSK.outer};
	vec4 inner = vec4(dusk_0, 1.0) * ${DUSK.inner};
	float inside = ${glsl(1 - DUSK.outerAt)};
	vec4 dusk = mix(outer * clamp(light / inside, 0.0, 1.0), inner, clamp((light - inside) / (1.0 - inside), 0.0, 1.0));
	dark = dark * (1.0 - dusk.a) + dusk.rgb;

	// Straight from morning to night, the sky would be mud half-way.
	vec3 between = ${glslStops("between")};
	return mix(mix(morning, between, warmth(night)), dark, darkness(night));
}
`;

/** GLSL needs a point in each number with a fraction, and none of the digits that fractions leave. */
function glsl(share: number): string {
	return share.toFixed(2);
}

function glslPair(pair: readonly [number, number]): string {
	return `vec2(${pair.map(glsl).join(", ")})`;
}
