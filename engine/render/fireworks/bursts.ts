/**
 * Bursts move away from words, or shrink.
 *
 *     ┌────────────────────────────┐    1 outward, or down if there is room beside the words
 *     │ ✺ ◄─1─ ·       ✺           │    2 out of the words, to the side with more room
 *     │       ┌────────▲───┐       │    3 inside the window; on a phone away from its ends, too
 *     │       │ words  2   │   ✺   │    4 away from the planet
 *     │       │        ·   │   ▲   │
 *     │       └────────────┘   4   │    then, by the share of its full size that fits:
 *     │           ( planet )   ·   │    0   0.1    0.2            0.59       1
 *     └────────────────────────────┘     hidden fades fewer sparks  all sparks
 */
import { between, FIREWORKS, ROCKET, smoothstep } from "../../simulation/index.ts";
import { WORD_BANDS } from "../bands.ts";
import type { Place } from "../place.ts";
import { distanceToZone } from "../quiet.ts";

/** Distances in spans (place.ts), except `spark` and `head`, which are px. */
export const BURST_LAYOUT = {
	/** Text blocks below this share of the window's area push no burst: they hide only a spark or two. */
	words: 0.06,
	spark: 16,
	reach: 0.44, // flight distance of the farthest spark
	/** Distance from words, in a wide window and on a phone. */
	push: [0.29, 0.34],
	inside: 0.28,
	/** How far a burst of full size may extend beyond the window. */
	beyond: 0.03,
	/** Minimum height above the planet's rim. */
	above: 0.25,
	/** On a phone, bursts stay below the middle between the words and this many px from the top. */
	head: 12,
	/** Factor on the push out of words. Above 1, bursts do not line up along the words' edge. */
	strew: 1.25,
	/** If words span the width, bursts are farther from the center by this share of their distance. */
	aside: { upright: 0.32, wide: 0.5 },
	/** With narrower words, upper bursts move down by this multiple of their distance to `highest`. */
	down: 1.4,
	highest: ROCKET.high[1],
	/** How far a burst may overlap the smallest text blocks; less for larger ones. */
	few: 0.15,
	/** Shares of its full size at which a burst is hidden and fully visible. */
	gone: [0.1, 0.2],
	/** Below this share of its full size, a burst shows only 20 of its sparks. */
	thin: 0.59,
	fewer: FIREWORKS.sparks / 20,
	/** Size factors on sparks in the smallest burst and in one of full size. */
	sizes: [0.88, 1],
} as const;

const burst = new Float64Array(3);

/** @returns a reused array: the burst's center in px, and the share of its full size that fits there */
export function placeBurst(
	x: number,
	y: number,
	place: Readonly<Place>,
	span: number,
): Readonly<Float64Array> {
	const { width, height, zones, wordsSpan: wide } = place;
	const down = y > 0 ? Math.max(0, BURST_LAYOUT.highest - y) * BURST_LAYOUT.down * (1 - wide) : 0;
	const push = BURST_LAYOUT.spark + between(BURST_LAYOUT.push, wide) * span;
	const aside = height > width ? BURST_LAYOUT.aside.upright : BURST_LAYOUT.aside.wide;
	burst[0] = ((1 + x * (1 + aside * wide)) * width) / 2;
	burst[1] = ((1 - y + down) * height) / 2;
	for (let i = 0; i + 3 < zones.length; i += 4) {
		if (shareOfWords(zones, i, width, height) <= 1) continue;
		const halfWidth = zones[i + 2] / 2;
		const halfHeight = zones[i + 3] / 2;
		const awayX = burst[0] - zones[i] - halfWidth;
		const awayY = burst[1] - zones[i + 1] - halfHeight;
		const [roomX, roomY] = [Math.abs(awayX) - halfWidth, Math.abs(awayY) - halfHeight];
		if (Math.max(roomX, roomY) >= push) continue;
		const freeX = awayX < 0 ? zones[i] : width - zones[i] - zones[i + 2];
		const [above, below] = [zones[i + 1], height - zones[i + 1] - zones[i + 3]];
		const upwards = awayY < 0 ? above >= push || above > below : below < push && above > below;
		const side = upwards ? -1 : 1;
		if (freeX > (upwards ? above : below)) {
			burst[0] += (awayX < 0 ? -1 : 1) * (push - roomX) * BURST_LAYOUT.strew;
		} else burst[1] += side * (push + halfHeight - side * awayY) * BURST_LAYOUT.strew;
	}
	const inside = BURST_LAYOUT.inside * span;
	burst[0] = within(burst[0], inside, width);
	burst[1] = within(burst[1], inside, height);
	if (height > width) {
		const { bands } = place;
		const lowest = (bands[WORD_BANDS.below] + bands[WORD_BANDS.footer]) / 2;
		const between = Math.max(
			(BURST_LAYOUT.head + bands[WORD_BANDS.words]) / 2,
			Math.min(lowest, burst[1]),
		);
		burst[1] += (between - burst[1]) * wide;
	}
	leavePlanet(place, span);
	const edges = Math.min(burst[0], width - burst[0], burst[1], height - burst[1]);
	let room = edges + BURST_LAYOUT.beyond * span;
	for (let i = 0; i + 3 < zones.length; i += 4) {
		if (zones[i + 2] === 0) continue;
		const few = Math.max(0, 1 - shareOfWords(zones, i, width, height)) * BURST_LAYOUT.few * span;
		room = Math.min(room, distanceToZone(zones, i, burst[0], burst[1], 0) + few);
	}
	burst[2] = Math.max(0, Math.min(1, (room - BURST_LAYOUT.spark) / (BURST_LAYOUT.reach * span)));
	return burst;
}

export const burstVisibilityOf = (share: number): number =>
	smoothstep((share - BURST_LAYOUT.gone[0]) / (BURST_LAYOUT.gone[1] - BURST_LAYOUT.gone[0]));

const within = (at: number, inset: number, end: number): number =>
	Math.max(inset, Math.min(end - inset, at));

const shareOfWords = (zones: ArrayLike<number>, at: number, width: number, height: number) =>
	(zones[at + 2] * zones[at + 3]) / (BURST_LAYOUT.words * width * height);

/** If the planet would hide a burst, moves it above the rim. */
function leavePlanet(
	{ sphereX, sphereY, radius, planetRadius }: Readonly<Place>,
	span: number,
): void {
	const least = planetRadius + (BURST_LAYOUT.above * span * planetRadius) / radius;
	const [x, y] = [burst[0] - sphereX, burst[1] - sphereY];
	const away = Math.sqrt(x * x + y * y);
	if (away >= least || away === 0) return;
	burst[0] += (x / away) * (least - away);
	burst[1] += (y / away) * (least - away);
}
