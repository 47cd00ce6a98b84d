import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { DEFAULT_SOURCE, JOIN_PATH } from "#shared/join.ts";

export interface ServerProcess {
	url: string;
	file: string;
	process: ChildProcess;
	output(): string;
	logged(event?: string): Record<string, unknown>[];
	ended: Promise<number | NodeJS.Signals>;
}

interface StartSettings {
	folder: string;
	env?: Record<string, string>;
	main?: string;
	terminal?: boolean;
	/** Shell commands that run first, such as `ulimit`. */
	before?: string;
}

const builtMain = join(process.cwd(), "dist/server/main.js");

/** Starts the built server without waiting for its URL, and kills it after the test. */
export function spawnServer(settings: StartSettings): Omit<ServerProcess, "url"> {
	const { folder, env = {}, main = builtMain, before, terminal } = settings;
	// util-linux's `script` runs a command on a pseudo-terminal.
	const [command, ...words] = terminal
		? ["script", "--quiet", "--return", "--command", `"${process.execPath}" "${main}"`, "/dev/null"]
		: before
			? ["sh", "-c", `${before}; exec "$0" "$1"`, process.execPath, main]
			: [process.execPath, main];
	const server = spawn(command!, words, {
		cwd: folder,
		env: { PATH: process.env.PATH, PORT: "0", ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let output = "";
	server.stdout.setEncoding("utf8").on("data", (text) => {
		output += text;
	});
	server.stderr.setEncoding("utf8").on("data", (text) => {
		output += text;
	});
	const ended = once(server, "close").then(([code, signal]) => code ?? signal);
	onTestFinished(async () => {
		server.kill("SIGKILL");
		await ended;
	});
	const logged = (event?: string) =>
		output
			.split("\n")
			.filter((line) => line.startsWith("{"))
			.map((line): Record<string, unknown> => JSON.parse(line))
			.filter((logged) => event === undefined || logged.event === event);
	const file = join(folder, "data/waitlist.db");
	return { file, process: server, output: () => output, logged, ended };
}

export async function startServer(settings: StartSettings): Promise<ServerProcess> {
	const server = spawnServer(settings);
	const url = await new Promise<string>((resolve, reject) => {
		server.process.stdout!.on("data", () => {
			const found = /Open (http[^"\s]+)/.exec(server.output());
			if (found) resolve(found[1]!);
		});
		void server.ended.then((code) => reject(new Error(`ended with ${code}: ${server.output()}`)));
	});
	return { ...server, url };
}

export async function stopServer({ process, ended }: Pick<ServerProcess, "process" | "ended">) {
	process.kill("SIGTERM");
	expect(await ended).toBe(0);
}

export async function fetchMetrics({ logged }: Pick<ServerProcess, "logged">): Promise<string> {
	const { message } = logged("metrics on")[0]!;
	return (await fetch(/http:\S+/.exec(String(message))![0])).text();
}

export function postJoin(
	url: string,
	email: string,
	headers: Record<string, string> = {},
): Promise<Response> {
	return fetch(new URL(JOIN_PATH, url), {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify({ email, source: DEFAULT_SOURCE }),
	});
}
