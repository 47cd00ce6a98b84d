import type { Rgb } from "../shared/rgb.ts";

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Rgb, other: Rgb): number {
	const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
	return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: Rgb): number {
	const [red, green, blue] = colour.map((value) => {
		const part = value / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
