import type { Dialect } from "./dialect.ts";
import { tables } from "./schema.ts";
import { steps } from "./schema-steps.ts";

/** The version of a database that has taken every step, or none because it was empty. */
export const SCHEMA_VERSION = steps.length;

/**
 * The SQL that a database still needs: all tables where it is empty, and otherwise the steps that it
 * has not taken.
 *
 * @param version how many steps it has taken
 * @throws Error when it has taken more steps than this server knows
 */
export function missingSteps(version: number, dialect: Dialect): string[] {
	if (version > SCHEMA_VERSION) throw new Error("it was written by a newer version of this server");
	if (version === 0) return [tables(dialect)];
	return steps.slice(version).map((step) => step(dialect));
}
