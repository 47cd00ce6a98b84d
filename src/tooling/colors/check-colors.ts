import { rgb } from "../../shared/rgb.ts";
import { CONTRAST, type Palette } from "./brand-styles.ts";
import { luminance, luminanceContrast } from "./contrast.ts";
import { findNearestColor } from "./nearest-color.ts";
import { leastDayLuminance, mostNightLuminance } from "./picture-bounds.ts";

const COLOR_COUNTS: Readonly<Record<string, number>> = {
	"sky.morning.colors": 4,
	"sky.morning.lights": 3,
	"sky.between": 3,
	"sky.night.colors": 4,
	"sky.night.lights": 2,
	"sphere.silk": 6,
	"sphere.halo": 2,
	"inks.morning.word": 2,
	"inks.night.number": 4,
	"inks.night.word": 2,
	"inks.more.word": 2,
};

const { least, more, ring } = CONTRAST;

/** Inks, and the plain colors behind them. Words of emails are on paper or on the last three grounds. */
const GROUNDS: [ground: string, least: number, inks: string[]][] = [
	["inks.morning.card", least, inksOf("morning", "ink word")],
	["inks.morning.card", more, inksOf("more", "ink word")],
	["inks.night.card", more, inksOf("night", "ink number word soft fieldError")],
	["inks.night.soft", more, inksOf("night", "card")],
	["inks.morning.field", least, inksOf("morning", "fieldHint fieldError")],
	["inks.morning.field", more, inksOf("morning", "fieldInk")],
	["inks.morning.field", more, inksOf("more", "fieldHint fieldError")],
	["inks.morning.button", more, inksOf("morning", "buttonInk")],
	["inks.morning.buttonHover", more, inksOf("morning", "buttonInk")],
	["inks.morning.selection", more, inksOf("morning", "ink")],
	["inks.paper.ground", least, ["inks.morning.ink", ...inksOf("paper", "ink soft")]],
	["inks.paper.ground", more, inksOf("more", "ink soft")],
	["inks.darkPaper.ground", more, inksOf("darkPaper", "ink soft")],
	["inks.darkPaper.ground", ring, inksOf("night", "focus")],
	["sky.morning.colors.0", least, ["inks.morning.ink", "inks.paper.soft"]],
	["sky.night.colors.0", least, inksOf("night", "ink soft")],
	["sky.night.colors.1", least, inksOf("night", "ink soft")],
];

/** Inks on the picture. Day inks are dark, so the darkest blend is the worst case; at night it is the brightest. */
const PICTURES: [blend: string, luminanceOf: (palette: Palette) => number, inks: string[]][] = [
	[
		"the darkest blend of sky and sphere",
		leastDayLuminance,
		inksOf("morning", "ink word fieldError"),
	],
	["the brightest blend of the night", atNight("anywhere"), inksOf("night", "ink")],
	["the brightest blend above the night's light", atNight("aboveLight"), inksOf("night", "number")],
	[
		"the brightest blend of dusk and sphere",
		atNight("dusk"),
		inksOf("night", "ink word fieldError"),
	],
];

/** Finds invalid colors and low contrasts; one sentence each. */
export function listColorFaults({ sky, sphere, inks }: Palette): string[] {
	const palette = { sky, sphere, inks };
	const faults = [...unreadableColors(palette)];
	return faults.length > 0 ? faults : [...lowContrasts(palette)];
}

function* unreadableColors(value: unknown, path = ""): Generator<string> {
	if (typeof value === "string") {
		if (!/^#[\da-f]{6}$/.test(value))
			yield `${path} is "${value}": it must be a color as #rrggbb, such as #efe5fd.`;
		return;
	}
	const count = COLOR_COUNTS[path];
	if (Array.isArray(value) && value.length !== count)
		yield `${path} has ${value.length} colors: it must have ${count}.`;
	for (const [name, part] of Object.entries(value as object))
		yield* unreadableColors(part, path && !Array.isArray(value) ? `${path}.${name}` : path || name);
}

function colorsAt(palette: Palette, path: string): string[] {
	const value = path
		.split(".")
		.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], palette);
	return [value as string | string[]].flat();
}

function inksOf(group: keyof Palette["inks"], names: string): string[] {
	return names.split(" ").map((name) => `inks.${group}.${name}`);
}

function atNight(where: keyof ReturnType<typeof mostNightLuminance>) {
	return (palette: Palette) => mostNightLuminance(palette)[where];
}

const [BLACK, WHITE] = ["#000000", "#ffffff"];

function* lowContrasts(palette: Palette) {
	const grounds = GROUNDS.map(([path, least, inks]) => ({
		where: `${colorsAt(palette, path)[0]} of ${path}`,
		luminanceOf: (palette: Palette) => luminance(rgb(colorsAt(palette, path)[0]!)),
		least,
		inks,
		ends: [BLACK, WHITE],
	}));
	const pictures = PICTURES.map(([where, luminanceOf, inks]) => {
		const ends = luminanceOf === leastDayLuminance ? [BLACK] : [WHITE];
		return { where, luminanceOf, least, inks, ends };
	});
	// Searches for a better ink between the present one and black or white (`ends`).
	for (const { where, luminanceOf, least, inks, ends } of [...grounds, ...pictures]) {
		const ratio = (ink: string, palette: Palette) =>
			luminanceContrast(luminance(rgb(ink)), luminanceOf(palette));
		const named = inks.flatMap((path) => colorsAt(palette, path).map((ink) => ({ path, ink })));
		for (const { path, ink } of named) {
			if (ratio(ink, palette) >= least) continue;
			const measured = Math.floor(100 * ratio(ink, palette)) / 100;
			const better = nearestOf(ink, ends, (color) => ratio(color, palette) >= least);
			const instead = better
				? `use ${better}.`
				: `no text color has enough contrast there.${otherGround(palette, (other) => ratio(ink, other) >= least)}`;
			yield `${path} is ${ink} on ${where}, a contrast of ${measured}:1 instead of at least ${least}:1: ${instead}`;
		}
	}
}

const nearestOf = (color: string, ends: string[], passes: (color: string) => boolean) =>
	ends.map((end) => findNearestColor(color, end, passes)).find(Boolean);

/** Suggests a better background, if replacing one color is enough. */
function otherGround(palette: Palette, passes: (palette: Palette) => boolean): string {
	const text = JSON.stringify(palette);
	for (const color of text.match(/#[\da-f]{6}/g) ?? []) {
		const better = nearestOf(color, [WHITE, BLACK], (other) =>
			passes(JSON.parse(text.replaceAll(color, other))),
		);
		if (better) return ` Use ${better} instead of ${color}.`;
	}
	return "";
}
