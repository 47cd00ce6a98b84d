import { describe, expect, test } from "vitest";
import { arrivalDelayOf, FLOAT_SIZE } from "../../../engine/render/alone.ts";
import { easeBands, WORD_BANDS, writeWordBands } from "../../../engine/render/bands.ts";
import { DEPTH } from "../../../engine/render/depth.ts";
import { LAUNCH_DELAY } from "../../../engine/render/fireworks/late.ts";
import { SALUTE } from "../../../engine/render/fireworks/salute.ts";
import { isBehindSphere } from "../../../engine/render/orbits.ts";
import { createPicture } from "../../../engine/render/renderer.ts";
import {
	createSimulation,
	FIELD,
	FIREWORKS,
	isAlive,
	isCaught,
	KIND,
	type Simulation,
	STRIDE,
	salute,
	seek,
} from "../../../engine/simulation/index.ts";
import {
	confirmationZones,
	joinedZones,
	landingZones,
	median,
	placeOf,
	type Sprite,
	seeds,
	simulationAt,
	spriteOf,
	spritesOf,
} from "./sprites.ts";

describe("floats", () => {
	test.each([
		["390x844", [4, 6, 8, 8]],
		["1440x900", [5, 8, 12, 12]],
	] as const)(
		"at %s after 2, 6, 15 and 60 s number at least %j in the median of ten seeds",
		(size, least) => {
			const { place, radius } = placeOf(size, landingZones[size], 0);
			const counts = [2, 6, 15, 60].map((seconds) =>
				median(
					seeds.map((seed) => {
						const simulation = simulationAt(seed, "drift", seconds * 60);
						return spritesOf(simulation, KIND.float, place).filter(
							([, { x, y, opacity, quiet, near }]) =>
								x > 0 &&
								x < place.width &&
								y > 0 &&
								y < place.height &&
								opacity * quiet >= 0.5 &&
								(near >= DEPTH.behind || Math.hypot(x - place.sphereX, y - place.sphereY) > radius),
						).length;
					}),
				),
			);
			for (const [i, count] of counts.entries()) expect(count).toBeGreaterThanOrEqual(least[i]!);
		},
	);

	test("are limited to a share of the shorter side, and have full size on a desktop", () => {
		const largest = (size: keyof typeof landingZones) => {
			const { place } = placeOf(size, landingZones[size], 0);
			const floats = seeds.flatMap((seed) =>
				spritesOf(simulationAt(seed, "drift", 6000), KIND.float, place),
			);
			return Math.max(...floats.map(([, { size }]) => size));
		};
		expect(largest("390x844")).toBeLessThan(390 * FLOAT_SIZE.most);
		expect(largest("1440x900")).toBeGreaterThan(100);
	});

	test.each(["390x844", "1440x900"] as const)(
		"are not clipped by a window's sides at %s",
		(size) => {
			const { place } = placeOf(size, landingZones[size], 0);
			const least = seeds.flatMap((seed) => {
				const simulation = simulationAt(seed, "drift", 3600);
				return spritesOf(simulation, KIND.float, place)
					.filter(([slot]) => !isCaught(simulation.records, slot))
					.map(([, { x, size }]) => Math.min(x, place.width - x) - size / 2);
			});
			expect(least.length).toBeGreaterThan(100);
			expect(Math.min(...least)).toBeGreaterThan(0);
		},
	);

	test("are not clipped by the sphere's rim or the window's top", () => {
		const { place, radius } = placeOf("1440x900", [], 0);
		let passing = 0;
		for (const seed of seeds) {
			const simulation = createSimulation(seed, "drift");
			for (let tick = 900; tick < 2400; tick += 60) {
				seek(simulation, tick);
				for (const [slot, { x, y, size, near, opacity }] of spritesOf(
					simulation,
					KIND.float,
					place,
				)) {
					if (opacity < 0.1 || isCaught(simulation.records, slot)) continue;
					const toRim = Math.abs(Math.hypot(x - place.sphereX, y - place.sphereY) - radius);
					const room = near < DEPTH.behind ? Math.min(toRim, y) : y;
					if (room < 60) passing++;
					expect(room, `seed ${seed}, tick ${tick}`).toBeGreaterThan(0.45 * size);
				}
			}
		}
		expect(passing).toBeGreaterThan(200);
	});

	test("arrive one by one at a scene's start, and only then", () => {
		const simulation = simulationAt(3, "drift", 120);
		const arrivals = [0, 1, 2, 3, 4, 5, 6, 7].map((slot) => arrivalDelayOf(simulation, slot));
		// 70 ms are 4.2 ticks.
		expect(arrivals).toEqual([9, 13.2, 17.4, 21.6, 25.8, 30, 0, 0].map((at) => expect.closeTo(at)));
		const { place } = placeOf("1440x900", [], 0);
		const at = (ticks: number) => spriteOf(simulation, 0, place, arrivals[0]! + ticks);
		expect(at(-1).opacity).toBe(0);
		expect(at(4).opacity).toBeGreaterThan(0);
		expect(at(4).size).toBeLessThan(at(60).size);
		expect(at(15).size).toBeGreaterThan(at(60).size * 1.02);
	});

	test("are above and below a phone's words by turns at a scene's start", () => {
		const size = "390x844";
		const { place } = placeOf(size, landingZones[size], 0);
		const [words, below] = [place.bands[WORD_BANDS.words]!, place.bands[WORD_BANDS.below]!];
		for (const seed of seeds) {
			const simulation = simulationAt(seed, "drift", 60);
			const floats = [0, 1, 2, 3, 4, 5].map((slot) => spriteOf(simulation, slot, place));
			expect(floats.map(({ y }) => (y < words ? "above" : y > below ? "below" : "behind"))).toEqual(
				["above", "below", "above", "below", "above", "below"],
			);
			const seen = floats.filter(({ opacity, quiet }) => opacity * quiet >= 0.5);
			expect(seen.length, `seed ${seed}`).toBeGreaterThanOrEqual(4);
		}
	});

	test("give way to the pointer, nearest most, and keep their order around it", () => {
		const { place } = placeOf("1440x900", [], 0);
		const simulation = simulationAt(3, "drift", 3600);
		const { reach, px } = DEPTH.dodge;
		for (const [slot, { x, y, near }] of spritesOf(simulation, KIND.float, place)) {
			const seenFrom = (away: number) => {
				const [pointerX, pointerY] = [((x - away) * 2) / 1440 - 1, (y * 2) / 900 - 1];
				const picture = { ...createPicture(), pointerX, pointerY, pointer: 1 };
				return spriteOf(simulation, slot, place, simulation.tick, picture);
			};
			const from = [2, 20, 60, 100, reach - 1].map((away) => seenFrom(away).x - x + away);
			expect(from).toEqual(from.toSorted((a, b) => a - b));
			expect(from[0]! - 2).toBeCloseTo(near * px * (1 - 2 / reach) ** 2, 6);
			expect(seenFrom(20).y).toBeCloseTo(y, 6);
			expect(seenFrom(reach)).toMatchObject({ x, y });
		}
	});

	test.each(["390x844", "1440x900"] as const)("never jump at %s", (size) => {
		const { place } = placeOf(size, landingZones[size], 0);
		const simulation = createSimulation(1, "drift");
		for (const start of [0, 3600]) {
			seek(simulation, start);
			for (const [slot] of spritesOf(simulation, KIND.float, place)) {
				for (let time = start; time < start + 600; time += 1) {
					if (!isAlive(simulation.records, slot, time + 1)) break;
					const [here, next] = [time, time + 1].map((at) => spriteOf(simulation, slot, place, at));
					const seen = Math.min(here!.opacity * here!.quiet, next!.opacity * next!.quiet);
					const way = Math.hypot(next!.x - here!.x, next!.y - here!.y);
					if (seen > 0) expect(way).toBeLessThan(12);
				}
			}
		}
	});
});

