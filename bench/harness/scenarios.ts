import { fingerprint } from "../../engine/simulation/fingerprint.ts";
import {
	count,
	restore,
	SCENES,
	type Scene,
	type Simulation,
	seek,
	step,
} from "../../engine/simulation/index.ts";

/** A named, seeded run. Tests check its fingerprints; the bench times it. */
export interface Scenario {
	readonly name: string;
	readonly seed: number;
	/** Which scene plays from which tick. */
	readonly inputs: readonly { tick: number; scene: Scene }[];
}

export const SEEDS = [1, 42, 0xffff_ffff];

/** From the landing page to the confirmation and back, in a hurry at the end. */
const visit: Scenario["inputs"] = [
	{ tick: 0, scene: "drift" },
	{ tick: 500, scene: "fireworks" },
	{ tick: 5_700, scene: "drift" },
	{ tick: 5_720, scene: "none" },
	{ tick: 5_950, scene: "both" },
	{ tick: 5_990, scene: "fireworks" },
	{ tick: 5_995, scene: "both" },
];

export const SCENARIOS: readonly Scenario[] = SEEDS.flatMap((seed) => [
	...SCENES.map((scene) => ({ name: `${scene} ${seed}`, seed, inputs: [{ tick: 0, scene }] })),
	{ name: `visit ${seed}`, seed, inputs: visit },
]);

const MARKED_TICKS = [1, 60, 600, 6_000, 100_000];

/** The state of a run in one line: tick, fingerprint, living floats, rockets and sparks. */
export function mark(simulation: Simulation): string {
	const { floats, rockets, sparks } = count(simulation).alive;
	return `${simulation.tick} ${fingerprint(simulation)} ${floats} ${rockets} ${sparks}`;
}

/** Plays a scenario tick by tick and returns its state at the marked ticks. */
export function playScenario(scenario: Scenario): string[] {
	const simulation = restore({ ...scenario, tick: 0 });
	return MARKED_TICKS.map((tick) => {
		while (simulation.tick < tick) step(simulation);
		return mark(simulation);
	});
}

/** The same, but each marked tick is reached by one seek. */
export function leapThroughScenario(scenario: Scenario): string[] {
	const simulation = restore({ ...scenario, tick: 0 });
	return MARKED_TICKS.map((tick) => {
		seek(simulation, tick);
		return mark(simulation);
	});
}

/**
 * Where every scenario is at the marked ticks. They change when what happens changes: that is a
 * decision, which its commit explains.
 */
export const MARKS: Readonly<Record<string, readonly string[]>> = {
	"none 1": [
		"1 617ae3a909408b72 0 0 0",
		"60 8688ad8b16be48ec 0 0 0",
		"600 4d04e5fd085e1985 0 0 0",
		"6000 5186e4ed05a07fd3 0 0 0",
		"100000 bdaac1920bf558b5 0 0 0",
	],
	"drift 1": [
		"1 fe3cfee15e106b77 6 0 0",
		"60 94b92d78b89526fa 6 0 0",
		"600 89aac91d488c8e9c 15 0 0",
		"6000 89d532ae28f02b5d 33 0 0",
		"100000 e0466886f4675da8 31 0 0",
	],
	"fireworks 1": [
		"1 04b5da6f50315b5e 0 3 0",
		"60 7589771ee658bbcc 0 4 0",
		"600 041394904c2eab35 0 2 100",
		"6000 7f319272d8997741 0 2 75",
		"100000 e735d7568cf37d71 0 2 100",
	],
	"both 1": [
		"1 61fde15186d7f435 6 3 0",
		"60 63fa3adff30fdcd5 6 4 0",
		"600 85bc101bfdeaaef0 15 2 100",
		"6000 1e3cb1aea3bdce56 33 2 75",
		"100000 6d31854c2f84478a 31 2 100",
	],
	"visit 1": [
		"1 fe3cfee15e106b77 6 0 0",
		"60 94b92d78b89526fa 6 0 0",
		"600 916a444e2956ddd3 0 2 75",
		"6000 bfa9b3fa2209c008 12 4 0",
		"100000 deae21aa8335d37c 33 2 100",
	],
	"none 42": [
		"1 617ae3a909408b72 0 0 0",
		"60 8688ad8b16be48ec 0 0 0",
		"600 4d04e5fd085e1985 0 0 0",
		"6000 5186e4ed05a07fd3 0 0 0",
		"100000 bdaac1920bf558b5 0 0 0",
	],
	"drift 42": [
		"1 ede34350d963e165 6 0 0",
		"60 3943ac78e2aa3087 6 0 0",
		"600 f2d5c66f2be90750 15 0 0",
		"6000 d1003eb5b18eeacc 34 0 0",
		"100000 dcb2eac664014519 31 0 0",
	],
	"fireworks 42": [
		"1 4a935d03e97a6bba 0 3 0",
		"60 44ce75d747e17353 0 4 0",
		"600 f791fd95c137e3ac 0 2 100",
		"6000 c9e45dfc73e22825 0 2 75",
		"100000 a27366aed4accb6e 0 2 100",
	],
	"both 42": [
		"1 8397cb145f62dbd4 6 3 0",
		"60 074e2ec6bae73d18 6 4 0",
		"600 fab966afd785b818 15 2 100",
		"6000 270cc851243d2652 34 2 75",
		"100000 8973839b55d72aa3 31 2 100",
	],
	"visit 42": [
		"1 ede34350d963e165 6 0 0",
		"60 3943ac78e2aa3087 6 0 0",
		"600 866c56b67af28656 0 2 75",
		"6000 85c6192cd8a3caf7 12 4 0",
		"100000 cf31d39d57a882d3 33 2 100",
	],
	"none 4294967295": [
		"1 617ae3a909408b72 0 0 0",
		"60 8688ad8b16be48ec 0 0 0",
		"600 4d04e5fd085e1985 0 0 0",
		"6000 5186e4ed05a07fd3 0 0 0",
		"100000 bdaac1920bf558b5 0 0 0",
	],
	"drift 4294967295": [
		"1 01165c31070323ac 6 0 0",
		"60 5aadc3a96a83584a 6 0 0",
		"600 13cd5201c831f21b 15 0 0",
		"6000 8238faf5fe61195a 31 0 0",
		"100000 01c57eb95b455bfc 29 0 0",
	],
	"fireworks 4294967295": [
		"1 b9049af8563a6851 0 3 0",
		"60 e19e96e7633c4a3a 0 4 0",
		"600 d99493be0ec2d511 0 2 100",
		"6000 8807bcef66f95b83 0 2 75",
		"100000 a88c0af0c6a051a2 0 2 100",
	],
	"both 4294967295": [
		"1 bd4e5be2ab2b5b3b 6 3 0",
		"60 a70860245cb62762 6 4 0",
		"600 623f8615e1bcc766 15 2 100",
		"6000 0a3b7e9f1b72cf8e 31 2 75",
		"100000 2dc6bdcc1f8880a2 29 2 100",
	],
	"visit 4294967295": [
		"1 01165c31070323ac 6 0 0",
		"60 5aadc3a96a83584a 6 0 0",
		"600 982f8082bd702a4e 0 2 75",
		"6000 a85289473911cedc 12 4 0",
		"100000 a7499508b413bb97 30 2 100",
	],
};
