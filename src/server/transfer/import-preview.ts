import type { Readable } from "node:stream";
import type { SharedDatabase } from "../database/database.ts";
import { reasonOf } from "../files/files.ts";
import { Refusal } from "../refusal.ts";
import type { Operation } from "../registrations/operation.ts";
import { findByKeys } from "../registrations/registrations.ts";
import { type ImportFormat, readLines } from "./import-formats.ts";
import { lineReader, type ReadLine, type Refused } from "./import-lines.ts";

/** A file as an import reads it. */
export interface ImportPreview {
	/** People in the file, each once. */
	people: number;
	/** How many of them are on the list. */
	there: number;
	/** The first of them. */
	first: ReadLine[];
	refused: Refused[];
	/** Columns that are not read. */
	unread: string[];
}

/** People that are shown. */
const FIRST = 5;

/**
 * Reads a file as an import does, and adds nobody.
 *
 * @throws Refusal with a sentence for the founder if it cannot be read
 */
export async function previewImport(
	{ database, now }: Pick<Operation<SharedDatabase>, "database" | "now">,
	input: Readable,
	{ format, source }: { format: ImportFormat; source: string },
): Promise<ImportPreview> {
	const unread = new Set<string>();
	const readLine = lineReader({ source, joinedAt: now.toISOString() }, now, unread);
	const people = new Map<string, ReadLine>();
	const refused: Refused[] = [];
	try {
		for await (const lines of readLines[format](input)) {
			for (const read of lines.map(readLine)) {
				if ("error" in read) refused.push(read);
				else people.set(read.registration.key, people.get(read.registration.key) ?? read);
			}
		}
	} catch (error) {
		throw new Refusal(`The file cannot be read: ${reasonOf(error)}.`);
	}
	const there = await findByKeys(database, [...people.keys()]);
	return {
		people: people.size,
		there: there.length,
		first: [...people.values()].slice(0, FIRST),
		refused,
		unread: [...unread],
	};
}
