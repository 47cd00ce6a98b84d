import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { DAWN_LIGHTS, DUSK_LIGHT, GLOW_STOPS, SKY_STOPS } from "../../../engine/render/sky.ts";
import {
	type ColorRings,
	DUSK_AIR_SHARE,
	DUSK_LAMP,
	DUSK_RIM,
	DUSK_TINT_SHARE,
	LIGHT_BELOW_SPHERE,
	PLANET_AIR,
	PLANET_SHADOW,
} from "../../../engine/render/theme.ts";
import * as ours from "../../brand.ts";
import { rgb } from "../../shared/rgb.ts";
import { replaceFile } from "../replace-file.ts";

const cache = resolve("node_modules/.cache/brand");

export type Palette = Pick<typeof ours, "inks" | "sky" | "sphere">;

/**
 * Minimum contrast of words, of words for visitors who prefer more, and of focus rings (WCAG 2.2).
 */
export const CONTRAST = { least: 4.5, more: 7, ring: 3 };

/** Generates `@brand/colors.css`, which tokens.css imports. */
export function brandColors(): Plugin {
	return {
		name: "brand-colors",
		config: () => ({ resolve: { alias: { "@brand": cache } } }),
		async configResolved() {
			await replaceFile(join(cache, "colors.css"), brandStyles(ours));
			await replaceFile(join(cache, "admin-colors.css"), adminStyles(ours));
		},
	};
}

