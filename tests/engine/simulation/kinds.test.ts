import { beforeAll, expect, test } from "vitest";
import type * as simulations from "../../../engine/simulation/index.ts";
import { KIND_NAMES } from "../../../engine/simulation/index.ts";
import { bundleEdited, type Edit } from "../edited-bundle.ts";

/*
 * Adds a scene and a kind as engine/README.md describes, in a bundle only: hail, written like
 * floats.
 */

const KIND = KIND_NAMES.length;

const EDITS: readonly Edit[] = [
	["rules.ts", '"fireworks", "both"', '"fireworks", "both", "hail"'],
	["rules.ts", "\tboth: DRIFT_BIT", "\thail: 1 << 20,\n\tboth: DRIFT_BIT"],
	[
		"particles.ts",
		" } as const;\nexport type KindName",
		`, hailstone: ${KIND} } as const;\nexport type KindName`,
	],
	[
		"kinds.ts",
		"\n} as const satisfies",
		'\n\thailstone: { ...drifting, bit: 1 << 20, births: "hailstones", particles: "hailstones", every: 10, life: 900, ' +
			"farewell: 30, write(records, slot, ...birth) { " +
			`writeFloat(records, slot, ...birth); records.floats[slot * 16 + 2] = ${KIND}; } },\n} as const satisfies`,
	],
];

let edited: typeof simulations;
beforeAll(async () => {
	edited = await bundleEdited("engine/simulation/index.ts", EDITS);
});

const scene = "hail" as simulations.Scene;

test("an added kind is born, counted and read like the others", () => {
	const { CHANGES_LENGTH, countParticles, createCursor, createSimulation, readChanges, step } =
		edited;
	const simulation = createSimulation(1, scene);
	const cursor = createCursor();
	const ranges = new Int32Array(CHANGES_LENGTH);
	readChanges(simulation, cursor, ranges);
	step(simulation);
	expect(countParticles(simulation).alive).toMatchObject({
		floats: 0,
		rockets: 0,
		sparks: 0,
		hailstones: 6,
	});
	expect(countParticles(simulation).born).toMatchObject({ hailstones: 6 });
	expect(readChanges(simulation, cursor, ranges)).toBe(2);
	expect(ranges[1]! - ranges[0]!).toBe(6);
});

test("live particles fade when their scene ends", () => {
	const { countParticles, createSimulation, setScene, step } = edited;
	const simulation = createSimulation(1, scene);
	while (simulation.tick < 100) step(simulation);
	expect(countParticles(simulation).alive).not.toMatchObject({ hailstones: 0 });
	setScene(simulation, "none");
	while (simulation.tick < 132) step(simulation);
	expect(countParticles(simulation).alive).toMatchObject({ hailstones: 0 });
});

test("a step and a seek agree", () => {
	const { createSimulation, seek, step } = edited;
	const [stepped, sought] = [createSimulation(7, scene), createSimulation(7, scene)];
	while (stepped.tick < 2_000) step(stepped);
	seek(sought, 2_000);
	expect(sought.records.ints).toEqual(stepped.records.ints);
});

test("a salute adds nothing to a scene that has no mix with fireworks", () => {
	const { createSimulation, salute, sceneOf, step } = edited;
	const simulation = createSimulation(1, scene);
	step(simulation);
	salute(simulation);
	expect(simulation.inputs).toHaveLength(1);
	expect(sceneOf(simulation)).toBe(scene);
});
