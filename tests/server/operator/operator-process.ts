import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** What a run of the operator's command came to. */
export interface Run {
	code: number;
	stdout: string;
	stderr: string;
}

const program = join(process.cwd(), "dist/server/cli.js");

/** Runs the built command in a folder. */
export async function runCommand(
	folder: string,
	args: readonly string[],
	{ env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Run> {
	const child = spawn(process.execPath, [program, ...args], {
		cwd: folder,
		env: { PATH: process.env.PATH, ...env },
	});
	let [stdout, stderr] = ["", ""];
	child.stdout.setEncoding("utf8").on("data", (text) => {
		stdout += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text) => {
		stderr += text;
	});
	child.stdin.on("error", () => {});
	child.stdin.end(input);
	const [code] = await once(child, "close");
	return { code, stdout, stderr };
}
