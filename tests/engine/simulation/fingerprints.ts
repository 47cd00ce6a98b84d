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

/** Returns fingerprints at the marked ticks. `go` reaches them by steps or by seeks. */
export function fingerprintScenario(scenario: Scenario, go: typeof seek = stepTo): string {
	const simulation = restoreSimulation({ ...scenario, tick: 0 });
	return MARKED_TICKS.map((tick) => {
		go(simulation, tick);
		return fingerprint(simulation);
	}).join(" ");
}

export const fingerprintBySeeks = (scenario: Scenario) => fingerprintScenario(scenario, seek);

/** Fingerprints at the marked ticks. A commit that changes them must explain why. */
export const FINGERPRINTS: Readonly<Record<string, string>> = {
	"none 1": "617ae3a909408b72 8688ad8b16be48ec 4d04e5fd085e1985 5186e4ed05a07fd3 bdaac1920bf558b5",
	"drift 1": "fe3cfee15e106b77 94b92d78b89526fa e471df1697b29ebf 7ae87d6f0ea98072 b7c7c0ce7dd9be0a",
	"fireworks 1":
		"c5ef064be66e6a92 42c626794ff1da39 b2dd264119d3412b 16823cac79ff9cf8 9cbb7a6e009bb1d9",
	"both 1": "0a6d8abba74c6b6b 1507bac266a12a2a 6f16773dd88f5ac5 b00358f13e11970d 82684980659002b0",
	"visit 1": "fe3cfee15e106b77 94b92d78b89526fa ee7c69070484662b a47ddfb8474b6d7e 4b16cbcd9c5cb341",
	"none 42": "617ae3a909408b72 8688ad8b16be48ec 4d04e5fd085e1985 5186e4ed05a07fd3 bdaac1920bf558b5",
	"drift 42":
		"ede34350d963e165 3943ac78e2aa3087 0ac7054de1942649 ed567a277f52d990 e85100408ac8e936",
	"fireworks 42":
		"1bdcec69399f2e67 9c7cb1f18ce772fe eec224568db6bb4c 3dd9ccec54c54f40 2698e3e467d920e7",
	"both 42": "6a4ab7f52fa9fce8 2afe0569281bf0f0 57db5097efe112d0 d667aea73ca98d97 95d9601d32a7bcb2",
	"visit 42":
		"ede34350d963e165 3943ac78e2aa3087 ee33b9c058d0a739 628a12a2cd9b44b8 5e7f8709c8906c16",
	"none 4294967295":
		"617ae3a909408b72 8688ad8b16be48ec 4d04e5fd085e1985 5186e4ed05a07fd3 bdaac1920bf558b5",
	"drift 4294967295":
		"01165c31070323ac 5aadc3a96a83584a ee1b0dfda7e88e04 c32fb8616d6f3e92 29a520acdf30d9ea",
	"fireworks 4294967295":
		"205be4b97e8aa5a4 478e939976dd089c f903aeb370dfb5f2 9808255c4077b7e6 3b833d5ff425d500",
	"both 4294967295":
		"a6f2b0928354d0a3 a42141ea44127cbb 11d1bfb212822d67 d22cc3587f1af97a ea4fa99e1ae55441",
	"visit 4294967295":
		"01165c31070323ac 5aadc3a96a83584a a6498fbe98449cd7 c7738e3d626b3af5 b8bbbf6dea79cf6d",
};

/** Fingerprint of the poses of 6,000 ticks. */
export const POSE_FINGERPRINT = "a93f5fec84af3b1c";
