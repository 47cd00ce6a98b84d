/** The moon's way around the sphere: an ellipse that leans as the ring of the not-found page does. */
const ORBIT = { across: 1.28, high: 1.22, lean: (-18 * Math.PI) / 180 };

/** Samples of a round, and how much larger the moon is where it is nearest, below, than in the mean. */
const STEPS = 120;
const NEARER = 0.18;

/** How long its wake is, in sizes of the moon: `.wake` in moon.css. */
const WAKE = 2.5;

/** How much faster it goes where it is not seen. */
const HURRY = 10;

/** Where it stands: at the upper right, as in the mark. */
const HOME = -Math.PI / 4;

/** The sphere on the page, and what else the way depends on; CSS px. */
export interface Heavens {
	middle: { x: number; y: number };
	radius: number;
	/** Of the window. */
	width: number;
	height: number;
	/** Where words stand: x, y, width, height of each block. */
	quietZone: readonly number[];
	/** Of the moon. */
	size: number;
}

/** A place on the way: the moon's middle in CSS px, and its size as a share. */
export interface Place {
	x: number;
	y: number;
	scale: number;
	/** It is whole in the window, and no words are near. */
	free: boolean;
	/** Where it goes to from here, in radians clockwise from the right. They only grow. */
	heading: number;
	/** How much of its wake lies on places that are free, as a share of its length. */
	wake: number;
}

/** A round from `HOME` on, whose last place is its first. */
export function orbitAround(heavens: Heavens): Place[] {
	const { middle, radius } = heavens;
	const [cos, sin] = [Math.cos(ORBIT.lean), Math.sin(ORBIT.lean)];
	const places = Array.from({ length: STEPS + 1 }, (_, step) => {
		const angle = HOME + (2 * Math.PI * step) / STEPS;
		const across = ORBIT.across * radius * Math.cos(angle);
		const down = ORBIT.high * radius * Math.sin(angle);
		const x = middle.x + across * cos - down * sin;
		const y = middle.y + across * sin + down * cos;
		const scale = 1 + NEARER * Math.sin(angle);
		const free = isFree(x, y, scale, heavens);
		// That of a circle: its axes are nearly alike.
		const heading = ORBIT.lean + angle + Math.PI / 2;
		return { x, y, scale, free, heading };
	});
	const whole = Math.ceil((WAKE * heavens.size) / stepOf(radius));
	return places.map((place, step) => {
		let length = 0;
		while (length < whole && places[(step - length + STEPS) % STEPS]!.free) length++;
		return { ...place, wake: length / whole };
	});
}

/** How far two samples are from each other, at most. */
const stepOf = (radius: number) => (2 * Math.PI * ORBIT.across * radius) / STEPS;

/** The place nearest to `HOME` where a moon that stands is whole and near no words; undefined where there is none. */
export function standingPlace(
	orbit: readonly Place[],
	{ width, height, size }: Heavens,
): Place | undefined {
	const fits = ({ x, y, free }: Place) =>
		free && x > size && y > size && x < width - size && y < height - size;
	for (let away = 0; away <= STEPS / 2; away++) {
		const found = [orbit[away]!, orbit[STEPS - away]!].find(fits);
		if (found) return found;
	}
	return undefined;
}

/** When it is at each place, as shares of the time of a round: where words hide it, it hurries. */
export function timesOf(orbit: readonly Place[]): number[] {
	let time = 0;
	const times = orbit.map(({ free }, step) => {
		if (step > 0) time += free || orbit[step - 1]!.free ? 1 : 1 / HURRY;
		return time;
	});
	return times.map((at) => at / time);
}

/** The share of its way from where it comes into sight to a place where it is seen, at which it begins. */
const RISEN = 0.39;

/**
 * The step at which it begins on its way to a place where it is seen: on a phone between the bursts of a salute,
 * which are above the words to the left and to the right.
 */
export function rising(orbit: readonly Place[], seen: Place): number {
	const step = orbit.indexOf(seen);
	let way = 0;
	while (way < STEPS && orbit[(step - way - 1 + STEPS) % STEPS]!.free) way++;
	return (step - Math.round(way * (1 - RISEN)) + STEPS) % STEPS;
}

/** Where it is at a time of `times` below 1, as a step and a share of the next one. */
export function stepAt(times: readonly number[], time: number): number {
	const next = times.findIndex((at) => at > time);
	const before = times[next - 1]!;
	return next - 1 + (time - before) / (times[next]! - before);
}

/** When it is there: the inverse of `stepAt`. */
export function timeAt(times: readonly number[], step: number): number {
	const before = Math.floor(step);
	const [at, next = at] = times.slice(before, before + 2) as [number, number?];
	return at + (step - before) * (next - at);
}

/** Whether a moon here, and half-way to the next sample, is within the window and covers no words. */
function isFree(
	x: number,
	y: number,
	scale: number,
	{ radius, size, width, height, quietZone }: Heavens,
): boolean {
	const room = (size * scale) / 2 + stepOf(radius);
	if (Math.min(x, y, width - x, height - y) < room) return false;
	for (let i = 0; i < quietZone.length; i += 4) {
		const [left = 0, top = 0, across = 0, high = 0] = quietZone.slice(i, i + 4);
		const beside = Math.max(left - x, x - left - across);
		const above = Math.max(top - y, y - top - high);
		if (beside < room && above < room) return false;
	}
	return true;
}
