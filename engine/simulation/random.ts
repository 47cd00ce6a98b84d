/**
 * Every random number is a function of (seed, stream, ordinal, place).
 *
 * With a stateful generator, one more draw for one particle would change all later ones, and a seek
 * would have to restore the generator.
 */

/** One per purpose, because a float and a rocket of the same ordinal must differ. */
export const RANDOM_STREAM = {
	floatOrder: 1,
	float: 2,
	rocketOrder: 3,
	rocket: 4,
	burst: 5,
	spark: 6,
};

/** Every output bit depends on every input bit (lowbias32, hash-prospector). */
function mix(word: number): number {
	let x = word;
	x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
	x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
	return x ^ (x >>> 15);
}

/**
 * Fills `values` with numbers in [0, 1), in steps of 2^-32.
 *
 * Returns no number, because V8 allocates a returned number until it optimizes the function.
 * @param seed one 32-bit word, in an array because V8 also allocates large number arguments
 */
export function drawRandom(
	seed: Uint32Array,
	stream: number,
	ordinal: number,
	values: Float64Array,
): void {
	const key = mix(mix(mix(seed[0]) ^ stream) ^ ordinal);
	for (let place = 0; place < values.length; place++) {
		// 0x9e3779b9 is 2^32 / golden ratio: consecutive places start far apart.
		values[place] = (mix(key + Math.imul(place + 1, 0x9e3779b9)) >>> 0) / 2 ** 32;
	}
}

export function between(range: readonly [number, number], share: number): number {
	// Not destructured, because V8 allocates a pair's iterator until it optimizes the function.
	return range[0] + (range[1] - range[0]) * share;
}
