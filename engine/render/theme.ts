export interface Theme {
	/** One for each of `EMOJI` in rules.ts. The rocket must point up and to the right. */
	readonly emoji: readonly string[];
	readonly colors: Colors;
}

/** Colors as `#rrggbb`. Shaders name each by its key and index, such as `silk_0`. */
export interface Colors {
	/** The morning sky, top to bottom. */
	readonly morning: readonly string[];
	/** Lights of the morning: center, bottom left, top right. */
	readonly dawn: readonly string[];
	/** The sky halfway between morning and night, top to bottom. */
	readonly between: readonly string[];
	readonly night: readonly string[];
	/** The night's light from below: center and rim. */
	readonly dusk: readonly string[];
	/** Six colors of the sphere in a circle; each blends into its neighbors. */
	readonly silk: readonly string[];
	readonly shade: readonly string[];
	readonly sheen: readonly string[];
	/** The rim's reflection of the sky, in the morning and at night. */
	readonly halo: readonly string[];
}

/** Lowest brightness factor of the silk; the contrast of words depends on it. */
export const LEAST_LIGHT = 0.96;

/** A radial gradient of four colors. */
export interface ColorRings {
	/** In radii from the sphere's center, to the right and up. */
	readonly middle: readonly number[];
	/** Radius of each color. */
	readonly reach: readonly number[];
	readonly alpha: readonly number[];
}

/**
 * At night the sphere is in this shadow, off-center to leave a crescent at the rim. Its colors are
 * `night_1`, `dusk_1`, `dusk_0` and `halo_1`.
 */
export const PLANET_SHADOW: ColorRings = {
	middle: [0.022, -0.043],
	reach: [0.83, 0.987, 1.027, 1.05],
	alpha: [0.96, 0.88, 0.92, 1],
};

/**
 * Opacity of dusk's purple light on the silk: `near` at `middle` and the lit rim, `far` from the
 * distance `reach` on, in radii. Purple has little green, so words on it stay readable.
 */
export const DUSK_LAMP = {
	middle: [-0.45, 0.55],
	reach: 1.1,
	near: 0.76,
	far: 0.72,
} as const;

/** Extra green for silk with little red: blue and green stay cool in dusk's purple light. */
export const SILK_COOLNESS = 1.2;

/**
 * At dusk the rim is bright in windows at least `leastHeight` px high. It fades out as the gap between
 * the sphere and the window's sides shrinks from `aside` to 0, as a share of half the window's width.
 */
export const DUSK_RIM = { leastHeight: 720, aside: 0.15 } as const;

/** Share of `between_1` in the planet's silk, under `PLANET_SHADOW`. */
export const DUSK_TINT_SHARE = 0.5;

/** Offset of `PLANET_SHADOW` in radii when the pointer is at the window's edge. */
export const SHADOW_PARALLAX = 0.015;

/** The air around the planet. Its innermost color is `halo_1`, the three others `dusk_0`. */
export const PLANET_AIR: ColorRings = {
	middle: [-0.012, 0.02],
	reach: [0.976, 0.986, 1.025, 1.1],
	alpha: [0.8, 0.36, 0.14, 0],
};

/** Factor on the opacity of `PLANET_AIR` at dusk, when only the lit side has air. */
export const DUSK_AIR_SHARE = 0.7;

/** How dark a salute makes the day: 1 is night. Words must stay readable (picture-bounds.ts). */
export const SALUTE_DARKNESS = 0.2;

/** The sphere's light on the sky, in radii. Without it, the sphere looks pasted on. */
export const LIGHT_BELOW_SPHERE = { middle: [0, -0.98], radii: [0.94, 0.34], alpha: 0.5 } as const;

export const rgbChannelsOf = (color: string): number[] =>
	[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** GLSL declarations of colors, such as `silk_0`, to prepend to shaders. */
export function glslColors(colors: Colors): string {
	return Object.entries<readonly string[]>({ ...colors })
		.flatMap(([name, list]) =>
			list.map((color, place) => {
				const channels = rgbChannelsOf(color).map((channel) => channel / 255);
				return `const vec3 ${name}_${place}=vec3(${channels});`;
			}),
		)
		.join("");
}
