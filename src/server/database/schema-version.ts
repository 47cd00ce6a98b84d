import type { Dialect } from "./dialect.ts";
import { tables } from "./schema.ts";

/** The steps from an empty database to the tables as they are now. A release adds its own at the end. */
const steps: readonly ((dialect: Dialect) => string)[] = [tables];

/** The version of a database that has taken every step. */
export const SCHEMA_VERSION = steps.length;

/**
 * The steps that a database has not taken.
 *
 * @param version how many steps it has taken
 * @throws Error when it has taken more steps than this server knows
 */
export function missingSteps(version: number, dialect: Dialect): string[] {
	if (version > SCHEMA_VERSION) throw new Error("it was written by a newer version of this server");
	return steps.slice(version).map((step) => step(dialect));
}
