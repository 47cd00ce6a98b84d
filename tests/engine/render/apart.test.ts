import { expect, test } from "vitest";
import { createFloatSpacing, updateFloatSpacing } from "../../../engine/render/apart.ts";
import { isBehindSphere } from "../../../engine/render/orbits.ts";
import { type Place, SPRITE } from "../../../engine/render/place.ts";
import { halfBoxEdge, visibilityNearWords } from "../../../engine/render/quiet.ts";
import { createPicture } from "../../../engine/render/renderer.ts";
import { writeVisiblePose } from "../../../engine/render/seen.ts";
import {
	between,
	createSimulation,
	isAlive,
	KIND,
	type Simulation,
	seek,
	step,
} from "../../../engine/simulation/index.ts";
import { landingZones, placeOf, type Sprite, seeds, simulationAt, spritesOf } from "./sprites.ts";

type Float = Pick<Sprite, "x" | "y" | "size" | "quiet">;

/** Visible floats at the simulation's tick. Only `spaced` floats avoid each other. */
function floatsAt(simulation: Simulation, place: Place, spaced: boolean): Float[] {
	const apart = createFloatSpacing(simulation);
	if (spaced) updateFloatSpacing(apart, simulation, { time: simulation.tick }, place);
	else apart.second = 0;
	place.aside = apart;
	const seen = new Float64Array(SPRITE.length);
	const floats: Float[] = [];
	for (let slot = 0; slot < simulation.rings[KIND.float].length; slot++) {
		if (!isAlive(simulation.records, slot, simulation.tick)) continue;
		writeVisiblePose(seen, simulation, slot, simulation.tick, createPicture(), place);
		const [x, y, size] = [seen[SPRITE.x]!, seen[SPRITE.y]!, seen[SPRITE.size]!];
		if (seen[SPRITE.opacity]! < 0.3 || Math.abs(y - place.height / 2) > place.height / 2) continue;
		floats.push({
			x,
			y,
			size,
			quiet: visibilityNearWords(place.zones, x, y, halfBoxEdge(size, 0)),
		});
	}
	return floats;
}

/** Counts overlapping pairs. Floats count as circles of 0.92 times their size. */
const touching = (floats: Float[]) =>
	floats.flatMap((one, i) =>
		floats
			.slice(0, i)
			.filter(({ x, y, size }) => Math.hypot(one.x - x, one.y - y) < 0.46 * (one.size + size)),
	).length;

test("floats touch in fewer than 5 % of a phone's moments", () => {
	const size = "390x844";
	const { place, radius } = placeOf(size, landingZones[size], 0);
	const moments = seeds.flatMap((seed) => {
		const simulation = createSimulation(seed, "drift");
		// Offsets are updated every 60 ticks. Steps of 45 ticks find them at different ages.
		return Array.from({ length: 160 }, (_, moment) => {
			seek(simulation, 45 * (moment + 1));
			// Ignores floats behind the sphere, which are too faint to count. Floats shrink near words.
			const floats = spritesOf(simulation, KIND.float, place)
				.filter(([, { opacity, quiet }]) => opacity * quiet > 0.3)
				.filter(
					([slot, { x, y }]) =>
						!isBehindSphere(simulation.records, slot, simulation.tick) ||
						Math.hypot(x - place.sphereX, y - place.sphereY) > radius,
				)
				.map(([, sprite]) => ({ ...sprite, size: sprite.size * between([0.3, 1], sprite.quiet) }));
			return touching(floats) > 0;
		});
	});
	const touched = moments.filter(Boolean).length;
	expect(touched / moments.length).toBeLessThan(0.05);
});

test.each(["390x844", "1440x900"] as const)(
	"at %s floats overlap a tenth as often as without avoidance, and words hide hardly more of them",
	(size) => {
		const { place } = placeOf(size, landingZones[size], 0);
		const count = (spaced: boolean) => {
			const shots = seeds.flatMap((seed) => {
				const simulation = createSimulation(seed, "drift");
				return Array.from({ length: 10 }, (_, moment) => {
					seek(simulation, 360 + 400 * moment);
					return floatsAt(simulation, place, spaced);
				});
			});
			const seen = shots.map((floats) => floats.filter(({ quiet }) => quiet > 0.5));
			const pairs = seen.reduce((sum, floats) => sum + touching(floats), 0);
			const all = shots.flat().length;
			return { pairs, all, hidden: all - seen.flat().length };
		};
		const [alone, together] = [count(false), count(true)];
		expect(alone.pairs).toBeGreaterThan(80);
		expect(together.pairs / alone.pairs).toBeLessThan(0.1);
		expect(together.hidden).toBeLessThan(1.1 * alone.hidden);
		expect(together.all).toBeGreaterThan(0.98 * alone.all);
	},
);

test("offsets are the same after a seek as after all ticks, and few frames update them", () => {
	const { place } = placeOf("1440x900", landingZones["1440x900"], 0);
	const simulation = createSimulation(7, "drift");
	const played = createFloatSpacing(simulation);
	let written = 0;
	for (let tick = 1; tick <= 3600; tick++) {
		step(simulation);
		if (updateFloatSpacing(played, simulation, { time: tick }, place)) written++;
		if (tick % 600 !== 0) continue;
		const sought = simulationAt(7, "drift", tick);
		const apart = createFloatSpacing(sought);
		updateFloatSpacing(apart, sought, { time: tick }, place);
		expect(apart.px).toEqual(played.px);
		expect(played.px.some(Boolean)).toBe(true);
	}
	expect(written).toBeLessThan(3600 / 25);
});
