import type { Input } from "#engine";
import { SCENARIOS } from "../harness/scenarios.ts";

/** What the named scenarios play, by their names without a seed, which is chosen apart. */
export const SCRIPTS: ReadonlyMap<string, readonly Input[]> = new Map(
	SCENARIOS.map(({ name, inputs }) => [name.replace(/ \d+$/, ""), inputs]),
);

/** The name of the script that plays so, if there is one. */
export function scriptOf(inputs: readonly Input[]): string | undefined {
	const wanted = writeInputs(inputs);
	return [...SCRIPTS.keys()].find((name) => writeInputs(SCRIPTS.get(name) ?? []) === wanted);
}

/** Scenes by tick as an address has them: `0:drift,500:fireworks`. */
export function writeInputs(inputs: readonly Input[]): string {
	return inputs.map(({ tick, scene }) => `${tick}:${scene}`).join();
}
