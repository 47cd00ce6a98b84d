import { expect, test } from "vitest";
import {
	computeOrbit,
	findRestingPlace,
	findStartStep,
	type OrbitLayout,
} from "../../../src/site/moon/orbit.ts";

const wide: OrbitLayout = {
	middle: { x: 720, y: 459 },
	radius: 351,
	width: 1440,
	height: 900,
	size: 48,
	// Rectangles of a headline, a form, a masthead and a footer.
	quietZone: [420, 180, 600, 300, 460, 540, 520, 190, 30, 20, 100, 44, 540, 840, 360, 44],
};

test("the orbit circles the sphere, closes, and never crosses it", () => {
	const orbit = computeOrbit(wide);
	expect(orbit.at(-1)!.x).toBeCloseTo(orbit[0]!.x, 6);
	expect(orbit.at(-1)!.y).toBeCloseTo(orbit[0]!.y, 6);
	for (const { x, y } of orbit) {
		expect(Math.hypot(x - 720, y - 459)).toBeGreaterThan(351 * 1.09);
	}
	expect(Math.max(...orbit.map(({ scale }) => scale))).toBeCloseTo(1.18, 2);
});

test("the moon is hidden where it would cover words, even between two samples", () => {
	const orbit = computeOrbit(wide);
	expect(orbit.filter(({ free }) => !free).length).toBeGreaterThan(0);
	for (const [i, place] of orbit.entries()) {
		const next = orbit[i + 1] ?? place;
		if (!place.free && !next.free) continue;
		for (const share of [0, 0.25, 0.5, 0.75, 1]) {
			const x = place.x + (next.x - place.x) * share;
			const y = place.y + (next.y - place.y) * share;
			for (let zone = 0; zone < wide.quietZone.length; zone += 4) {
				const [left, top, width, height] = wide.quietZone.slice(zone, zone + 4) as number[];
				const covers =
					x > left! - 28 && x < left! + width! + 28 && y > top! - 28 && y < top! + height! + 28;
				expect(covers, `${x}, ${y} over ${left}, ${top}`).toBe(false);
			}
		}
	}
});

test("the moon starts shortly after coming into sight, also before the first step, and anywhere if never hidden", () => {
	const orbit = computeOrbit(wide);
	const seen = findRestingPlace(orbit, wide)!;
	const step = findStartStep(orbit, seen);
	const before = Array.from({ length: 8 }, (_, back) => orbit[step - back]!.free);
	expect(before[0]).toBe(true);
	expect(before).toContain(false);
	expect(step).toBeGreaterThan(100);
	const open = computeOrbit({ ...wide, quietZone: [], height: 2000 });
	expect(open[findStartStep(open, open[3]!)]!.free).toBe(true);
});

test("the moon rests at the upper right, or as near as there is room", () => {
	const at = (layout: OrbitLayout) => findRestingPlace(computeOrbit(layout), layout);
	expect(at(wide)).toMatchObject({ free: true });
	expect(at(wide)!.x).toBeGreaterThan(720);
	expect(at(wide)!.y).toBeLessThan(459);
	const phone = { ...wide, middle: { x: 195, y: 430 }, radius: 214, width: 390, height: 844 };
	const free = { ...phone, quietZone: [20, 230, 350, 400] };
	expect(at(free)!.x).toBeLessThan(390 - 48);
	expect(at({ ...phone, quietZone: [0, 0, 390, 844] })).toBeUndefined();
});
