/** Seed of kills and hostile requests. KILL_SEED replays a run. */
export const seed = Number(process.env.KILL_SEED ?? Date.now() % 2 ** 31);

/** Numbers from 0 to 1 by a linear congruential generator (Numerical Recipes, 7.1). */
export function* fractions(state: number): Generator<number, never> {
	for (;;) {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		yield state / 2 ** 32;
	}
}
