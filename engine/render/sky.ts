import { DUSK_ALPHA } from "./looks.ts";

/** Where the sky's gradients bend, as shares of the height: each has a row of the grid to itself. */
const BENDS = [0, 0.38, 0.52, 0.66, 0.86, 1];

/**
 * Cells of the sky's grid from side to side, and most from top to bottom, with few pixels for each CSS
 * px or with many. Beside a grid of 56 by 80 no channel of a pixel differs by more than 6 of 255, and by
 * more than 3: no triangle shows.
 */
export const SKY_CELLS = { coarse: [8, 14], fine: [14, 20] } as const;

/** z of the sky's positions, by which the vertex shader tells them from the sphere's. */
export const BEYOND = 2;

/**
 * The sky as a mesh over the whole canvas. The vertex shader computes its colours at the corners,
 * as it does the sphere's: a pixel of sky then costs next to nothing, and one draw call has both.
 * @returns positions, three numbers a vertex: clip units and `BEYOND`; triangles counter-clockwise
 */
export function createSkyGrid([columns, most]: readonly [number, number]): {
	positions: number[];
	triangles: number[];
} {
	const rows = BENDS.slice(1).flatMap((bend, i) => {
		const from = BENDS[i]!;
		const cells = Math.max(1, Math.floor((bend - from) * most));
		return Array.from(
			{ length: cells },
			(_, cell) => bend - ((bend - from) * cell) / cells,
		).reverse();
	});
	const positions: number[] = [];
	const triangles: number[] = [];
	// From the bottom upwards.
	const heights = [...rows.reverse(), 0];
	for (const height of heights)
		for (let column = 0; column <= columns; column++)
			positions.push((column / columns) * 2 - 1, 1 - 2 * height, BEYOND);
	for (let row = 0; row < rows.length; row++)
		for (let column = 0; column < columns; column++) {
			const corner = row * (columns + 1) + column;
			const above = corner + columns + 1;
			triangles.push(corner, corner + 1, above, above, corner + 1, above + 1);
		}
	return { positions, triangles };
}

/**
 * How much of a light is left at shares of its radius: the style sheet's stops of `glow`, which is
 * flat in its middle and at its end, so that no edge shows.
 */
export const GLOW = [0, 0.25, 0.5, 0.75, 1].map((away) => [away, (1 - away * away) ** 2] as const);

/**
 * GLSL: the colour of the sky at a place in clip units, by the gradients of the style sheet
 * (`.morning` and `.night` in stage.css). The colours are declared before it: see looks.ts.
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
	vec3 morning = mix(morning_0, morning_1, clamp(at.y / 0.38, 0.0, 1.0));
	morning = mix(morning, morning_2, clamp((at.y - 0.38) / 0.28, 0.0, 1.0));
	morning = mix(morning, morning_3, clamp((at.y - 0.66) / 0.34, 0.0, 1.0));
	morning = mix(morning, dawn_2, 0.85 * glow(at, vec2(0.96, 0.04), vec2(0.52, 0.44)));
	morning = mix(morning, dawn_1, 0.8 * glow(at, vec2(0.08, 0.96), vec2(0.44, 0.40)));
	morning = mix(morning, dawn_0, 0.75 * glow(at, vec2(0.5), vec2(0.60, 0.46)));

	vec3 dark = mix(night_0, night_1, clamp(at.y / 0.52, 0.0, 1.0));
	dark = mix(dark, night_2, clamp((at.y - 0.52) / 0.34, 0.0, 1.0));
	dark = mix(dark, night_3, clamp((at.y - 0.86) / 0.14, 0.0, 1.0));
	// Two stops of one light: style sheets mix them with their opacity already in them.
	float light = max(0.0, 1.0 - length((at - vec2(0.5, 1.0)) / vec2(0.64, 0.52)));
	vec4 outer = vec4(dusk_1, 1.0) * ${DUSK_ALPHA.outer};
	vec4 inner = vec4(dusk_0, 1.0) * ${DUSK_ALPHA.inner};
	vec4 dusk = mix(outer * clamp(light / 0.55, 0.0, 1.0), inner, clamp((light - 0.55) / 0.45, 0.0, 1.0));
	dark = dark * (1.0 - dusk.a) + dusk.rgb;

	// Straight from morning to night, the sky would be mud half-way.
	vec3 between = mix(between_0, between_1, clamp(at.y / 0.55, 0.0, 1.0));
	between = mix(between, between_2, clamp((at.y - 0.55) / 0.45, 0.0, 1.0));
	return mix(mix(morning, between, warmth(night)), dark, darkness(night));
}
`;
