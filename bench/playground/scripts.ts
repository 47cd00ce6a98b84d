import type { Input } from "#engine";
import { SCENARIOS } from "../harness/scenarios.ts";

/** Inputs of the named scenarios, by name without the seed, which is chosen separately. */
export const SCRIPTS: ReadonlyMap<string, readonly Input[]> = new Map(
	SCENARIOS.map(({ name, inputs }) => [name.replace(/ \d+$/, ""), inputs]),
);

export function scriptOf(inputs: readonly Input[]): string | undefined {
	const wanted = writeInputs(inputs);
	return [...SCRIPTS.keys()].find((name) => writeInputs(SCRIPTS.get(name) ?? []) === wanted);
}

/** Scenes by tick as written in a URL: `0:drift,500:fireworks`. */
export function writeInputs(inputs: readonly Input[]): string {
	return inputs.map(({ tick, scene }) => `${tick}:${scene}`).join();
}
