import { DUSK_ALPHA } from "./looks.ts";

/**
 * Cells of the grid both ways. The sky's gradients are wide: with twice as many cells no channel of
 * a pixel differs by more than 5 of 255, while the triangles took a fifth of a small frame's time.
 */
const COLUMNS = 8;
const ROWS = 12;

/** z of the sky's positions, by which the vertex shader tells them from the sphere's. */
export const BEYOND = 2;

/**
 * The sky as a mesh over the whole canvas. The vertex shader computes its colours at the corners,
 * as it does the sphere's: a pixel of sky then costs next to nothing, and one draw call has both.
 * @returns positions, three numbers a vertex: clip units and `BEYOND`; triangles counter-clockwise
 */
export function createSkyGrid(): { positions: number[]; triangles: number[] } {
	const positions: number[] = [];
	const triangles: number[] = [];
	for (let row = 0; row <= ROWS; row++)
		for (let column = 0; column <= COLUMNS; column++)
			positions.push((column / COLUMNS) * 2 - 1, (row / ROWS) * 2 - 1, BEYOND);
	for (let row = 0; row < ROWS; row++)
		for (let column = 0; column < COLUMNS; column++) {
			const corner = row * (COLUMNS + 1) + column;
			const above = corner + COLUMNS + 1;
			triangles.push(corner, corner + 1, above, above, corner + 1, above + 1);
		}
	return { positions, triangles };
}

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
	return max(0.0, 1.0 - length((at - middle) / radius));
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
	float light = glow(at, vec2(0.5, 1.0), vec2(0.64, 0.52));
	vec4 outer = vec4(dusk_1, 1.0) * ${DUSK_ALPHA.outer};
	vec4 inner = vec4(dusk_0, 1.0) * ${DUSK_ALPHA.inner};
	vec4 dusk = mix(outer * clamp(light / 0.55, 0.0, 1.0), inner, clamp((light - 0.55) / 0.45, 0.0, 1.0));
	dark = dark * (1.0 - dusk.a) + dusk.rgb;

	return mix(morning, dark, night);
}
`;
