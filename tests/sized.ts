/**
 * How much of a heavy proof to run: a part with `npm test`, so that it stays quick, and all of it
 * with `npm run test:full`.
 */
export function sized<Size>(usual: Size, full: Size): Size {
	return process.env.PROOFS === "full" ? full : usual;
}
