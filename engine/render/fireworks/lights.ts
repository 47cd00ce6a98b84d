import {
	KIND,
	KIND_NAMES,
	type KindName,
	ordinalOf,
	type Rings,
	type Simulation,
} from "../../simulation/index.ts";
import { ATLAS } from "../atlas.ts";

/** A glow drawn under its particle. At night it brightens the background, by day it covers it. */
export interface Light {
	/** Ticks that the particle needs to fly the light's length, or `FLASH_LAG` if the light stays in place. */
	readonly lag: number;
	/** As a share of the particle's size; a flash's as a share of a span (place.ts). */
	readonly radius: number;
}

/** A light with a larger lag is a trail, which is brightest at its end, the particle. */
export const TRAIL_LAG_TICKS = 20;

export const FLASH_LAG = -1;

const SPARK: Light = { lag: 36, radius: 0.3 };

const LIGHTS: Readonly<Record<KindName, { first: readonly Light[]; others: readonly Light[] }>> = {
	float: { first: [], others: [] },
	rocket: {
		// A long thin trail, and the flame.
		first: [
			{ lag: 22, radius: 0.3 },
			{ lag: 4, radius: 0.8 },
		],
		others: [],
	},
	// One spark per burst carries the flash.
	spark: { first: [{ lag: FLASH_LAG, radius: 0.42 }, SPARK], others: [SPARK] },
};
const LIGHTS_BY_KIND = KIND_NAMES.map((name) => LIGHTS[name]);

/** Brightness starts at `first` and halves every `half` ticks; a rocket's is constant. */
export const LIGHT_STYLE = {
	rocket: 0.85,
	spark: { first: 1.3, half: 40 },
	flash: { first: 1.6, half: 4 },
	/** Width of a trail's far end, relative to its head. The 2D canvas cannot taper trails. */
	taper: 0.4,
	/** Opacity by day, when lights cover the background. */
	byDay: 0.95,
	/** Factors on a flash's radius and brightness, by day and at night. */
	flashByDay: [0.6, 1],
	/** Darker lights are skipped. */
	least: 0.01,
} as const;

export function lightBrightnessAt(kind: number, flash: boolean, age: number): number {
	if (kind === KIND.rocket) return LIGHT_STYLE.rocket;
	const { first, half } = flash ? LIGHT_STYLE.flash : LIGHT_STYLE.spark;
	return first * 2 ** (-age / half);
}

function kindOf(rings: Rings, slot: number): number {
	let kind = rings.length - 1;
	while (slot < rings[kind].first) kind--;
	return kind;
}

export function lightsOf({ rings }: Simulation, slot: number): readonly Light[] {
	const kind = kindOf(rings, slot);
	const { first, others } = LIGHTS_BY_KIND[kind];
	return (slot - rings[kind].first) % rings[kind].width === 0 ? first : others;
}

/** Each burst has one color, different from the previous burst's. */
export const lightCellOf = ({ rings }: Simulation, slot: number): number =>
	ATLAS.glow + (ordinalOf(rings[kindOf(rings, slot)], slot) % ATLAS.glows);

/** Fireworks scale with the window, like bursts: 0.8 on a phone, 1.4 at 1440 x 900. */
export const FIREWORKS_SCALE = { least: 0.24, perPx: 1 / 480 } as const;
export const fireworksScaleAt = (span: number): number =>
	FIREWORKS_SCALE.least + span * FIREWORKS_SCALE.perPx;
