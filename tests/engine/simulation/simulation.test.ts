import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../../../bench/harness/scenarios.ts";
import { fingerprint } from "../../../engine/simulation/fingerprint.ts";
import {
	countParticles,
	createSimulation,
	DRIFT,
	EMOJI,
	FIELD,
	isAlive,
	KIND,
	LAST_TICK,
	POSE,
	restoreSimulation,
	SCENES,
	type Scene,
	type Simulation,
	type Snapshot,
	STRIDE,
	salute,
	sceneOf,
	seek,
	setScene,
	step,
	writePose,
} from "../../../engine/simulation/index.ts";
import { FINGERPRINTS, fingerprintBySeeks, fingerprintScenario, stepTo } from "./fingerprints.ts";

function living(simulation: Simulation, kind: number, field: number): number[] {
	const { records, slots, tick } = simulation;
	const words = field <= FIELD.death ? records.ints : records.floats;
	return Array.from({ length: slots }, (_, slot) => slot)
		.filter((slot) => isAlive(records, slot, tick))
		.filter((slot) => records.floats[slot * STRIDE + FIELD.kind] === kind)
		.map((slot) => words[slot * STRIDE + field]!);
}

test.each(SCENARIOS)("$name reproduces its fingerprints by steps and by seeks", (scenario) => {
	expect(fingerprintScenario(scenario)).toBe(FINGERPRINTS[scenario.name]);
	expect(fingerprintBySeeks(scenario)).toBe(FINGERPRINTS[scenario.name]);
});

test("every bit of a record changes the fingerprint", () => {
	const simulation = createSimulation(42, "both");
	const prints = [fingerprint(simulation)];
	for (let bit = 0; bit < 32; bit++) {
		simulation.records.ints[bit]! ^= 1 << bit;
		prints.push(fingerprint(simulation));
	}
	expect(new Set(prints).size).toBe(33);
});

describe("populations follow the specification", () => {
	const simulation = createSimulation(42, "both");
	const history = Array.from({ length: 12_000 }, (_, i) => {
		step(simulation);
		return { t: i + 1, ...countParticles(simulation) };
	});

	test("3 rockets at the start and one every 48 ticks", () => {
		for (const { t, born } of history) expect(born.rockets).toBe(3 + Math.floor((t - 1) / 48));
	});

	test("a burst 96 ticks (1.6 s) after every launch", () => {
		for (const { t, born } of history) {
			expect(born.bursts).toBe(t < 97 ? 0 : 3 + Math.floor((t - 97) / 48));
		}
	});

	test("25 sparks for each burst of the last 180 ticks", () => {
		for (const { t, born, alive } of history) {
			expect(alive.sparks).toBe(25 * (born.bursts - (history[t - 181]?.born.bursts ?? 0)));
		}
	});

	test("rockets fly for 96 ticks", () => {
		for (const { born, alive } of history) expect(alive.rockets).toBe(born.rockets - born.bursts);
	});

	test("6 floats at the start and one every 60 ticks", () => {
		for (const { t, born } of history) expect(born.floats).toBe(6 + Math.floor((t - 1) / 60));
	});

	test("about 32 floats are alive in the long run, never 57", () => {
		const long = history.slice(4_000).map(({ alive }) => alive.floats);
		const mean = long.reduce((sum, floats) => sum + floats, 0) / long.length;
		expect(mean).toBeGreaterThan(28);
		expect(mean).toBeLessThan(36);
		expect(Math.max(...long)).toBeLessThan(57);
	});
});

describe("a salute", () => {
	const saluted = () => {
		const simulation = stepTo(createSimulation(42, "drift"), 100);
		salute(simulation);
		return simulation;
	};

	test("is three rockets and their bursts, then over", () => {
		const simulation = saluted();
		const alive = [100, 101, 196, 197, 376, 377].map((tick) => {
			const { rockets, sparks } = countParticles(stepTo(simulation, tick)).alive;
			return `${tick}: ${rockets} ${sparks}`;
		});
		expect(alive.join(", ")).toBe("100: 0 0, 101: 3 0, 196: 3 0, 197: 0 75, 376: 0 75, 377: 0 0");
	});

	test("adds nothing to fireworks", () => {
		const simulation = stepTo(createSimulation(42, "fireworks"), 100);
		salute(simulation);
		const { inputs } = simulation;
		expect(inputs).toEqual([{ tick: 0, scene: "fireworks" }]);
	});
});

test("floats live 12 to 50 s plus 1 s and are 24 to 120 px, covering both ranges", () => {
	const lives: number[] = [];
	const sizes: number[] = [];
	const simulation = createSimulation(7, "drift");
	for (let tick = 1; tick < 400_000; tick += 2_400) {
		seek(simulation, tick);
		const births = living(simulation, KIND.float, FIELD.birth);
		const deaths = living(simulation, KIND.float, FIELD.death);
		lives.push(...deaths.map((death, i) => (death - births[i]!) / 60));
		sizes.push(...living(simulation, KIND.float, FIELD.size));
	}
	expect(Math.min(...lives)).toBeGreaterThanOrEqual(13);
	expect(Math.min(...lives)).toBeLessThan(14);
	expect(Math.max(...lives)).toBeLessThanOrEqual(51);
	expect(Math.max(...lives)).toBeGreaterThan(50);
	expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
	expect(Math.min(...sizes)).toBeLessThan(28);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(120);
	expect(Math.max(...sizes)).toBeGreaterThan(110);
});

test("bursts use all of the emoji that stay bright at night, and no others", () => {
	const seen = new Set<number>();
	const simulation = createSimulation(3, "fireworks");
	for (let tick = 300; tick < 30_000; tick += 200) {
		seek(simulation, tick);
		for (const emoji of living(simulation, KIND.spark, FIELD.emoji)) seen.add(emoji);
	}
	expect([...seen].map((place) => EMOJI[place]).sort()).toEqual(
		["💌", "✨", "⭐", "🌸", "🌟"].sort(),
	);
});

