/** The moon's ellipse in sphere radii. It is tilted like the not-found page's orbit. */
const ORBIT = { across: 1.28, high: 1.22, lean: (-18 * Math.PI) / 180 };

/** Points computed per orbit. */
const STEPS = 120;

/** The moon is larger by this share at the bottom, where it is nearest, and smaller at the top. */
const NEARER = 0.18;

/** Speed factor while the moon is hidden. */
const HURRY = 10;

/** Angle of the resting place: upper right, as in the logo. */
const HOME = -Math.PI / 4;

/** The sphere and everything else that shapes the orbit, in CSS px. */
export interface OrbitLayout {
	middle: { x: number; y: number };
	radius: number;
	width: number;
	height: number;
	/** x, y, width, height of each block of words. */
	quietZone: readonly number[];
	size: number;
}

/** The moon's center in CSS px, and its scale. */
export interface OrbitPlace {
	x: number;
	y: number;
	scale: number;
	/** Whether the moon is fully inside the window and clear of words. */
	free: boolean;
}

/** Returns the places of one orbit, from `HOME` to `HOME`. */
export function computeOrbit(layout: OrbitLayout): OrbitPlace[] {
	const { middle, radius } = layout;
	const [cos, sin] = [Math.cos(ORBIT.lean), Math.sin(ORBIT.lean)];
	return Array.from({ length: STEPS + 1 }, (_, step) => {
		const angle = HOME + (2 * Math.PI * step) / STEPS;
		const across = ORBIT.across * radius * Math.cos(angle);
		const down = ORBIT.high * radius * Math.sin(angle);
		const x = middle.x + across * cos - down * sin;
		const y = middle.y + across * sin + down * cos;
		const scale = 1 + NEARER * Math.sin(angle);
		return { x, y, scale, free: isFree(x, y, scale, layout) };
	});
}

/** The place nearest to `HOME` where a resting moon fits and covers no words. */
export function findRestingPlace(
	orbit: readonly OrbitPlace[],
	{ width, height, size }: OrbitLayout,
): OrbitPlace | undefined {
	const fits = ({ x, y, free }: OrbitPlace) =>
		free && x > size && y > size && x < width - size && y < height - size;
	for (let away = 0; away <= STEPS / 2; away++) {
		const found = [orbit[away]!, orbit[STEPS - away]!].find(fits);
		if (found) return found;
	}
	return undefined;
}

/** Returns each place's time as a share of the orbit. The moon passes hidden places faster. */
export function computeOrbitTimes(orbit: readonly OrbitPlace[]): number[] {
	let time = 0;
	const times = orbit.map(({ free }, step) => {
		if (step > 0) time += free || orbit[step - 1]!.free ? 1 : 1 / HURRY;
		return time;
	});
	return times.map((at) => at / time);
}

/**
 * Share of the visible arc before the resting place that the moon skips at its start. On a phone, it
 * starts between a salute's two bursts.
 */
const START_SHARE = 0.39;

export function findStartStep(orbit: readonly OrbitPlace[], restingPlace: OrbitPlace): number {
	const step = orbit.indexOf(restingPlace);
	let visible = 0;
	while (visible < STEPS && orbit[(step - visible - 1 + STEPS) % STEPS]!.free) visible++;
	return (step - Math.round(visible * (1 - START_SHARE)) + STEPS) % STEPS;
}

/** Returns the step at a `time` below 1; between two steps a fraction. */
export function orbitStepAt(times: readonly number[], time: number): number {
	const next = times.findIndex((at) => at > time);
	const before = times[next - 1]!;
	return next - 1 + (time - before) / (times[next]! - before);
}

export function orbitTimeAt(times: readonly number[], step: number): number {
	const before = Math.floor(step);
	const [at, next = at] = times.slice(before, before + 2) as [number, number?];
	return at + (step - before) * (next - at);
}

/** Requires a margin of one step around the moon, because it also moves between the places. */
function isFree(
	x: number,
	y: number,
	scale: number,
	{ radius, size, width, height, quietZone }: OrbitLayout,
): boolean {
	const step = (2 * Math.PI * ORBIT.across * radius) / STEPS;
	const room = (size * scale) / 2 + step;
	if (Math.min(x, y, width - x, height - y) < room) return false;
	for (let i = 0; i < quietZone.length; i += 4) {
		const [left = 0, top = 0, across = 0, high = 0] = quietZone.slice(i, i + 4);
		const beside = Math.max(left - x, x - left - across);
		const above = Math.max(top - y, y - top - high);
		if (beside < room && above < room) return false;
	}
	return true;
}
