import { DUSK_LIGHT } from "../../../engine/render/sky.ts";
import {
	DUSK_AIR_SHARE,
	DUSK_LAMP,
	LEAST_LIGHT,
	PLANET_AIR,
	PLANET_SHADOW,
	SALUTE_DARKNESS,
	SILK_COOLNESS,
} from "../../../engine/render/theme.ts";
import { smoothstep } from "../../../engine/simulation/index.ts";
import { type Rgb, rgb } from "../../shared/rgb.ts";
import type { Palette } from "./brand-styles.ts";
import { LUMINANCE_SHARES, luminance, luminanceSlope } from "./contrast.ts";

/** Lowest luminance behind words by day, without sprites: the picture only contains blends of `colors`. */
export function leastDayLuminance({ sky, sphere }: Omit<Palette, "inks">): number {
	const morning = [...sky.morning.colors, ...sky.morning.lights].map(rgb);
	// During a salute, the shader's `warmth` mixes the morning with the colors between morning and night.
	const warmth = smoothstep(2 * SALUTE_DARKNESS);
	const colors = [
		...morning,
		...morning.flatMap((color) => sky.between.map((other) => blend(color, rgb(other), warmth))),
		...sphere.silk.map((color) => blend(BLACK, rgb(color), LEAST_LIGHT)),
		...[sphere.shade, sphere.sheen, sphere.halo[0]!].map(rgb),
	];
	return Math.min(
		...Object.values(LUMINANCE_SHARES).map((shares) => leastLuminance(colors, shares)),
	);
}

/**
 * Highest luminance behind words at night and at dusk, without sprites. A blend is never brighter
 * than its brightest color, because luminance is convex in the channels. Words avoid the planet's
 * bright rim (camera.ts).
 */
export function mostNightLuminance({ sky, sphere }: Omit<Palette, "inks">) {
	const [inner, outer] = sky.night.lights.map(rgb);
	const colors = sky.night.colors.map(rgb);
	const brightest = (grounds: readonly Rgb[], light: Rgb, alpha: number) =>
		Math.max(
			...Object.values(LUMINANCE_SHARES).flatMap((shares) =>
				grounds.map((ground) => luminance(blend(ground, light, alpha), shares)),
			),
		);
	const dark = brightest(colors, outer!, 0);
	const aboveLight = Math.max(dark, brightest(colors, outer!, DUSK_LIGHT.outer));
	const inDusk = ([red, green, blue]: Rgb): Rgb => {
		const light = [
			(red / 255) ** 3,
			(green / 255) ** 2 * (1 + SILK_COOLNESS - (SILK_COOLNESS * red) / 255),
			(blue / 255) ** 0.25,
		];
		return light.map((part, i) => part * inner![i]!) as unknown as Rgb;
	};
	const surface = [...sphere.silk, sphere.shade, sphere.sheen, sphere.halo[1]!];
	const body = [sky.between[1]!, ...surface].map(rgb);
	const inLight = Math.max(aboveLight, brightest(colors, inner!, DUSK_LIGHT.inner));
	return {
		anywhere: Math.max(
			// The footer's words are in front of the sphere's aura.
			brightest(
				colors,
				inner!,
				1 - (1 - DUSK_LIGHT.inner) * (1 - DUSK_AIR_SHARE * PLANET_AIR.alpha[1]!),
			),
			brightest(body, colors[1]!, PLANET_SHADOW.alpha[0]!),
			brightest(body, outer!, PLANET_SHADOW.alpha[1]!),
			brightest(
				body,
				blend(outer!, inner!, 0.5),
				(PLANET_SHADOW.alpha[1]! + PLANET_SHADOW.alpha[2]!) / 2,
			),
		),
		aboveLight,
		dusk: Math.max(inLight, brightest(body.map(inDusk), colors[1]!, 1 - DUSK_LAMP.near)),
	};
}

const blend = (from: Rgb, to: Rgb, share: number) =>
	from.map((part, i) => part + (to[i]! - part) * share) as unknown as Rgb;

const BLACK: Rgb = [0, 0, 0];

/**
 * Minimum luminance of any blend, at most 0.0001 below the exact value.
 *
 * A blend may be darker than each of its colors, such as one of pink and sky blue. Each step moves
 * toward the lowest color along the luminance's gradient (Frank and Wolfe, 1956).
 */
export function leastLuminance(colors: readonly Rgb[], shares = LUMINANCE_SHARES.srgb): number {
	let found = colors[0]!;
	for (let step = 0; step < 100_000; step++) {
		const steep = luminanceSlope(found, shares);
		const along = (color: Rgb) => steep.reduce((sum, part, i) => sum + part * color[i]!, 0);
		const deepest = colors.reduce((a, b) => (along(b) < along(a) ? b : a));
		const below = along(found) - along(deepest);
		if (below < 0.0001) return luminance(found, shares) - below;
		found = blend(found, deepest, 2 / (step + 2));
	}
	throw new Error(`No darkest blend was found of ${colors.join("; ")}.`);
}
