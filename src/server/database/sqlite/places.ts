import { statSync } from "node:fs";

/** The files of an open database: the file itself, its journal with the latest rows, and the journal's index. */
const PLACES = ["", "-wal", "-shm"] as const;

export type Place = (typeof PLACES)[number];

/**
 * Remembers the files of a database that has just been opened.
 *
 * @returns the places without their file since then: what is written to it is lost with the process
 */
export function rememberPlaces(file: string): () => Place[] {
	const opened = PLACES.map((place) => idOf(file + place));
	return () =>
		PLACES.filter((place, n) => opened[n] === undefined || opened[n] !== idOf(file + place));
}

/** Tells files apart that have had the same name. */
function idOf(path: string): string | undefined {
	const found = statSync(path, { bigint: true, throwIfNoEntry: false });
	return found && `${found.dev} ${found.ino}`;
}
