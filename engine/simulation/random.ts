/**
 * Chance without memory: every number is a function of (seed, stream, ordinal, place).
 *
 * A generator with a state gives out its numbers in the order of asking: one more draw for one
 * particle changes all later ones. Keyed by their purpose, draws cannot shift each other, and a
 * seek has nothing to restore.
 */

/**
 * One stream for each thing that draws, so that a float and a rocket of the same ordinal differ.
 */
export const STREAM = { floatOrder: 1, float: 2, rocketOrder: 3, rocket: 4, burst: 5, spark: 6 };

/**
 * A bijection of 32-bit words in which every bit depends on every bit (lowbias32, hash-prospector).
 */
function mix(word: number): number {
	let x = word;
	x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
	x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
	return x ^ (x >>> 15);
}

/**
 * Fills `values` with the random numbers of one particle, each in [0, 1) in steps of 2^-32.
 *
 * They come in an array, as a returned number is an object on the heap until the function is
 * optimised. The length of the array changes none of its values.
 * @param seed one 32-bit word, in an array for the same reason
 */
export function draw(
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

/** The number at a share of the way through a range. */
export function between(range: readonly [number, number], share: number): number {
	// Not destructured: a pair's iterator is an object on the heap until the function is optimised.
	return range[0] + (range[1] - range[0]) * share;
}
