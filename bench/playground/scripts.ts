import type { Input } from "#engine";
import { SCENARIOS } from "../harness/scenarios.ts";

/** The inputs of the named scenarios, by their names without the seed, which is chosen separately. */
export const SCRIPTS: ReadonlyMap<string, readonly Input[]> = new Map(
	SCENARIOS.map(({ name, inputs }) => [name.replace(/ \d+$/, ""), inputs]),
);

/** The name of the script with these inputs, if there is one. */
export function scriptOf(inputs: readonly Input[]): string | undefined {
	const wanted = writeInputs(inputs);
	return [...SCRIPTS.keys()].find((name) => writeInputs(SCRIPTS.get(name) ?? []) === wanted);
}

/** Scenes by tick as written in an address: `0:drift,500:fireworks`. */
export function writeInputs(inputs: readonly Input[]): string {
	return inputs.map(({ tick, scene }) => `${tick}:${scene}`).join();
}
