import { rgb } from "../../shared/rgb.ts";
import { type Better, darkerNight, lighterDay, nearest } from "./better-colors.ts";
import { CONTRAST, type Palette } from "./brand-styles.ts";
import { contrast, luminance, luminanceContrast } from "./contrast.ts";
import { brightestNight, darkestDay } from "./picture-bounds.ts";

/** Required number of colors per list. */
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

/** Finds invalid colors and low contrasts; one sentence each. */
export function badColors({ sky, sphere, inks }: Palette): string[] {
	const faults = unreadableColors({ sky, sphere, inks });
	return faults.length > 0 ? faults : lowContrasts({ sky, sphere, inks });
}

function unreadableColors(value: unknown, path = ""): string[] {
	if (typeof value === "string") {
		return /^#[\da-f]{6}$/.test(value)
			? []
			: [`${path} is "${value}": it must be a color as #rrggbb, such as #efe5fd.`];
	}
	const count = COLOR_COUNTS[path];
	if (Array.isArray(value) && value.length !== count) {
		return [`${path} has ${value.length} colors: it must have ${count}.`];
	}
	return Object.entries(value as object).flatMap(([name, part]) =>
		unreadableColors(part, path && !Array.isArray(value) ? `${path}.${name}` : path || name),
	);
}

function valueAt(palette: Palette, path: string): string | readonly string[] {
	const value = path
		.split(".")
		.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], palette);
	return value as string | readonly string[];
}

function lowContrasts({ sky, sphere, inks }: Palette): string[] {
	const { morning, night } = inks;
	const faults: string[] = [];
	/**
	 * @param instead other picture colors that would suit the ink
	 * @param ends directions to search for a better ink
	 */
	const expect = (
		what: string,
		ink: string,
		ground: string,
		onGround: (ink: string) => number,
		least: number,
		instead = "",
		ends?: readonly string[],
	) => {
		const measured = onGround(ink);
		if (measured >= least) return;
		const better = nearest(ink, (color) => onGround(color) >= least, ends);
		const holds = better ? `, as ${better} has.` : ", which no ink has there.";
		const take = better ? " Or take" : " Take";
		faults.push(
			`${what} is ${ink} on ${ground}, a contrast of ${Math.floor(100 * measured) / 100}:1: at least ${least}:1${holds}` +
				(instead === "" ? "" : `${take} ${instead}.`),
		);
	};
	/** @param grounds path of the background; of a list the first colors, as many as words appear on */
	const on = (what: string, where: string, least: number, grounds = 1) => {
		const colorsAt = (path: string) => [valueAt({ sky, sphere, inks }, path)].flat();
		for (const ground of colorsAt(where).slice(0, grounds)) {
			for (const ink of colorsAt(what)) {
				const onGround = (color: string) => contrast(rgb(color), rgb(ground));
				expect(what, ink, `${ground} of ${where}`, onGround, least);
			}
		}
	};
	const { least } = CONTRAST;
	// Cards, for visitors who prefer more contrast.
	on("inks.more.ink", "inks.morning.card", CONTRAST.more);
	on("inks.more.word", "inks.morning.card", CONTRAST.more);
	on("inks.night.ink", "inks.night.card", CONTRAST.more);
	on("inks.night.number", "inks.night.card", CONTRAST.more);
	on("inks.night.word", "inks.night.card", CONTRAST.more);
	on("inks.night.soft", "inks.night.card", CONTRAST.more);
	on("inks.night.fieldError", "inks.night.card", CONTRAST.more);
	on("inks.night.card", "inks.night.soft", CONTRAST.more);
	on("inks.morning.ink", "inks.morning.card", least);
	on("inks.morning.word", "inks.morning.card", least);
	on("inks.morning.fieldInk", "inks.morning.field", CONTRAST.more);
	on("inks.morning.fieldHint", "inks.morning.field", least);
	on("inks.morning.fieldError", "inks.morning.field", least);
	on("inks.more.fieldHint", "inks.morning.field", CONTRAST.more);
	on("inks.more.fieldError", "inks.morning.field", CONTRAST.more);
	on("inks.morning.buttonInk", "inks.morning.button", CONTRAST.more);
	on("inks.morning.buttonInk", "inks.morning.buttonHover", CONTRAST.more);
	on("inks.paper.ink", "inks.paper.ground", least);
	on("inks.paper.soft", "inks.paper.ground", least);
	on("inks.darkPaper.ink", "inks.darkPaper.ground", CONTRAST.more);
	on("inks.darkPaper.soft", "inks.darkPaper.ground", CONTRAST.more);
	on("inks.night.focus", "inks.darkPaper.ground", CONTRAST.ring);
	on("inks.more.ink", "inks.paper.ground", CONTRAST.more);
	on("inks.more.soft", "inks.paper.ground", CONTRAST.more);
	on("inks.morning.ink", "inks.morning.selection", CONTRAST.more);
	// Emails are on the sky and on paper; in dark mode on the night's first two colors.
	on("inks.paper.soft", "sky.morning.colors", least);
	on("inks.morning.ink", "sky.morning.colors", least);
	on("inks.morning.ink", "inks.paper.ground", least);
	on("inks.night.ink", "sky.night.colors", least, 2);
	on("inks.night.soft", "sky.night.colors", least, 2);
	// By day the picture may be too dark for words, at night too bright. Only the worst blend is
	// measured, so words must be darker than all of it by day, and brighter at night.
	const onPicture = (
		what: string,
		inks: readonly string[],
		ground: string,
		measured: number,
		end: string,
		better: (ink: string) => Better[],
	) => {
		const onGround = (color: string) => luminanceContrast(luminance(rgb(color)), measured);
		for (const ink of inks) {
			const instead = better(ink).map(
				({ path, color, better }) => `${better} in place of ${color} in ${path}`,
			);
			expect(what, ink, ground, onGround, least, instead.join(" and "), [end]);
		}
	};
	const darkest = "the darkest blend of sky and sphere";
	const day = darkestDay({ sky, sphere });
	const lighter = (ink: string) => lighterDay({ sky, sphere }, ink, least);
	onPicture("inks.morning.ink", [morning.ink], darkest, day, "#000000", lighter);
	onPicture("inks.morning.word", morning.word, darkest, day, "#000000", lighter);
	onPicture("inks.morning.fieldError", [morning.fieldError], darkest, day, "#000000", lighter);
	const dark = brightestNight({ sky, sphere });
	const darker = (where: keyof typeof dark) => (ink: string) =>
		darkerNight({ sky, sphere }, ink, least, where);
	onPicture(
		"inks.night.ink",
		[night.ink],
		"the brightest blend of the night",
		dark.anywhere,
		"#ffffff",
		darker("anywhere"),
	);
	onPicture(
		"inks.night.number",
		night.number,
		"the brightest blend above the night's light",
		dark.aboveLight,
		"#ffffff",
		darker("aboveLight"),
	);
	const dusk = "the brightest blend of dusk and sphere";
	onPicture("inks.night.ink", [night.ink], dusk, dark.dusk, "#ffffff", darker("dusk"));
	onPicture("inks.night.word", night.word, dusk, dark.dusk, "#ffffff", darker("dusk"));
	onPicture(
		"inks.night.fieldError",
		[night.fieldError],
		dusk,
		dark.dusk,
		"#ffffff",
		darker("dusk"),
	);
	return faults;
}