describe.each(["390x844", "844x390", "1440x900"] as const)("a caught float at %s", (size) => {
	const { place, radius } = placeOf(size, [], 0);
	const simulation = simulationAt(5, "drift", 2400);
	const { floats, ints } = simulation.records;
	const caught = spritesOf(simulation, KIND.float, place)
		.map(([slot]) => slot)
		.filter((slot) => isCaught(simulation.records, slot));

	test("circles the sphere on an ellipse of 1.22 by 0.34 radii only", () => {
		expect(caught.length).toBeGreaterThan(1);
		for (const slot of caught) {
			const r = slot * STRIDE;
			const ticks = 0.5 / Math.abs(floats[r + FIELD.velocityX]!);
			const risen = ints[r + FIELD.birth]! - floats[r + FIELD.y]! / floats[r + FIELD.velocityY]!;
			const lean = size === "390x844" ? 1.26 : 0.22 * Math.sign(floats[r + FIELD.x]!);
			for (const share of [0.16, 0.3, 0.45, 0.54]) {
				const { x, y, size } = spriteOf(simulation, slot, place, risen + share * ticks);
				const across = ((x - place.sphereX) * Math.sign(floats[r + FIELD.x]!)) / radius;
				const up = (place.sphereY - y) / radius;
				const along = across * Math.cos(lean) + up * Math.sin(lean);
				const beside = up * Math.cos(lean) - across * Math.sin(lean);
				// The tolerance allows for the floats' sway.
				expect(Math.abs(Math.hypot(along / 1.22, beside / 0.34) - 1)).toBeLessThan(0.08);
				expect(size).toBeGreaterThanOrEqual(24);
			}
		}
	});

	test("enters below the window and leaves above it, and is behind the sphere only past the orbit's ends", () => {
		for (const slot of caught) {
			const r = slot * STRIDE;
			const [birth, death] = [ints[r + FIELD.birth]!, ints[r + FIELD.death]!];
			const at = (time: number) => spriteOf(simulation, slot, place, time);
			expect(at(birth).y - at(birth).size / 2).toBeGreaterThan(place.height);
			expect(at(death - 1).y + at(death - 1).size / 2).toBeLessThan(0);
			for (let time = birth; time < death; time += 3) {
				if (
					isBehindSphere(simulation.records, slot, time) ===
					isBehindSphere(simulation.records, slot, time + 3)
				) {
					continue;
				}
				const { x, y } = at(time);
				expect(Math.hypot(x - place.sphereX, y - place.sphereY)).toBeGreaterThan(1.1 * radius);
			}
		}
	});
});

