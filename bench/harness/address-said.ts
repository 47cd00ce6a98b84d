import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";

/**
 * The address that a server says it listens on. What it says after that is read, as by a collector,
 * and dropped.
 * @throws Error with what the server said when it ended instead
 */
export async function addressSaid(
	server: ChildProcessByStdio<null, Readable, null>,
): Promise<string> {
	const url = await new Promise<string>((resolve, reject) => {
		let output = "";
		server.stdout.setEncoding("utf8").on("data", (text: string) => {
			output += text;
			const found = /Open (http:\/\/[^\s"]+)/.exec(output);
			if (found) resolve(found[1]!);
		});
		server.once("exit", (code) => reject(new Error(`The server ended with ${code}: ${output}`)));
	});
	server.stdout.removeAllListeners("data").resume();
	return url;
}
