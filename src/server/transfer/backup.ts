import { createReadStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { copyTables } from "../database/copy-tables.ts";
import type { Database } from "../database/database.ts";
import { saveLastBackup } from "../database/notes.ts";
import { openDatabase } from "../database/open-database.ts";
import {
	failureReason,
	refuseExistingFile,
	removeStalePartialFiles,
	syncPath,
	withPartialFile,
} from "../files/files.ts";
import type { Operation } from "../registrations/operation.ts";

/** Writes an SQLite file, and renames it into place after checking it. Returns row counts. */
export async function backUp(
	{ database, settings, now }: Operation,
	file: string,
): Promise<Record<string, number>> {
	refuseExistingFile(file);
	// A killed restore may have left a copy of its backup next to the database.
	if (settings.database.kind === "sqlite") {
		await removeStalePartialFiles(dirname(settings.database.file));
	}
	const rows = await withPartialFile(file, async (partial) => {
		const copy = { kind: "sqlite" as const, file: partial };
		const backup = await openDatabase(copy, { create: true, alone: true });
		const rows = await database
			.read((tx) => backup.transact((to) => copyTables(tx, to), undefined), undefined)
			.finally(() => backup.close());
		const made = await openDatabase(copy, { create: false, alone: true });
		await refuseDamagedBackup(made).finally(() => made.close());
		await writeChecksum(partial);
		await rename(partial, file);
		await syncPath(dirname(file));
		return rows;
	});
	// Ignores failure, so that even a read-only waitlist can be backed up.
	await database
		.transact(saveLastBackup, { madeAt: now.toISOString(), file: resolve(file) })
		.catch(() => {});
	return rows;
}

export async function refuseDamagedBackup(backup: Database): Promise<void> {
	const findings = await backup.check().catch((error) => {
		throw new Error(`The backup is damaged: ${failureReason(error)}.`);
	});
	const integrity = findings.find(({ name }) => name === "integrity")!;
	if (!integrity.ok) throw new Error(`The backup is damaged: ${integrity.found}.`);
}

/** Position of the checksum: `application_id`, which SQLite ignores (sqlite.org/fileformat.html, 1.3.16). */
const OFFSET = 68;
const LENGTH = 4;

async function computeChecksum(file: string): Promise<number> {
	let checksum = 0;
	let offset = 0;
	for await (const bytes of createReadStream(file) as AsyncIterable<Buffer>) {
		if (offset === 0) bytes.fill(0, OFFSET, OFFSET + LENGTH);
		checksum = crc32(bytes, checksum);
		offset += bytes.length;
	}
	return checksum;
}

async function writeChecksum(file: string): Promise<void> {
	const bytes = Buffer.alloc(LENGTH);
	bytes.writeUInt32BE(await computeChecksum(file));
	const opened = await open(file, "r+");
	await opened.write(bytes, 0, LENGTH, OFFSET).finally(() => opened.close());
	await syncPath(file);
}

/** Whether a backup is unchanged. Files without a checksum pass, for example recovered databases. */
export async function matchesChecksum(file: string): Promise<boolean> {
	const opened = await open(file);
	const { buffer } = await opened
		.read(Buffer.alloc(LENGTH), 0, LENGTH, OFFSET)
		.finally(() => opened.close());
	const kept = buffer.readUInt32BE();
	return kept === 0 || kept === (await computeChecksum(file));
}
