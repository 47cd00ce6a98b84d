/**
 * How much of a heavy proof to run: a part with `npm test`, so that it stays quick, and all of it
 * with `npm run test:launch`.
 */
export function sized(usual: number, full: number): number {
	return process.env.PROOFS === "full" ? full : usual;
}
