import type { Row } from "./row.ts";

/** What a run leaves with. */
export const EXIT = { within: 0, breach: 1, misuse: 2, cannotTell: 3, void: 4 } as const;

/** One breach outweighs everything; a void row never passes and never fails. */
export function exitCode(rows: readonly Row[]): number {
	const has = (...verdicts: Row["verdict"][]) => rows.some((row) => verdicts.includes(row.verdict));
	if (has("breach", "slower")) return EXIT.breach;
	if (has("void")) return EXIT.void;
	if (has("cannot tell")) return EXIT.cannotTell;
	return EXIT.within;
}
