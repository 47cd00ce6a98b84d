import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { threadUrl as processUrl } from "./file-holds-process.ts?thread";

/**
 * Read at once: root's command becomes the owner of the data before it works, and that user may have no
 * right to read the program.
 */
const program = readFileSync(fileURLToPath(processUrl), "utf8");

/**
 * Whether one of some texts stands anywhere in a file.
 *
 * A process of its own reads the file, because the file may be a database that is open in this one:
 * closing a descriptor of it here would drop SQLite's locks (see `connectSqlite` in
 * connection.ts).
 *
 * @throws Error when the file cannot be read
 */
export async function fileHolds(file: string, texts: readonly string[]): Promise<boolean> {
	if (texts.length === 0) return false;
	const reading = spawn(process.execPath, ["--input-type=module", "--eval", program, "--", file], {
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
