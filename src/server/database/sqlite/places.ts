import { statSync } from "node:fs";

/**
 * The files of a database that is open: the file itself, its journal with the latest rows, and the
 * journal's index, through which the processes that have it open know of each other.
 */
const PLACES = ["", "-wal", "-shm"] as const;

/** Which of the files, by what is added to the name of the database. */
export type Place = (typeof PLACES)[number];

/**
 * Remembers which files a database consists of now.
 *
 * @param file of a database that has just been opened
 * @returns the places where another file is since then, or none: what is written to a file without
 *   its name is lost with the process, or another process writes over it
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