/** All skies define the same properties, so other style sheets need no rules per sky. */
export function brandStyles({ inks, sky, sphere }: Palette): string {
	const { morning, night, paper, darkPaper, more } = inks;
	const [inner, outer] = sky.night.lights;
	return `:root,
.landing,
.not-found {
	--sky: ${sky.morning.colors[0]};
	--ink: ${morning.ink};
	--card: ${channels(morning.card)};
	--focus: ${morning.focus};
	--word-from: ${morning.word[0]};
	--word-to: ${morning.word[1]};
	--field: ${morning.field};
	--field-ink: ${morning.fieldInk};
	--field-hint: ${morning.fieldHint};
	--field-error: ${morning.fieldError};
${buttonTokens(morning.button, morning.buttonInk, morning.buttonHover)}
	--shadow: ${channels(morning.shadow)};
	--silk: ${[...sphere.silk, sphere.silk[0]].join(", ")};
	--sheen: ${sphere.sheen};
	--pearl: ${channels(sphere.silk[5])};
	--blaze: ${night.number.slice(0, 3).join(", ")};
}

.confirmation {
${nightTokens(sky, night)}
${night.number.map((color, place) => `	--number-${place + 1}: ${color};`).join("\n")}
}

.legal {
${paperTokens(paper)}
}

/* The color behind everything: seen on overscroll, and before the stage is painted. */
:root:has(.confirmation) {
	--sky: ${sky.night.colors[0]};
}

:root:has(.legal) {
	--sky: ${paper.ground};
}

@media (prefers-contrast: more) {
	:root,
	.landing,
	.not-found {
		--ink: ${more.ink};
		--word-from: ${more.word[0]};
		--word-to: ${more.word[1]};
		--field-hint: ${more.fieldHint};
		--field-error: ${more.fieldError};
		--focus: ${more.focus};
	}

	.legal {
		--ink: ${more.ink};
		--ink-soft: ${more.soft};
	}
}

/* Also overrides the rules for more contrast above: in dark mode, cards and paper already have enough. */
@media (prefers-color-scheme: dark) {
	.landing,
	.not-found,
	.link-page,
	:root:has(.landing, .not-found, .link-page) {
${nightTokens(sky, night)}
		--word-from: ${night.word[0]};
		--word-to: ${night.word[1]};
		--field: ${night.card};
		--field-ink: ${night.ink};
		--field-hint: ${night.soft};
		--field-error: ${night.fieldError};
${buttonTokens(night.ink, night.card, night.soft)}
		--shadow: 0 0 0;
	}

	.legal {
${paperTokens(darkPaper)}
		--focus: ${night.focus};
	}

	:root:has(.legal) {
		--sky: ${darkPaper.ground};
	}
}

.morning {
	background:
		radial-gradient(${under}, ${glow(sphere.shade, LIGHT_BELOW_SPHERE.alpha)}),
		${DAWN_LIGHTS.map((light, i) => `radial-gradient(${ellipse(light)}, ${glow(sky.morning.lights[i], light.alpha)})`).join(",\n\t\t")},
		linear-gradient(${stops(sky.morning.colors, SKY_STOPS.morning)});
}

.morning::after {
	background: linear-gradient(${stops(sky.between, SKY_STOPS.between)});
}

.night {
	background:
		var(--air, linear-gradient(transparent)),
		radial-gradient(
			${ellipse(DUSK_LIGHT)},
			${clear(sky.night.lights[0], DUSK_LIGHT.inner)},
			${clear(sky.night.lights[1], DUSK_LIGHT.outer)} ${percent(DUSK_LIGHT.outerAt)},
			transparent 100%
		),
		linear-gradient(${stops(sky.night.colors, SKY_STOPS.night)});
}

[data-sky="night"] > .night {
	--air: ${rings(PLANET_AIR, "var(--radius)", "var(--top) + var(--radius)", [sphere.halo[1], inner, inner, inner])};
}

.sphere::after {
	background: ${rings(PLANET_SHADOW, "50%", "50%", [sky.night.colors[1], outer, inner, sphere.halo[1]])}, ${clear(sky.between[1], DUSK_TINT_SHARE)};
}

/* Dusk is the day's scene in dark mode: the sphere has not set, and is lit from one side. */
@media (prefers-color-scheme: dark) {
	[data-sky="morning"] > .night {
		--air: ${rings({ ...PLANET_AIR, alpha: PLANET_AIR.alpha.map((part) => round(DUSK_AIR_SHARE * part)) }, "var(--diameter) / 2", "51%", [inner, inner, inner, inner], "var(--middle)")};
	}

	[data-sky="morning"] > .sphere::before {
		--dusk-light: ${duskLight(inner, outer)};
	}

	[data-sky="morning"] > .sphere::after {
		background: radial-gradient(closest-side, transparent 93%, ${clear(inner, 0.35)} 98%), ${shade(sky.night.colors[1])};
	}

	@media (min-width: 48rem) and (min-height: ${DUSK_RIM.leastHeight}px) {
		[data-sky="morning"] > .sphere::after {
			background: radial-gradient(50% 50% at 50.6% 50.8%, transparent 99.4%, ${clear(sphere.halo[1], 0.8)} 102%), ${shade(sky.night.colors[1])};
		}
	}
}

::selection {
	background: ${morning.selection};
	color: ${morning.ink};
	-webkit-text-fill-color: ${morning.ink};
}
`;
}

/** Admin pages have the colors of paper, and of the night in dark mode. */
function adminStyles({ inks, sky }: Palette): string {
	const { morning, night, paper, darkPaper, more } = inks;
	return `.admin,
:root:has(.admin) {
${paperTokens(paper)}
	--focus: ${morning.focus};
	--alarm: ${morning.fieldError};
${buttonTokens(morning.button, morning.buttonInk, morning.buttonHover)}
}

@media (prefers-contrast: more) {
	.admin {
		--ink: ${more.ink};
		--ink-soft: ${more.soft};
	}
}

@media (prefers-color-scheme: dark) {
	.admin,
	:root:has(.admin) {
${paperTokens(darkPaper)}
		--focus: ${night.focus};
	--alarm: ${night.number[2]};
${buttonTokens(darkPaper.ink, darkPaper.ground, darkPaper.soft)}
	}

	.outside,
	:root:has(.outside) {
${nightTokens(sky, night)}
${buttonTokens(night.ink, night.card, night.soft)}
	}
}
`;
}

