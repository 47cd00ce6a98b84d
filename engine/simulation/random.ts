/**
 * Every random number is a function of (seed, stream, ordinal, place).
 *
 * With a stateful generator, one more draw for one particle would change all later ones, and a seek
 * would have to restore the generator.
 */

/** One per purpose. Otherwise floats and rockets of equal ordinals would get equal numbers. */
export const RANDOM_STREAM = {
	floatOrder: 1,
	float: 2,
	rocketOrder: 3,
	rocket: 4,
	burst: 5,
	spark: 6,
};

/** The integer hash lowbias32, from hash-prospector. */
function mix(word: number): number {
	let x = word;
	x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
	x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
	return x ^ (x >>> 15);
}

/**
 * Fills `values` with numbers in [0, 1), in steps of 2^-32. V8 would allocate a returned number, and
 * a large number as an argument, so results and seed are in arrays.
 */
export function drawRandom(
	seed: Uint32Array,
	stream: number,
	ordinal: number,
	values: Float64Array,
): void {
	const key = mix(mix(mix(seed[0]) ^ stream) ^ ordinal);
	for (let place = 0; place < values.length; place++) {
		// 0x9e3779b9 is 2^32 / golden ratio: keys of successive places are far apart.
		values[place] = (mix(key + Math.imul(place + 1, 0x9e3779b9)) >>> 0) / 2 ** 32;
	}
}

export function between(range: readonly [number, number], share: number): number {
	// Not destructured, because V8 allocates a pair's iterator until it optimizes the function.
	return range[0] + (range[1] - range[0]) * share;
}
