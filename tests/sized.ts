import { test } from "vitest";
import type { DatabaseKind } from "./server/waitlist/databases.ts";

/* `npm run test:slow` runs every test file that imports this one: see vite.config.ts. */

const isSlow = process.env.PROOFS === "full";

/** The size of a heavy test: `usual` with `npm test`, and `full` with `npm run test:slow`. */
export function sized<Size>(usual: Size, full: Size): Size {
	return isSlow ? full : usual;
}

/** A test of `npm run test:slow` alone, in a file whose other tests are quick. */
export const slowTest: ReturnType<typeof test.runIf> = test.runIf(isSlow);

/**
 * The databases of tests that prove the same of both, because the code under them runs the same SQL:
 * `usual` with `npm test`, and both with `npm run test:slow`.
 */
export function oneDatabase(usual: DatabaseKind): readonly DatabaseKind[] {
	return sized([usual], ["SQLite", "PostgreSQL"]);
}
