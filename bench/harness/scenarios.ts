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
		"1 c5ef064be66e6a92 0 3 0",
		"60 42c626794ff1da39 0 4 0",
		"600 afcd1b8da75e25dd 0 2 100",
		"6000 66378fb579489bca 0 2 75",
		"100000 f61c033cffc15796 0 2 100",
	],
	"both 1": [
		"1 0a6d8abba74c6b6b 6 3 0",
		"60 1507bac266a12a2a 6 4 0",
		"600 d113f4a0607bd269 15 2 100",
		"6000 d7dd2e7267f5147b 33 2 75",
		"100000 41cd2832d5cb1223 31 2 100",
	],
	"visit 1": [
		"1 fe3cfee15e106b77 6 0 0",
		"60 94b92d78b89526fa 6 0 0",
		"600 c52471dfcb4e7a29 0 2 75",
		"6000 c1f9ce7f84f81058 12 4 0",
		"100000 d1c1009ba46bcf30 33 2 100",
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
		"1 1bdcec69399f2e67 0 3 0",
		"60 9c7cb1f18ce772fe 0 4 0",
		"600 14e9a76be9422039 0 2 100",
		"6000 cc61725942293df3 0 2 75",
		"100000 c6c15bcc46039e51 0 2 100",
	],
	"both 42": [
		"1 6a4ab7f52fa9fce8 6 3 0",
		"60 2afe0569281bf0f0 6 4 0",
		"600 1f55a24e5010cc0f 15 2 100",
		"6000 ea42741a94f4309c 34 2 75",
		"100000 7eb306effb182d0a 31 2 100",
	],
	"visit 42": [
		"1 ede34350d963e165 6 0 0",
		"60 3943ac78e2aa3087 6 0 0",
		"600 9e4681b711db834f 0 2 75",
		"6000 5bdafe8cd1299f19 12 4 0",
		"100000 d1e76dc6fce2624e 33 2 100",
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
		"1 205be4b97e8aa5a4 0 3 0",
		"60 478e939976dd089c 0 4 0",
		"600 a25072345465d517 0 2 100",
		"6000 9e3aa04daeff1312 0 2 75",
		"100000 922b718914eff62d 0 2 100",
	],
	"both 4294967295": [
		"1 a6f2b0928354d0a3 6 3 0",
		"60 a42141ea44127cbb 6 4 0",
		"600 e5de57e880199880 15 2 100",
		"6000 484d16ad57a69dcf 31 2 75",
		"100000 b7abbcf2be052038 29 2 100",
	],
	"visit 4294967295": [
		"1 01165c31070323ac 6 0 0",
		"60 5aadc3a96a83584a 6 0 0",
		"600 d46b7ac1183aec6d 0 2 75",
		"6000 37dc2b24b23b34bd 12 4 0",
		"100000 c19145fd11a72072 30 2 100",
	],
};