/** Gradient stops of a light that fades from `alpha` at its center. */
const glow = (color: string | undefined, alpha: number) =>
	GLOW_STOPS.map(([away, left]) => `${clear(color, round(alpha * left))} ${100 * away}%`).join(
		", ",
	);

/**
 * Rings of four colors, like `rings` in sphere.glsl.ts.
 * @param radius of the sphere, in CSS
 * @param y of the sphere's center from the top, and `x` from the left, in CSS
 */
function rings(
	{ middle, reach, alpha }: ColorRings,
	radius: string,
	y: string,
	colors: readonly (string | undefined)[],
	x = "50%",
): string {
	const size = `calc(${radius} * ${reach[3]})`;
	const place = `calc(${x} + ${radius} * ${middle[0]}) calc(${y} - ${radius} * ${middle[1]})`;
	const stops = colors.map(
		(color, i) => `${clear(color, alpha[i]!)} ${round((100 * reach[i]!) / reach[3]!)}%`,
	);
	return `radial-gradient(${size} ${size} at ${place}, ${stops.join(", ")})`;
}

/** Renders the shader's lamp: a gradient from the lit point outward. */
function lamp(near: string | undefined, far: string | undefined): string {
	const [x, y] = DUSK_LAMP.middle;
	const place = `${percent((1 + x) / 2)} ${percent((1 - y) / 2)}`;
	const size = percent(DUSK_LAMP.reach / 2);
	return `radial-gradient(${size} ${size} at ${place}, ${near}, ${far})`;
}

/** Darkens the sphere where the lamp does not reach. */
const shade = (dark: string | undefined) =>
	lamp(clear(dark, round(1 - DUSK_LAMP.near)), clear(dark, round(1 - DUSK_LAMP.far)));

/**
 * Layers that sphere.css blends over the silk. The shader cubes red, squares green and takes the fourth root of
 * blue. `color-burn` and `screen` come close to that for values from 0.6 to 1.
 */
const duskLight = (near: string | undefined, far: string | undefined) =>
	`${lamp(near, far)}, linear-gradient(#0000b5, #0000b5), linear-gradient(#5f96ff, #5f96ff)`;

const paperTokens = (paper: Palette["inks"]["paper"]) => `	--sky: ${paper.ground};
	--ink: ${paper.ink};
	--card: ${channels(paper.ground)};
	--ink-soft: ${paper.soft};
	--rule: ${paper.rule};
	--marker: ${paper.marker};`;

const nightTokens = (sky: Palette["sky"], { ink, card, focus }: Palette["inks"]["night"]) =>
	`	--sky: ${sky.night.colors[0]};
	--ink: ${ink};
	--card: ${channels(card)};
	--focus: ${focus};`;

const buttonTokens = (button: string, ink: string, hover: string) =>
	`	--button: ${button}; --button-ink: ${ink}; --button-hover: ${hover};`;

const channels = (color = "") => rgb(color).join(" ");
const clear = (color = "", alpha: number) => `rgb(${channels(color)} / ${alpha})`;
const round = (value: number) => Number(value.toFixed(2));
const percent = (share: number) => `${round(100 * share)}%`;
const ellipse = ({ middle, radii }: Record<"middle" | "radii", readonly number[]>) =>
	`${radii.map(percent).join(" ")} at ${middle.map(percent).join(" ")}`;
const inDiameters = (radii: number) => `var(--diameter) * ${radii / 2}`;
/** The light below the sphere; stage.css positions it. */
const under =
	`${LIGHT_BELOW_SPHERE.radii.map((radius) => `calc(${inDiameters(radius)})`).join(" ")} ` +
	`at var(--middle) calc(51% - ${inDiameters(LIGHT_BELOW_SPHERE.middle[1])})`;
const stops = (colors: readonly string[], places: readonly number[]) =>
	colors.map((color, i) => `${color} ${percent(places[i]!)}`).join(", ");
