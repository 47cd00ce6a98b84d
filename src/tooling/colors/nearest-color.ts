import { rgb } from "../../shared/rgb.ts";

const STEPS = 128;

/**
 * Returns the first color from `color` to `end` that passes, or undefined. Searches by halving: once a color
 * passes, all later ones must pass, too.
 */
export function findNearestColor(
	color: string,
	end: string,
	passes: (color: string) => boolean,
): string | undefined {
	if (!passes(end)) return undefined;
	let [low, high] = [0, STEPS];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if (passes(mix(color, end, middle / STEPS))) high = middle;
		else low = middle + 1;
	}
	return mix(color, end, low / STEPS);
}

function mix(from: string, to: string, share: number): string {
	const end = rgb(to);
	const channels = rgb(from).map((part, i) => Math.round(part + (end[i]! - part) * share));
	return `#${channels.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
