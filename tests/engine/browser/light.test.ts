import { beforeAll, describe, expect, test } from "vitest";
import { THEME } from "../../../engine/default-theme.ts";
import {
	leastDayLuminance,
	mostNightLuminance,
} from "../../../src/tooling/colors/picture-bounds.ts";
import { type CallProbe, openProbe } from "./open-probe.ts";
import type * as probe from "./probes/picture-probe.ts";

let ask: CallProbe<typeof probe>;

beforeAll(async () => {
	ask = await openProbe("picture");
});

test.each([0, 3600])(
	"the sphere's rim stands out from the morning sky all around at tick %i",
	async (tick) => {
		const contrasts = await ask("rimContrasts", { width: 1440, height: 900, ratio: 0.75 }, tick);
		expect(Math.min(...contrasts)).toBeGreaterThan(1.15);
	},
);

test("a high-resolution sky shows no banding, day or night", async () => {
	const size = { width: 720, height: 450 };
	for (const night of [0, 1]) {
		expect(await ask("longestColorRun", { ...size, ratio: 2 }, night)).toBeLessThanOrEqual(8);
	}
	// Low resolutions show banding: machines that draw them are too slow for grain.
	expect(await ask("longestColorRun", { ...size, ratio: 0.75 }, 0)).toBeGreaterThan(8);
});

describe("sky and sphere behind words", () => {
	const size = { width: 360, height: 800 };
	const { morning, dawn, between, night, dusk, silk, halo, ...one } = THEME.colors;
	const colors = {
		sky: {
			morning: { colors: [...morning], lights: [...dawn] },
			between: [...between],
			night: { colors: [...night], lights: [...dusk] },
		},
		sphere: {
			silk: [...silk],
			halo: [...halo],
			shade: one.shade[0]!,
			sheen: one.sheen[0]!,
			mark: [],
		},
	};
	const rounded = 0.005;

	test("are never darker than computed by day, wherever the visitor points", async () => {
		const { least } = await ask("luminanceRange", size, 0, [0, 0, 1, 1]);
		expect(least).toBeGreaterThan(leastDayLuminance(colors) - rounded);
		expect(least).toBeLessThan(leastDayLuminance(colors) + 0.1);
	});

	test("are never brighter than computed at dusk, except for the limb of a sphere around words", async () => {
		const { greatest } = await ask("luminanceRange", size, 1, [0, 0, 1, 1], 0);
		expect(greatest).toBeLessThan(mostNightLuminance(colors).dusk + rounded);
		expect(greatest).toBeGreaterThan(mostNightLuminance(colors).dusk - 0.05);
		const wide = { width: 960, height: 720 };
		const limb = await ask("luminanceRange", wide, 1, [0, 0, 1, 1], 0);
		expect(limb.greatest).toBeGreaterThan(mostNightLuminance(colors).dusk + 0.1);
		const within = await ask("luminanceRange", wide, 1, [0.3, 0.3, 0.7, 0.7], 0);
		expect(within.greatest).toBeLessThan(mostNightLuminance(colors).dusk + rounded);
	});

	test("are never brighter than computed at night, except for the planet's rim", {
		tags: "slow",
	}, async () => {
		const { anywhere, aboveLight } = mostNightLuminance(colors);
		const greatest = async (...part: [number, number, number, number]) =>
			(await ask("luminanceRange", size, 1, part)).greatest;
		expect(await greatest(0, 0, 1, 0.6)).toBeLessThan(aboveLight + rounded);
		expect(await greatest(0, 0, 1, 0.73)).toBeLessThan(anywhere + rounded);
		expect(await greatest(0.25, 0.9, 0.75, 1)).toBeLessThan(anywhere + rounded);
		expect(await greatest(0, 0.75, 1, 0.9)).toBeGreaterThan(anywhere + 0.1);
	});
});
