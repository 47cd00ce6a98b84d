import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** `application_id`: four bytes of the header that SQLite ignores (sqlite.org/fileformat.html, 1.3.16). */
const OFFSET = 68;
const LENGTH = 4;

/** CRC-32 of a file without the bytes that hold it. */
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

/** Writes the checksum of an SQLite file that nobody has open into its header, and syncs the file. */
export async function writeChecksum(file: string): Promise<void> {
	const bytes = Buffer.alloc(LENGTH);
	bytes.writeUInt32BE(await computeChecksum(file));
	const opened = await open(file, "r+");
	try {
		await opened.write(bytes, 0, LENGTH, OFFSET);
		await opened.sync();
	} finally {
		await opened.close();
	}
}

/** Whether a file is as {@link writeChecksum} left it. A database without a checksum, as a salvaged one, passes. */
export async function hasOwnChecksum(file: string): Promise<boolean> {
	const opened = await open(file);
	const { buffer } = await opened
		.read(Buffer.alloc(LENGTH), 0, LENGTH, OFFSET)
		.finally(() => opened.close());
	const kept = buffer.readUInt32BE();
	return kept === 0 || kept === (await computeChecksum(file));
}
