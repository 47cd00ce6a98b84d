import { rgb } from "../../shared/rgb.ts";
import { luminance, luminanceContrast } from "./contrast.ts";
import { brightestNight, type Colours, darkestDay } from "./picture-bounds.ts";

/** Steps between a colour and black or white. */
const STEPS = 128;

/** A colour on its way to another one. */
function mixed(from: string, to: string, step: number): string {
	const end = rgb(to);
	const channels = rgb(from).map((part, i) => Math.round(part + ((end[i]! - part) * step) / STEPS));
	return `#${channels.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * The nearest colour that holds. Undefined where no end does.
 * @param ends towards which colours it may go
 */
export function nearest(
	colour: string,
	holds: (colour: string) => boolean,
	ends: readonly string[] = ["#000000", "#ffffff"],
): string | undefined {
	for (let step = 0; step <= STEPS; step++) {
		for (const end of ends) {
			const found = mixed(colour, end, step);
			if (holds(found)) return found;
		}
	}
	return undefined;
}

/** A colour of the picture, where it stands in the brand, and one that would do in its place. */
export interface Better {
	path: string;
	colour: string;
	better: string;
}

/** What the picture is made of by day. */
const BY_DAY = [
	...["sky.morning.colours", "sky.morning.lights"],
	...["sphere.silk", "sphere.shade", "sphere.sheen", "sphere.halo"],
];

/** What it is made of at night. */
const AT_NIGHT = [
	...["sky.night.colours", "sky.night.lights", "sky.between"],
	...["sphere.silk", "sphere.shade", "sphere.sheen", "sphere.halo"],
];

/** As many colours of the picture as are worth a change: where more are in the way, the ink is. */
const MOST = 3;

/** The colours of the picture by day that are too dark for an ink, with lighter ones on which it has a contrast. */
export function lighterDay(colours: Colours, ink: string, least: number): Better[] {
	const own = luminance(rgb(ink));
	const all = placesOf(colours, BY_DAY);
	const darkest = all.toSorted((a, b) => luminance(rgb(a.colour)) - luminance(rgb(b.colour)));
	return change(
		colours,
		[
			all.map((place) => [place]),
			...Array.from({ length: MOST - 1 }, (_, i) => [darkest.slice(0, i + 2)]),
		],
		"#ffffff",
		(changed) => luminanceContrast(own, darkestDay(changed)) >= least,
	);
}

/** The colours of the picture at night that are too bright for an ink, with darker ones. */
export function darkerNight(
	colours: Colours,
	ink: string,
	least: number,
	where: keyof ReturnType<typeof brightestNight>,
): Better[] {
	const own = luminance(rgb(ink));
	const all = placesOf(colours, AT_NIGHT);
	return change(
		colours,
		[
			all.map((place) => [place]),
			AT_NIGHT.map((path) => all.filter((place) => place.path === path)),
		],
		"#000000",
		(changed) => luminanceContrast(own, brightestNight(changed)[where]) >= least,
	);
}

/** One colour of the picture. */
interface Place {
	path: string;
	/** Where it stands in a list. */
	at: number;
	colour: string;
}

/**
 * The least change of the picture after which something holds.
 * @param choices sets of colours to change together: those of a later choice only where none before is enough
 * @returns nothing where no change is enough
 */
function change(
	colours: Colours,
	choices: readonly (readonly (readonly Place[])[])[],
	end: string,
	holds: (changed: Colours) => boolean,
): Better[] {
	for (const choice of choices) {
		let best: Better[] = [];
		let most = STEPS;
		for (const places of choice) {
			const enough = (step: number) =>
				holds(
					places.reduce(
						(changed, { path, at, colour }) =>
							withColour(changed, path, at, mixed(colour, end, step)),
						colours,
					),
				);
			if (!enough(most)) continue;
			let low = 0;
			while (low < most) {
				const middle = Math.floor((low + most) / 2);
				if (enough(middle)) most = middle;
				else low = middle + 1;
			}
			best = places.map(({ path, colour }) => ({ path, colour, better: mixed(colour, end, most) }));
		}
		if (best.length > 0) return best;
	}
	return [];
}

/** The colours at some paths, each of which has one or a list. */
function placesOf(colours: Colours, paths: readonly string[]): Place[] {
	return paths.flatMap((path) => {
		const found = path
			.split(".")
			.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], colours);
		return [found as string | string[]].flat().map((colour, at) => ({ path, at, colour }));
	});
}

/** A copy with another colour at a place. */
function withColour(colours: Colours, path: string, at: number, colour: string): Colours {
	const copy = structuredClone(colours) as unknown as Record<string, unknown>;
	const names = path.split(".");
	const last = names.pop()!;
	const owner = names.reduce((value, name) => value[name] as Record<string, unknown>, copy);
	if (Array.isArray(owner[last])) owner[last][at] = colour;
	else owner[last] = colour;
	return copy as unknown as Colours;
}
