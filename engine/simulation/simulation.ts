/** `step` and `seek` write the same records, because a record depends on its birth alone. */
import { KINDS, type ParticleCounts } from "./kinds.ts";
import { createRecords, FIELD, isAlive, type Records, STRIDE } from "./particles.ts";
import { layOutRings, type Ring, type Rings, slotOf } from "./rings.ts";
import {
	BIRTH_PLAN,
	type BirthPlan,
	FIREWORKS_BIT,
	LAST_TICK,
	NEVER,
	SCENE_BITS,
	SCENES,
	type Scene,
} from "./rules.ts";
import { birthTickOf, countBirthsUntil, type Input, runOfBirth, runsOf, sceneAt } from "./runs.ts";

export interface Simulation {
	/** One 32-bit word, in an array because V8 would copy a large number at each read of a field. */
	readonly seed: Uint32Array;
	inputs: readonly Input[];
	tick: number; // seed, inputs and tick determine all other fields
	readonly rings: Rings;
	readonly records: Records;
	readonly slots: number;
	/** How often all records were written again: by `seek`, or at the end of a scene. */
	rewrites: number;
}

export interface Snapshot {
	readonly seed: number;
	readonly inputs: readonly Input[];
	readonly tick: number;
}

function check(name: string, value: number, greatest: number): void {
	if (Number.isInteger(value) && value >= 0 && value <= greatest) return;
	throw new RangeError(`${name} is ${value}; it must be an integer from 0 to ${greatest}.`);
}

/**
 * @param seed an integer from 0 to 2^32 - 1
 * @param plan numbers of births, which determine the number of slots
 * @throws RangeError for an invalid seed or scene
 */
export function createSimulation(
	seed: number,
	scene: Scene,
	plan: BirthPlan = BIRTH_PLAN,
): Simulation {
	check("The seed", seed, 2 ** 32 - 1);
	const rings = layOutRings(plan);
	const slots = rings.reduce((sum, { length, width }) => sum + length * width, 0);
	const records = createRecords(slots);
	const simulation = { seed: Uint32Array.of(seed), tick: 0, rings, records, slots, rewrites: 0 };
	return setInputs({ ...simulation, inputs: [] }, [{ tick: 0, scene }]);
}

/** @throws RangeError for an invalid seed, scene or tick */
export function restoreSimulation({ seed, inputs, tick }: Snapshot): Simulation {
	const simulation = setInputs(createSimulation(seed, "none"), inputs);
	seek(simulation, tick);
	return simulation;
}

export function takeSnapshot({ seed, inputs, tick }: Simulation): Snapshot {
	return { seed: seed[0], inputs, tick };
}

function setInputs(simulation: Simulation, inputs: readonly Input[]): Simulation {
	let before = -1;
	for (const { tick, scene } of inputs) {
		check("The tick of a scene", tick, LAST_TICK);
		if (tick <= before) throw new RangeError(`The scene of tick ${tick} is not after ${before}.`);
		before = tick;
		if (!SCENES.includes(scene)) {
			throw new RangeError(`"${scene}" is not a scene; use one of ${SCENES.join(", ")}.`);
		}
	}
	simulation.inputs = inputs;
	for (const ring of simulation.rings) ring.runs = runsOf(inputs, ring.kind.bit, ring);
	return simulation;
}

/**
 * Plays a scene from the next tick on, and drops later inputs. Floats of the old scene fade within a
 * second; rockets in flight still burst.
 * @throws RangeError for an unknown scene
 */
export function setScene(simulation: Simulation, scene: Scene): void {
	const { inputs, tick } = simulation;
	const past = inputs.filter((input) => input.tick < tick);
	const unchanged = past.length > 0 && sceneAt(past, tick) === scene;
	setInputs(simulation, unchanged ? past : [...past, { tick, scene }]);
}

/**
 * Adds three rockets to a scene without fireworks: inputs start fireworks for one tick, so replays
 * repeat them.
 */
export function salute(simulation: Simulation): void {
	const { inputs, tick } = simulation;
	const scene = sceneOf(simulation);
	const plays = SCENE_BITS[scene] | FIREWORKS_BIT;
	const withFireworks = SCENES.find((other) => SCENE_BITS[other] === plays);
	if (withFireworks === undefined || withFireworks === scene) return;
	const past = inputs.filter((input) => input.tick < tick);
	setInputs(simulation, [...past, { tick, scene: withFireworks }, { tick: tick + 1, scene }]);
}

export function sceneOf({ inputs, tick }: Simulation): Scene {
	return sceneAt(inputs, tick);
}

/** The cost depends on births, not on live particles. */
export function step(simulation: Simulation): void {
	check("The next tick", simulation.tick + 1, LAST_TICK);
	simulation.tick++;
	for (let i = 0; i < simulation.rings.length; i++) {
		endScene(simulation, simulation.rings[i]);
		spawn(simulation, simulation.rings[i]);
	}
}

/**
 * The cost depends on the number of slots, not on the tick.
 * @throws RangeError unless the tick is an integer from 0 to `LAST_TICK`
 */
export function seek(simulation: Simulation, tick: number): void {
	check("The tick to seek", tick, LAST_TICK);
	simulation.tick = tick;
	simulation.records.ints.fill(0);
	simulation.rewrites++;
	for (const ring of simulation.rings) {
		ring.born = Math.max(0, countBirthsUntil(ring.runs, ring, tick - ring.delay) - ring.length);
		spawn(simulation, ring);
	}
}

/** When the ring's scene ends, makes `spawn` write its particles again, with an earlier death. */
function endScene(simulation: Simulation, ring: Ring): void {
	if (ring.kind.farewell === undefined) return;
	for (let i = ring.runs.length - 1; i >= 0 && ring.runs[i].end >= simulation.tick; i--) {
		if (ring.runs[i].end !== simulation.tick) continue;
		ring.born = Math.max(0, ring.born - ring.length);
		simulation.rewrites++;
	}
}

function spawn({ records, seed, tick }: Simulation, ring: Ring): void {
	const { kind } = ring;
	const born = countBirthsUntil(ring.runs, ring, tick - ring.delay);
	for (let ordinal = ring.born; ordinal < born; ordinal++) {
		const run = runOfBirth(ring.runs, ordinal);
		const birth = birthTickOf(run, ring, ordinal) + ring.delay;
		const slot = slotOf(ring, ordinal);
		const first = ordinal < run.first + ring.initial;
		const ended = kind.farewell !== undefined && run.end <= tick;
		const farewell = ended ? run.end + kind.farewell : NEVER;
		kind.write(records, slot, seed, ordinal, birth, first, farewell);
	}
	ring.born = born;
}

export function countParticles({ records, rings, slots, tick }: Simulation): ParticleCounts {
	const alive = KINDS.map(() => 0);
	for (let slot = 0; slot < slots; slot++) {
		if (isAlive(records, slot, tick)) alive[records.floats[slot * STRIDE + FIELD.kind]]++;
	}
	return {
		born: Object.fromEntries(rings.map(({ kind, born }) => [kind.births, born])),
		alive: Object.fromEntries(KINDS.map(({ particles }, kind) => [particles, alive[kind]])),
	} as unknown as ParticleCounts;
}
