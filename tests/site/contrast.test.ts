import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as ours from "#brand";
import { type Rgb, rgb } from "#shared/rgb.ts";
import { brandStyles } from "../../src/tooling/colors/brand-styles.ts";
import { luminance, luminanceContrast } from "../../src/tooling/colors/contrast.ts";
import {
	leastDayLuminance,
	leastLuminance,
	mostNightLuminance,
} from "../../src/tooling/colors/picture-bounds.ts";

function stillColors(): Rgb[] {
	const still = ["sphere", "stage"].map((name) =>
		readFileSync(`src/site/styles/${name}.css`, "utf8").replace(/@media[\s\S]*/, ""),
	);
	const [morning = ""] = /\.morning \{.*?\n\}/s.exec(brandStyles(ours)) ?? [];
	return [morning, ...still].flatMap((text) =>
		Array.from(text.matchAll(/rgb\((\d+ \d+ \d+)|(#[\da-f]{6})/g), ([, channels, hex]) =>
			hex ? rgb(hex) : (channels!.split(" ").map(Number) as unknown as Rgb),
		),
	);
}

describe("words on the picture", () => {
	const day = leastDayLuminance(ours);
	const night = mostNightLuminance(ours);
	const on = (ink: string, ground: number) => luminanceContrast(luminance(rgb(ink)), ground);

	test("keep 4.5:1 over any blend of sky and sphere, by day and at night", () => {
		expect(on(ours.inks.morning.ink, day)).toBeGreaterThanOrEqual(7);
		for (const ink of ours.inks.morning.word) expect(on(ink, day)).toBeGreaterThanOrEqual(4.5);
		expect(on(ours.inks.night.ink, night.anywhere)).toBeGreaterThanOrEqual(4.5);
		for (const ink of ours.inks.night.number) {
			expect(on(ink, night.aboveLight)).toBeGreaterThanOrEqual(4.5);
		}
		const { ink, word, fieldError } = ours.inks.night;
		for (const bright of [ink, ...word, fieldError]) {
			expect(on(bright, night.dusk)).toBeGreaterThanOrEqual(4.5);
		}
	});

	test("keep 4.5:1 over the still picture, which blends no darker", () => {
		const colors = stillColors();
		expect(colors.length).toBeGreaterThan(30);
		expect(leastLuminance(colors)).toBeGreaterThanOrEqual(day);
	});
});

test("the darkest blend is found, which may be darker than its colors", () => {
	const [pink, sky] = [rgb("#ff99cc"), rgb("#66ccff")];
	const blends = Array.from({ length: 1001 }, (_, i) =>
		luminance(pink.map((part, k) => part + ((sky[k]! - part) * i) / 1000) as unknown as Rgb),
	);
	const least = leastLuminance([pink, sky]);
	expect(least).toBeLessThan(Math.min(luminance(pink), luminance(sky)));
	expect(least).toBeCloseTo(Math.min(...blends), 3);
	expect(leastLuminance([pink, sky, rgb("#202020")])).toBeCloseTo(luminance(rgb("#202020")), 3);
});
