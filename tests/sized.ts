/**
 * The size of a heavy test: `usual` with `npm test`, which stays quick, and `full` with
 * `npm run test:full`.
 */
export function sized<Size>(usual: Size, full: Size): Size {
	return process.env.PROOFS === "full" ? full : usual;
}