/** Steps once. Returns the death ticks of the particles whose records it overwrote. */
function endsOfReplaced(simulation: Simulation): number[] {
	const { birth, death } = FIELD;
	const { ints } = simulation.records;
	const before = ints.slice();
	step(simulation);
	const ends: number[] = [];
	for (let r = 0, end = ints.length, stride = STRIDE; r < end; r += stride) {
		if (ints[r + birth] !== before[r + birth]) ends.push(before[r + death]!);
	}
	return ends;
}

test.each(SCENES)("in %s no live particle is ever overwritten", (scene) => {
	const simulation = createSimulation(11, scene);
	while (simulation.tick < 8_000) {
		const ends = endsOfReplaced(simulation);
		expect(Math.max(0, ...ends)).toBeLessThanOrEqual(simulation.tick);
	}
});

describe("when the scene changes", () => {
	test("floats fade within a second in place, without a jump", () => {
		const simulation = stepTo(createSimulation(5, "drift"), 1_000);
		const stays = stepTo(createSimulation(5, "drift"), 1_000);
		const [pose, stayed] = [new Float32Array(POSE.length), new Float32Array(POSE.length)];
		setScene(simulation, "none");
		let before = Array.from({ length: simulation.slots }, () => 1);
		for (let i = 0; i <= DRIFT.farewell; i++) {
			stepTo(simulation, 1_001 + i);
			stepTo(stays, 1_001 + i);
			before = before.map((opacity, slot) => {
				writePose(simulation.records, slot, simulation.tick, pose);
				writePose(stays.records, slot, stays.tick, stayed);
				if (pose[POSE.opacity]! > 0) {
					expect([...pose].slice(0, POSE.opacity)).toEqual([...stayed].slice(0, POSE.opacity));
				}
				if (i > 0) expect(opacity - pose[POSE.opacity]!).toBeLessThan(0.03);
				return pose[POSE.opacity]!;
			});
		}
		expect(countParticles(simulation).alive.floats).toBe(0);
	});

	test("rockets in flight still burst and their sparks live to the end", () => {
		const simulation = stepTo(createSimulation(5, "fireworks"), 50);
		setScene(simulation, "drift");
		stepTo(simulation, 97);
		expect(countParticles(simulation).alive).toMatchObject({ floats: 6, rockets: 1, sparks: 75 });
		stepTo(simulation, 49 + 96 + 180 - 1);
		expect(countParticles(simulation).alive.sparks).toBe(25);
		step(simulation);
		expect(countParticles(simulation).alive.sparks).toBe(0);
	});

	test("two changes at one tick that cancel out have no effect", () => {
		const simulation = stepTo(createSimulation(5, "drift"), 700);
		setScene(simulation, "fireworks");
		setScene(simulation, "drift");
		const undisturbed = createSimulation(5, "drift");
		expect(fingerprint(stepTo(simulation, 900))).toBe(fingerprint(stepTo(undisturbed, 900)));
	});

	test("leaving a scene and returning at once overwrites only fading particles", () => {
		for (let pause = 1; pause < 120; pause += 7) {
			const simulation = stepTo(createSimulation(5, "both"), 3_100);
			setScene(simulation, "none");
			stepTo(simulation, 3_100 + pause);
			setScene(simulation, "both");
			while (simulation.tick < 3_600) {
				const ends = endsOfReplaced(simulation);
				expect(Math.max(0, ...ends)).toBeLessThanOrEqual(simulation.tick);
			}
		}
	});

	test("a seek into the past drops future inputs only once a scene is set there", () => {
		const simulation = stepTo(createSimulation(5, "drift"), 700);
		setScene(simulation, "fireworks");
		stepTo(simulation, 900);
		const later = fingerprint(simulation);
		seek(simulation, 300);
		expect(sceneOf(simulation)).toBe("drift");
		expect(fingerprint(stepTo(simulation, 900))).toBe(later);
		seek(simulation, 300);
		setScene(simulation, "drift");
		expect(fingerprint(stepTo(simulation, 900))).toBe(
			fingerprint(stepTo(createSimulation(5, "drift"), 900)),
		);
	});
});

test.each<[message: string, run: Partial<Snapshot>]>([
	["The seed is -1", { seed: -1 }],
	["The seed is 0.5", { seed: 0.5 }],
	["The seed is 4294967296; it must be an integer from 0 to 4294967295.", { seed: 2 ** 32 }],
	["The seed is NaN", { seed: Number.NaN }],
	["The tick to seek is -1", { tick: -1 }],
	["The tick to seek is 0.5", { tick: 0.5 }],
	["The tick to seek is 1000000001", { tick: LAST_TICK + 1 }],
	['"no-such-scene" is not a scene', { inputs: [{ tick: 0, scene: "no-such-scene" as Scene }] }],
	...[5, 4].map((tick): [string, Partial<Snapshot>] => [
		`The scene of tick ${tick} is not after 5.`,
		{
			inputs: [
				{ tick: 5, scene: "drift" },
				{ tick, scene: "both" },
			],
		},
	]),
])("a run is refused: %s", (message, run) => {
	expect(() => restoreSimulation({ seed: 1, inputs: [], tick: 0, ...run })).toThrow(message);
});

test("no step passes the last tick, 193 days after the start", () => {
	const simulation = createSimulation(1, "both");
	seek(simulation, LAST_TICK);
	expect(() => step(simulation)).toThrow(/The next tick/);
	expect(countParticles(simulation).alive.floats).toBeGreaterThan(20);
});
