import {
	KIND,
	KIND_NAMES,
	type KindName,
	ordinalOf,
	type Rings,
	type Simulation,
} from "../../simulation/index.ts";
import { ATLAS } from "../atlas.ts";

/**
 * Light that belongs to a particle, painted before it from a cell of the atlas. At night it adds to what is
 * behind it, and by day it hides that.
 */
export interface Light {
	/**
	 * Ticks between its two ends: it reaches from where the particle was to where it is, so that what
	 * flies fast has a long one. `FLASH` stays where the particle was born.
	 */
	readonly lag: number;
	/** Its radius, as a share of the particle's size; a flash's as a share of a span. */
	readonly radius: number;
}

/** A light with a longer lag is brightest at its head, where the particle is, and ends there. */
export const LONG = 20;

/** The lag of a flash, which has none. */
export const FLASH = -1;

const SPARK: Light = { lag: 36, radius: 0.4 };

/** Lights of each kind: of the first particle of a birth, and of all others. */
const LIGHTS: Readonly<Record<KindName, { first: readonly Light[]; others: readonly Light[] }>> = {
	float: { first: [], others: [] },
	rocket: {
		// A long thin trail, and the fire below.
		first: [
			{ lag: 22, radius: 0.3 },
			{ lag: 4, radius: 0.8 },
		],
		others: [],
	},
	// One spark of each burst has the flash.
	spark: { first: [{ lag: FLASH, radius: 0.42 }, SPARK], others: [SPARK] },
};
const LIGHTS_BY_KIND = KIND_NAMES.map((name) => LIGHTS[name]);

/**
 * How lights shine, alike in the shader and on the 2D canvas. Brightness begins with `first`, and falls to half in so
 * many ticks.
 */
export const SHINE = {
	rocket: 0.85,
	spark: { first: 1.6, half: 40 },
	flash: { first: 1.6, half: 4 },
	/** Width of a long one at its far end, as a share of that at its head; on the 2D canvas it is an ellipse. */
	taper: 0.12,
	/** By day, when there is no dark to add light to, lights are dye that hides the sky: how much of it. */
	byDay: 0.95,
	/** A flash is smaller and paler by day: shares of its radius and of its brightness, by day and at night. */
	flashByDay: [0.6, 1],
	/** What is darker than this is not drawn. */
	least: 0.01,
} as const;

/** Brightness of a light at an age in ticks, by the kind of its particle. */
export function brightnessOf(kind: number, flash: boolean, age: number): number {
	if (kind === KIND.rocket) return SHINE.rocket;
	const { first, half } = flash ? SHINE.flash : SHINE.spark;
	return first * 2 ** (-age / half);
}

function kindOf(rings: Rings, slot: number): number {
	let kind = rings.length - 1;
	while (slot < rings[kind].first) kind--;
	return kind;
}

/** Lights of the particle in a slot, from the farthest back to the nearest. */
export function lightsOf({ rings }: Simulation, slot: number): readonly Light[] {
	const kind = kindOf(rings, slot);
	const { first, others } = LIGHTS_BY_KIND[kind];
	return (slot - rings[kind].first) % rings[kind].width === 0 ? first : others;
}

/** The atlas's cell with the light of a particle: one colour for all sparks of a burst, and others for the next ones. */
export const lightCellOf = ({ rings }: Simulation, slot: number): number =>
	ATLAS.glow + (ordinalOf(rings[kindOf(rings, slot)], slot) % ATLAS.glows);

/**
 * Fireworks are larger on larger screens, as bursts are: by this factor, of the px in a span. It is 0.8
 * on a phone, 1.4 at 1440 x 900 and 2.2 at 2560 x 1440.
 */
export const GROWTH = { least: 0.24, perPx: 1 / 480 } as const;
export const growthAt = (span: number): number => GROWTH.least + span * GROWTH.perPx;
