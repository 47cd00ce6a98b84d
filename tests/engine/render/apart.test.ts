import { expect, test } from "vitest";
import { createApart, writeApart } from "../../../engine/render/apart.ts";
import { type Place, SEEN } from "../../../engine/render/place.ts";
import { quietAt, reachOf } from "../../../engine/render/quiet.ts";
import { createPicture } from "../../../engine/render/renderer.ts";
import { writeSeen } from "../../../engine/render/seen.ts";
import {
	createSimulation,
	isAlive,
	KIND,
	type Simulation,
	seek,
	step,
} from "../../../engine/simulation/index.ts";
import { landing, placeOf, seeds } from "./sprites.ts";

interface Float {
	x: number;
	y: number;
	size: number;
}

/** The floats that can be seen at a tick: with room for each other, or as if each was alone. */
function floatsAt(simulation: Simulation, place: Place, together: boolean): Float[] {
	const apart = createApart(simulation);
	if (together) writeApart(apart, simulation, { time: simulation.tick }, place);
	else apart.second = 0;
	place.aside = apart;
	const seen = new Float64Array(SEEN.length);
	const floats: Float[] = [];
	for (let slot = 0; slot < simulation.rings[KIND.float].length; slot++) {
		if (!isAlive(simulation.records, slot, simulation.tick)) continue;
		writeSeen(seen, simulation, slot, simulation.tick, createPicture(), place);
		const [x, y, size] = [seen[SEEN.x]!, seen[SEEN.y]!, seen[SEEN.size]!];
		const opacity = seen[SEEN.opacity]! * quietAt(place.zones, x, y, reachOf(size, 0));
		if (opacity > 0.3 && Math.abs(y - place.height / 2) < place.height / 2) {
			floats.push({ x, y, size });
		}
	}
	return floats;
}

/** Pairs of which one lies on the other: emoji are about as wide as high. */
const touching = (floats: Float[]) =>
	floats.flatMap((one, i) =>
		floats
			.slice(0, i)
			.filter(({ x, y, size }) => Math.hypot(one.x - x, one.y - y) < 0.46 * (one.size + size)),
	).length;

test.each([
	["390x844", 0.5],
	["1440x900", 0.35],
] as const)(
	"at %s floats lie on each other at most %d times as often as they would alone, and words hide no more of them",
	(size, share) => {
		const { place } = placeOf(size, landing[size], 0);
		const [alone, together] = [false, true].map((heeded) => {
			const shots = seeds.flatMap((seed) => {
				const simulation = createSimulation(seed, "drift");
				return [360, 1000, 1700, 2400, 3100, 3800].map((tick) => {
					seek(simulation, tick);
					return floatsAt(simulation, place, heeded);
				});
			});
			const pairs = shots.reduce((sum, floats) => sum + touching(floats), 0);
			return { pairs, seen: shots.flat().length };
		}) as [{ pairs: number; seen: number }, { pairs: number; seen: number }];
		expect(alone.pairs).toBeGreaterThan(100);
		expect(together.pairs / alone.pairs).toBeLessThan(share);
		expect(together.seen).toBeGreaterThan(0.99 * alone.seen);
	},
);

test("how far floats go aside is the same after a seek as after all ticks, and none leaps", () => {
	const { place } = placeOf("1440x900", landing["1440x900"], 0);
	const simulation = createSimulation(7, "drift");
	const played = createApart(simulation);
	place.aside = played;
	const seen = new Float64Array(SEEN.length);
	const before = new Map<number, number>();
	let written = 0;
	let farthest = 0;
	for (let tick = 1; tick <= 3600; tick++) {
		step(simulation);
		if (writeApart(played, simulation, { time: tick }, place)) written++;
		for (let slot = 0; slot < played.floats.length; slot++) {
			if (!isAlive(simulation.records, slot, tick)) {
				before.delete(slot);
				continue;
			}
			writeSeen(seen, simulation, slot, tick, createPicture(), place);
			const x = seen[SEEN.x]!;
			place.aside = { px: new Float32Array(played.px.length), second: 0 };
			writeSeen(seen, simulation, slot, tick, createPicture(), place);
			place.aside = played;
			const aside = x - seen[SEEN.x]!;
			expect(Math.abs(aside - (before.get(slot) ?? aside))).toBeLessThan(4);
			before.set(slot, aside);
			farthest = Math.max(farthest, Math.abs(aside));
		}
		if (tick % 600 !== 0) continue;
		const sought = createSimulation(7, "drift");
		seek(sought, tick);
		const apart = createApart(sought);
		writeApart(apart, sought, { time: tick }, place);
		expect(apart.px).toEqual(played.px);
	}
	expect(farthest).toBeGreaterThan(30);
	// Most pictures need nothing anew.
	expect(written).toBeLessThan(3600 / 25);
});
