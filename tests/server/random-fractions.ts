/** Set KILL_SEED to repeat a failed run. */
export const randomSeed = Number(process.env.KILL_SEED ?? Date.now() % 2 ** 31);

/** Yields random numbers from 0 to 1. Linear congruential generator, Numerical Recipes, 7.1. */
export function* randomFractions(state: number): Generator<number, never> {
	for (;;) {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		yield state / 2 ** 32;
	}
}