test.each([
	["390x844", "at night", confirmationZones["390x844"], 1],
	["390x844", "after a join", joinedZones["390x844"], 0],
	["844x390", "at night", confirmationZones["844x390"], 1],
	["1440x900", "at night", confirmationZones["1440x900"], 1],
] as const)(
	"bursts at %s, %s, lose at most a fifth to words, over 60 s of four seeds",
	(size, _, zones, night) => {
		const { place } = placeOf(size, zones, night);
		let [bursts, whole] = [0, 0];
		for (const seed of seeds.slice(0, 4)) {
			const simulation = createSimulation(seed, "fireworks");
			const { ints, floats } = simulation.records;
			for (let tick = 156; tick < 3600; tick += 48) {
				seek(simulation, tick);
				const sparks = new Map<string, Sprite[]>();
				for (const [slot, spark] of spritesOf(simulation, KIND.spark, place)) {
					const r = slot * STRIDE;
					const age = tick - ints[r + FIELD.birth]!;
					// At this age sparks have spread fully and do not fade yet.
					if (age < 45 || age >= 77) continue;
					const burst = `${ints[r + FIELD.birth]} ${floats[r + FIELD.x]} ${floats[r + FIELD.y]}`;
					// A cramped burst omits some of its sparks: their opacity is 0.
					const seen = spark.opacity > 0 ? [spark] : [];
					sparks.set(burst, [...(sparks.get(burst) ?? []), ...seen]);
				}
				for (const burst of sparks.values()) {
					bursts++;
					if (!burst.some(({ opacity }) => opacity > 0.5)) continue;
					whole++;
					const cut = burst.filter(({ quiet }) => quiet < 0.5).length;
					expect(cut / burst.length, `seed ${seed}, tick ${tick}`).toBeLessThanOrEqual(0.2);
				}
			}
		}
		expect(bursts).toBeGreaterThan(280);
		expect(whole / bursts).toBeGreaterThan(0.85);
	},
);

test.each(["390x844", "1440x900"] as const)(
	"a salute clears all floats at %s, and all return after it",
	(size) => {
		const { place } = placeOf(size, landingZones[size], 0);
		for (const seed of seeds) {
			const alone = createSimulation(seed, "drift");
			const saluted = simulationAt(seed, "drift", 900);
			salute(saluted);
			const end = 901 + FIREWORKS.fuse + FIREWORKS.sparkLife;
			const opacities = (simulation: Simulation, tick: number) => {
				seek(simulation, tick);
				return spritesOf(simulation, KIND.float, place).map(([, { opacity }]) => opacity);
			};
			for (let tick = 901 + SALUTE.fade; tick < end - SALUTE.back; tick += 9) {
				const seen = opacities(saluted, tick);
				expect(seen.length).toBeGreaterThan(8);
				expect(Math.max(...seen), `seed ${seed}, tick ${tick}`).toBe(0);
			}
			const half = Math.round(end - SALUTE.back / 2);
			const [coming, there] = [opacities(saluted, half), opacities(alone, half)];
			const isBack = coming.map((opacity, i) => opacity / there[i]! > 0.5);
			expect(new Set(isBack), `seed ${seed}`).toEqual(new Set([true, false]));
			expect(opacities(saluted, end)).toEqual(opacities(alone, end));
		}
	},
);

/** Tick of the first bursts. Their rockets start at tick 1. */
const FIRST = 1 + FIREWORKS.fuse;

