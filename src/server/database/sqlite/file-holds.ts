import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/**
 * Whether one of some texts is anywhere in a file.
 *
 * Another process reads the file, because it may be a database that is open in this one: closing a
 * descriptor of it here would drop SQLite's locks (see `connectSqlite` in connection.ts).
 *
 * @throws Error when the file cannot be read
 */
export async function fileHolds(file: string, texts: readonly string[]): Promise<boolean> {
	if (texts.length === 0) return false;
	const reading = spawn(process.execPath, ["--eval", `(${search})()`, "--", file], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	const closed = once(reading, "close");
	// A process that ends early is an error by its code, not by the pipe to it.
	reading.stdin.on("error", () => {});
	// Not as arguments: every user of the machine can read those.
	reading.stdin.end(JSON.stringify(texts));
	const [[code], found] = await Promise.all([closed, text(reading.stdout)]);
	if (code !== 0) throw new Error(`${file} cannot be searched for what was erased`);
	return JSON.parse(found) as boolean;
}

/** Runs in that process, as text: it uses nothing of this module. */
async function search(): Promise<void> {
	const { createReadStream, readFileSync } = process.getBuiltinModule("node:fs");
	const texts: string[] = JSON.parse(readFileSync(0, "utf8"));
	const sought = texts.map((text) => Buffer.from(text));
	const longest = Math.max(...sought.map(({ length }) => length));
	let end = Buffer.alloc(0);
	for await (const chunk of createReadStream(process.argv.at(-1)!, { highWaterMark: 1 << 20 })) {
		const bytes: Buffer = Buffer.concat([end, chunk]);
		if (sought.some((text) => bytes.includes(text))) return console.log(true);
		// A text may lie across two chunks.
		end = Buffer.from(bytes.subarray(-longest));
	}
	console.log(false);
}
