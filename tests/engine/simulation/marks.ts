import type { Scenario } from "../../../bench/harness/scenarios.ts";
import { fingerprint } from "../../../engine/simulation/fingerprint.ts";
import {
	restoreSimulation,
	type Simulation,
	seek,
	step,
} from "../../../engine/simulation/index.ts";

const MARKED_TICKS = [1, 60, 600, 6_000, 100_000];

export function stepTo(simulation: Simulation, tick: number): Simulation {
	while (simulation.tick < tick) step(simulation);
	return simulation;
}

/** Reaches the marked ticks by steps, or by seeks. */
export function playScenario(scenario: Scenario, go: typeof seek = stepTo): string {
	const simulation = restoreSimulation({ ...scenario, tick: 0 });
	return MARKED_TICKS.map((tick) => {
		go(simulation, tick);
		return fingerprint(simulation);
	}).join(" ");
}

export const leapThroughScenario = (scenario: Scenario) => playScenario(scenario, seek);

/** Fingerprints at the marked ticks. A commit that changes them must explain why. */
export const MARKS: Readonly<Record<string, string>> = {
	"none 1": "617ae3a909408b72 8688ad8b16be48ec 4d04e5fd085e1985 5186e4ed05a07fd3 bdaac1920bf558b5",
	"drift 1": "fe3cfee15e106b77 94b92d78b89526fa e471df1697b29ebf 7ae87d6f0ea98072 b7c7c0ce7dd9be0a",
	"fireworks 1":
		"c5ef064be66e6a92 42c626794ff1da39 afcd1b8da75e25dd 66378fb579489bca f61c033cffc15796",
	"both 1": "0a6d8abba74c6b6b 1507bac266a12a2a 8cd401cf838cb373 2eeafd531253d895 a32d4dc34a478a78",
	"visit 1": "fe3cfee15e106b77 94b92d78b89526fa 192e6064855f2340 9b2f4700b60708d2 2e0e5d29b2ccea40",
	"none 42": "617ae3a909408b72 8688ad8b16be48ec 4d04e5fd085e1985 5186e4ed05a07fd3 bdaac1920bf558b5",
	"drift 42":
		"ede34350d963e165 3943ac78e2aa3087 0ac7054de1942649 ed567a277f52d990 e85100408ac8e936",
	"fireworks 42":
		"1bdcec69399f2e67 9c7cb1f18ce772fe 14e9a76be9422039 cc61725942293df3 c6c15bcc46039e51",
	"both 42": "6a4ab7f52fa9fce8 2afe0569281bf0f0 eec0bb103069713b 22e2edb7409e0b76 e081ccc19720fcd5",
	"visit 42":
		"ede34350d963e165 3943ac78e2aa3087 ad7908febb07e285 1b69f0227c2b45c9 5b22698de67574f9",
	"none 4294967295":
		"617ae3a909408b72 8688ad8b16be48ec 4d04e5fd085e1985 5186e4ed05a07fd3 bdaac1920bf558b5",
	"drift 4294967295":
		"01165c31070323ac 5aadc3a96a83584a ee1b0dfda7e88e04 c32fb8616d6f3e92 29a520acdf30d9ea",
	"fireworks 4294967295":
		"205be4b97e8aa5a4 478e939976dd089c a25072345465d517 9e3aa04daeff1312 922b718914eff62d",
	"both 4294967295":
		"a6f2b0928354d0a3 a42141ea44127cbb f4f44038cf3e75dd be8e53c06c811d71 8609123e8c0844e0",
	"visit 4294967295":
		"01165c31070323ac 5aadc3a96a83584a 51a7a5c96f6fab87 47918d1ddfd049b9 f8c4b5c95d44dbca",
};

/** Fingerprint of the poses of 6,000 ticks. */
export const POSES = "a93f5fec84af3b1c";
