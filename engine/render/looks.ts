/** How the picture looks, apart from what happens in it: whoever embeds the engine chooses it. */
export interface Looks {
	/**
	 * As many as `EMOJI` has, because the simulation counts on them. The one in the place of the rocket
	 * there flies as rockets: it must be painted heading up and to the right.
	 */
	readonly emoji: readonly string[];
	readonly colours: Colours;
}

/** Colours as `#rrggbb`. The shaders know each by its name here and its place in the list. */
export interface Colours {
	/** The morning sky from top to bottom: see `STOPS` in sky.ts. */
	readonly morning: readonly string[];
	/** Lights in it: in the middle, low on the left, high on the right. */
	readonly dawn: readonly string[];
	/** The sky half-way to the night and back, from top to bottom. */
	readonly between: readonly string[];
	/** The night sky from top to bottom. */
	readonly night: readonly string[];
	/** One light in it, from below: its middle and its rim. */
	readonly dusk: readonly string[];
	/** The sphere: six colours in a circle, each melting into its neighbours. */
	readonly silk: readonly string[];
	/** Its shade below, and the light that it reflects. */
	readonly shade: readonly string[];
	readonly sheen: readonly string[];
	/** What its rim takes on from the sky, in the morning and at night. */
	readonly halo: readonly string[];
}

/** What light leaves of the silk by day, at least: the contrast of the words before it counts on it. */
export const LEAST_LIGHT = 0.96;

/** A light or a shadow on the sphere: four colours, each in a ring around its middle. */
export interface Rings {
	/** In radii from the sphere's middle, to the right and upwards. */
	readonly middle: readonly number[];
	/** How far from there each colour lies, in radii: what is between two is mixed of them. */
	readonly reach: readonly number[];
	/** How much each hides of what lies behind. */
	readonly alpha: readonly number[];
}

/**
 * The planet at night is the sphere in shadow. The shadow's middle is away from the light, which leaves
 * a crescent at the rim. Its colours are `night_1`, `dusk_1`, `dusk_0` and `halo_1`.
 */
export const SHADOW: Rings = {
	middle: [0.022, -0.043],
	reach: [0.83, 0.987, 1.027, 1.05],
	alpha: [0.96, 0.88, 0.92, 1],
};

/**
 * The sphere at dusk, in its place: its silk in the light of `dusk_0`, with red cubed and green squared, which is
 * more colourful. That light has little green, which is most of luminance: words bear twice as much of it as of a
 * pale one. Silk with little red has more of it, and stays cool. Of blue it takes the fourth root, or yellow silk would
 * be brown, and not rose. So much of it is seen in `night_1`: at the point that is lit, in radii from the middle, and,
 * where it is lit, at the rim; and at a distance from there, where its light is `dusk_1`. The contrast of the words
 * before it counts on it.
 */
export const LAMP = {
	middle: [-0.45, 0.55],
	reach: 1.1,
	near: 0.76,
	far: 0.72,
} as const;

/** At dusk the sphere has so much more of its green where it has no red: cool silk stays cool in purple light. */
export const COOL = 1.2;

/**
 * At dusk the limb is bright where words are within it: in windows that are so many px high and more, and the less the
 * nearer it is to the window's sides than this, in halves of its width.
 */
export const LIMB = { leastHeight: 720, aside: 0.15 } as const;

/** How much of `between_1` the silk takes on below the shadow. */
export const DUSKY = 0.5;

/** How far the shadow's middle goes, in radii, where the visitor points to the edge of the window. */
export const SHADOW_LEAN = 0.015;

/** The air around it. Its colours are `halo_1`, and three times `dusk_0`. */
export const AIR: Rings = {
	middle: [-0.012, 0.02],
	reach: [0.976, 0.986, 1.025, 1.1],
	alpha: [0.8, 0.36, 0.14, 0],
};

/** How much of that air is around the lit side of the sphere at dusk, all of it `dusk_0`. */
export const AURA = 0.7;

/** How much of the night comes for a salute by day. The contrast of the words counts on it. */
export const EVENING = 0.2;

/**
 * The light that the sphere throws on the morning sky below it, so that it does not look pasted there: its
 * middle and its radii, in radii of the sphere. Its colour is the sphere's shade.
 */
export const UNDER = { middle: [0, -0.98], radii: [0.94, 0.34], alpha: 0.5 } as const;

/** Red, green and blue of a colour, from 0 to 255. */
export const channelsOf = (colour: string): number[] =>
	[1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** GLSL that declares colours, as in `silk_0`: it stands before a shader that names them. */
export function glslColours(colours: Colours): string {
	return Object.entries<readonly string[]>({ ...colours })
		.flatMap(([name, list]) =>
			list.map((colour, place) => {
				const channels = channelsOf(colour).map((channel) => channel / 255);
				return `const vec3 ${name}_${place}=vec3(${channels});`;
			}),
		)
		.join("");
}
