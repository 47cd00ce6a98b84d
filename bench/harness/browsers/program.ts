import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface RunningProgram {
	waitFor(pattern: RegExp): Promise<RegExpExecArray>;
	end(): Promise<void>;
}

const PATIENCE_MS = 60_000;

export function startProgram(
	file: string,
	args: readonly string[],
	environment: NodeJS.ProcessEnv = {},
): RunningProgram {
	const child: ChildProcess = spawn(file, args, {
		env: { ...process.env, ...environment },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream?.setEncoding("utf8").on("data", (text: string) => {
			said += text;
		});
	}
	child.on("error", (error) => {
		said += error.message;
	});
	// Ends the program with this process, for example when a test is interrupted.
	const endWithUs = () => child.kill();
	process.once("exit", endWithUs);
	child.once("exit", () => process.off("exit", endWithUs));
	const isGone = () =>
		child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
	return {
		async waitFor(pattern) {
			const deadline = Date.now() + PATIENCE_MS;
			for (;;) {
				const match = pattern.exec(said);
				if (match !== null) return match;
				if (isGone() || Date.now() > deadline) {
					throw new Error(
						`${file} did not print ${pattern}; it printed: ${said.trim() || "nothing"}`,
					);
				}
				await new Promise((resolve) => setTimeout(resolve, 20));
			}
		},
		async end() {
			if (isGone()) return;
			const gone = once(child, "exit");
			child.kill("SIGTERM");
			const force = setTimeout(() => child.kill("SIGKILL"), 5_000);
			await gone;
			clearTimeout(force);
		},
	};
}
