import { createReadStream } from "node:fs";
import { text } from "node:stream/consumers";

const CHUNK_BYTES = 1 << 20;

/** The process that reads a file for `fileHolds`: its argument is the name, its input the texts. */
const file = process.argv.at(-1);
const texts = JSON.parse(await text(process.stdin)) as string[];
console.log(
	await holds(
		file!,
		texts.map((text) => Buffer.from(text)),
	),
);

async function holds(file: string, sought: readonly Buffer[]): Promise<boolean> {
	const longest = Math.max(...sought.map(({ length }) => length));
	let end = Buffer.alloc(0);
	for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
		const bytes = Buffer.concat([end, chunk as Buffer]);
		if (sought.some((text) => bytes.includes(text))) return true;
		// A text may lie across two chunks.
		end = bytes.subarray(-longest);
	}
	return false;
}
