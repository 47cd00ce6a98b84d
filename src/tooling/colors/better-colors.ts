import { rgb } from "../../shared/rgb.ts";
import { luminance, luminanceContrast } from "./contrast.ts";
import { brightestNight, type Colors, darkestDay } from "./picture-bounds.ts";

const STEPS = 128;

function mixed(from: string, to: string, step: number): string {
	const end = rgb(to);
	const channels = rgb(from).map((part, i) => Math.round(part + ((end[i]! - part) * step) / STEPS));
	return `#${channels.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Finds the nearest color that passes, or undefined.
 * @param ends directions to search in
 */
export function nearest(
	color: string,
	holds: (color: string) => boolean,
	ends: readonly string[] = ["#000000", "#ffffff"],
): string | undefined {
	for (let step = 0; step <= STEPS; step++) {
		for (const end of ends) {
			const found = mixed(color, end, step);
			if (holds(found)) return found;
		}
	}
	return undefined;
}

/** A color of the picture, its path in the brand, and a replacement. */
export interface Better {
	path: string;
	color: string;
	better: string;
}

/** The picture's colors by day. */
const BY_DAY = [
	...["sky.morning.colors", "sky.morning.lights"],
	...["sphere.silk", "sphere.shade", "sphere.sheen", "sphere.halo"],
];

/** The picture's colors at night. */
const AT_NIGHT = [
	...["sky.night.colors", "sky.night.lights", "sky.between"],
	...["sphere.silk", "sphere.shade", "sphere.sheen", "sphere.halo"],
];

/** Suggest at most this many changes to the picture: beyond that, the ink is at fault. */
const MOST = 3;

/** Finds day colors too dark for an ink, with lighter replacements. */
export function lighterDay(colors: Colors, ink: string, least: number): Better[] {
	const own = luminance(rgb(ink));
	const all = placesOf(colors, BY_DAY);
	const darkest = all.toSorted((a, b) => luminance(rgb(a.color)) - luminance(rgb(b.color)));
	return change(
		colors,
		[
			all.map((place) => [place]),
			...Array.from({ length: MOST - 1 }, (_, i) => [darkest.slice(0, i + 2)]),
		],
		"#ffffff",
		(changed) => luminanceContrast(own, darkestDay(changed)) >= least,
	);
}

/** Finds night colors too bright for an ink, with darker replacements. */
export function darkerNight(
	colors: Colors,
	ink: string,
	least: number,
	where: keyof ReturnType<typeof brightestNight>,
): Better[] {
	const own = luminance(rgb(ink));
	const all = placesOf(colors, AT_NIGHT);
	return change(
		colors,
		[
			all.map((place) => [place]),
			AT_NIGHT.map((path) => all.filter((place) => place.path === path)),
		],
		"#000000",
		(changed) => luminanceContrast(own, brightestNight(changed)[where]) >= least,
	);
}

interface Place {
	path: string;
	/** Index in a list. */
	at: number;
	color: string;
}

/**
 * @param choices sets of colors to change together, tried in order
 * @returns an empty list if no change suffices
 */
function change(
	colors: Colors,
	choices: readonly (readonly (readonly Place[])[])[],
	end: string,
	holds: (changed: Colors) => boolean,
): Better[] {
	for (const choice of choices) {
		let best: Better[] = [];
		let most = STEPS;
		for (const places of choice) {
			const enough = (step: number) =>
				holds(
					places.reduce(
						(changed, { path, at, color }) => withColor(changed, path, at, mixed(color, end, step)),
						colors,
					),
				);
			if (!enough(most)) continue;
			let low = 0;
			while (low < most) {
				const middle = Math.floor((low + most) / 2);
				if (enough(middle)) most = middle;
				else low = middle + 1;
			}
			best = places.map(({ path, color }) => ({ path, color, better: mixed(color, end, most) }));
		}
		if (best.length > 0) return best;
	}
	return [];
}

/** The colors at some paths, each with one or a list. */
function placesOf(colors: Colors, paths: readonly string[]): Place[] {
	return paths.flatMap((path) => {
		const found = path
			.split(".")
			.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], colors);
		return [found as string | string[]].flat().map((color, at) => ({ path, at, color }));
	});
}

/** Copies the colors with one replaced. */
function withColor(colors: Colors, path: string, at: number, color: string): Colors {
	const copy = structuredClone(colors) as unknown as Record<string, unknown>;
	const names = path.split(".");
	const last = names.pop()!;
	const owner = names.reduce((value, name) => value[name] as Record<string, unknown>, copy);
	if (Array.isArray(owner[last])) owner[last][at] = color;
	else owner[last] = color;
	return copy as unknown as Colors;
}
