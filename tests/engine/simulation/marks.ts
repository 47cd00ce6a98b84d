import type { Scenario } from "../../../bench/harness/scenarios.ts";
import { fingerprint } from "../../../engine/simulation/fingerprint.ts";
import { count, restore, type Simulation, seek, step } from "../../../engine/simulation/index.ts";

const MARKED_TICKS = [1, 60, 600, 6_000, 100_000];

/** One line of state: tick, fingerprint, live floats, rockets and sparks. */
export function mark(simulation: Simulation): string {
	const { floats, rockets, sparks } = count(simulation).alive;
	return `${simulation.tick} ${fingerprint(simulation)} ${floats} ${rockets} ${sparks}`;
}

/** Steps to each marked tick. */
export function playScenario(scenario: Scenario): string[] {
	const simulation = restore({ ...scenario, tick: 0 });
	return MARKED_TICKS.map((tick) => {
		while (simulation.tick < tick) step(simulation);
		return mark(simulation);
	});
}

/** Seeks each marked tick. */
export function leapThroughScenario(scenario: Scenario): string[] {
	const simulation = restore({ ...scenario, tick: 0 });
	return MARKED_TICKS.map((tick) => {
		seek(simulation, tick);
		return mark(simulation);
	});
}

/** Marks change with the simulation; the commit explains why. */
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
		"600 e471df1697b29ebf 15 0 0",
		"6000 7ae87d6f0ea98072 33 0 0",
		"100000 b7c7c0ce7dd9be0a 31 0 0",
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
		"600 8cd401cf838cb373 15 2 100",
		"6000 2eeafd531253d895 33 2 75",
		"100000 a32d4dc34a478a78 31 2 100",
	],
	"visit 1": [
		"1 fe3cfee15e106b77 6 0 0",
		"60 94b92d78b89526fa 6 0 0",
		"600 192e6064855f2340 0 2 75",
		"6000 9b2f4700b60708d2 12 4 0",
		"100000 2e0e5d29b2ccea40 33 2 100",
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
		"600 0ac7054de1942649 15 0 0",
		"6000 ed567a277f52d990 34 0 0",
		"100000 e85100408ac8e936 31 0 0",
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
		"600 eec0bb103069713b 15 2 100",
		"6000 22e2edb7409e0b76 34 2 75",
		"100000 e081ccc19720fcd5 31 2 100",
	],
	"visit 42": [
		"1 ede34350d963e165 6 0 0",
		"60 3943ac78e2aa3087 6 0 0",
		"600 ad7908febb07e285 0 2 75",
		"6000 1b69f0227c2b45c9 12 4 0",
		"100000 5b22698de67574f9 33 2 100",
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
		"600 ee1b0dfda7e88e04 15 0 0",
		"6000 c32fb8616d6f3e92 31 0 0",
		"100000 29a520acdf30d9ea 29 0 0",
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
		"600 f4f44038cf3e75dd 15 2 100",
		"6000 be8e53c06c811d71 31 2 75",
		"100000 8609123e8c0844e0 29 2 100",
	],
	"visit 4294967295": [
		"1 01165c31070323ac 6 0 0",
		"60 5aadc3a96a83584a 6 0 0",
		"600 51a7a5c96f6fab87 0 2 75",
		"6000 47918d1ddfd049b9 12 4 0",
		"100000 f8c4b5c95d44dbca 30 2 100",
	],
};