/** Sparks at `tick` of a burst that opened at `birth`, in a wide window with words. */
function sparksOf(seed: number, birth: number, tick: number): Sprite[] {
	const { place } = placeOf("1440x900", confirmationZones["1440x900"], 1);
	const simulation = simulationAt(seed, "fireworks", tick);
	return spritesOf(simulation, KIND.spark, place, { ...createPicture(), night: 1, sunken: 1 })
		.filter(([slot]) => simulation.records.ints[slot * STRIDE + FIELD.birth] === birth)
		.slice(0, FIREWORKS.sparks)
		.map(([, spark]) => spark);
}

test("bursts alternate between left and right of the words", () => {
	for (const seed of seeds) {
		const births = [0, 1, 2, 3, 4, 5].map((beat) => FIRST + FIREWORKS.every * beat);
		const sides = births.slice(1).map((birth) => {
			const sparks = sparksOf(seed, birth, birth + 60);
			return Math.sign(sparks.reduce((sum, { x }) => sum + x - 720, 0));
		});
		expect(Math.abs(sides[0]!)).toBe(1);
		expect(sides, `seed ${seed}`).toEqual(sides.map((_, i) => sides[0]! * (-1) ** i));
	}
});

test("sparks of a burst fill it, and end one by one", () => {
	for (const seed of seeds) {
		const out = sparksOf(seed, FIRST, FIRST + 60);
		const x = out.reduce((sum, spark) => sum + spark.x, 0) / out.length;
		const y = out.reduce((sum, spark) => sum + spark.y, 0) / out.length;
		const away = out.map((spark) => Math.hypot(spark.x - x, spark.y - y)).sort((a, b) => a - b);
		expect(away.filter((px) => px < away.at(-1)! * 0.6).length, `seed ${seed}`).toBeGreaterThan(5);
		const left = [84, 90, 96, 102, 108, 114].map(
			(age) => sparksOf(seed, FIRST, FIRST + age).filter(({ opacity }) => opacity > 0.5).length,
		);
		expect(left).toEqual(left.toSorted((a, b) => b - a));
		expect(new Set(left).size, `seed ${seed}`).toBeGreaterThanOrEqual(4);
	}
});

test("bursts next to the words of a wide window use its full height", () => {
	const births = Array.from({ length: 12 }, (_, i) => FIRST + (i + 1) * FIREWORKS.every);
	const heights = seeds.flatMap((seed) =>
		births.map((birth) => {
			const sparks = sparksOf(seed, birth, birth + LAUNCH_DELAY.ticks * LAUNCH_DELAY.of);
			return sparks.reduce((sum, { y }) => sum + y, 0) / sparks.length;
		}),
	);
	for (const third of [0, 1, 2]) {
		const inIt = heights.filter((y) => Math.floor(y / 250) === third);
		expect(inIt.length / heights.length, `from ${third * 250} px`).toBeGreaterThan(0.2);
	}
});

test("a phone's rockets rush past the words: most show two fifths of their flight", () => {
	const { place } = placeOf("390x844", joinedZones["390x844"], 0);
	const shares = seeds.flatMap((seed) => {
		const simulation = createSimulation(seed, "none");
		salute(simulation);
		const seen = [0, 0, 0];
		for (let tick = 1; tick < FIREWORKS.fuse + LAUNCH_DELAY.ticks * LAUNCH_DELAY.of; tick++) {
			seek(simulation, tick);
			for (const [slot, rocket] of spritesOf(simulation, KIND.rocket, place)) {
				const i = slot - simulation.rings[KIND.rocket].first;
				if (rocket.opacity * rocket.quiet > 0.5) seen[i]!++;
			}
		}
		return seen.map((ticks, i) => ticks / (FIREWORKS.fuse + i * LAUNCH_DELAY.ticks));
	});
	expect(median(shares)).toBeGreaterThan(0.4);
});

test("a masthead never counts as words, however low", () => {
	const [alone, beside] = [
		new Float32Array(WORD_BANDS.length),
		new Float32Array(WORD_BANDS.length),
	];
	writeWordBands(alone, [265, 255, 670, 364], 1200, 810);
	writeWordBands(beside, [36, 110, 110, 44, 265, 255, 670, 364], 1200, 810);
	expect(beside).toEqual(alone);
	expect(alone[WORD_BANDS.halfWidth]).toBe(335);
});

test("bands follow moved words within a second, and at once while time stands still", () => {
	const bands = new Float32Array([100, 200, 800, 150]);
	const to = new Float32Array([200, 300, 800, 150]);
	expect(easeBands(bands, bands, 1)).toBe(bands);
	expect([...easeBands(bands, to, 9)]).toEqual([150, 250, 800, 150]);
	expect([...easeBands(bands, to, 0)]).toEqual([...to]);
	let moving = bands;
	for (let tick = 0; tick < 100; tick++) moving = easeBands(moving, to, 1);
	expect(easeBands(moving, to, 1)).toBe(moving);
});
