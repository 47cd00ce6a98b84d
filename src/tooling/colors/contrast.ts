import type { Rgb } from "../../shared/rgb.ts";

/** From 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function luminanceContrast(one: number, other: number): number {
	return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Luminance coefficients of sRGB and Display-P3 (CSS Color 4). */
export const LUMINANCE_SHARES: Readonly<Record<"srgb" | "p3", Rgb>> = {
	srgb: [0.2126, 0.7152, 0.0722],
	p3: [0.229, 0.6917, 0.0793],
};

/** From 0 to 1 (WCAG 2.2, "relative luminance"). */
export function luminance(color: Rgb, shares = LUMINANCE_SHARES.srgb): number {
	return shares.reduce((sum, share, i) => {
		const part = color[i]! / 255;
		return sum + share * (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
	}, 0);
}

/** Gradient of the luminance by channel. */
export function luminanceSlope(color: Rgb, shares: Rgb): Rgb {
	return shares.map((share, i) => {
		const part = color[i]! / 255;
		const steep = part <= 0.04045 ? 1 / 12.92 : (2.4 / 1.055) * ((part + 0.055) / 1.055) ** 1.4;
		return (share * steep) / 255;
	}) as unknown as Rgb;
}
