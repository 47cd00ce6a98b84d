import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { runAtExit, temporaryFolder } from "./temporary.ts";

/** Builds what is missing or outdated, like `npm start`. @throws Error with the build's output */
export async function buildProduct(folder: string): Promise<void> {
	const { NODE_ENV: _, ...set } = process.env;
	// Without colors, because tests compare the build's output.
	const env = { ...set, NO_COLOR: "1" };
	const vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"];
	await promisify(execFile)(process.execPath, vite, { cwd: folder, env }).catch((error) => {
		throw new Error(String(error.stderr || error).trim());
	});
}

export interface BuiltSite {
	readonly url: string;
	readonly file: string;
	stop(): Promise<void>;
}

/** @throws Error with the server's output if it exits before it listens */
export async function serveBuiltSite(
	tree: string,
	env: Record<string, string> = {},
): Promise<BuiltSite> {
	const { folder, remove } = await temporaryFolder("built-site-");
	// setpriv lets the kernel kill the server if this process dies: prctl(2), PR_SET_PDEATHSIG.
	const alive = ["--pdeathsig", "KILL", process.execPath, join(tree, "dist/server/main.js")];
	const server = spawn("setpriv", alive, {
		cwd: folder,
		env: { PATH: process.env.PATH, PORT: "0", ...env },
		stdio: ["ignore", "pipe", "inherit"],
	});
	// SIGKILL, because the server reacts to SIGTERM by waiting for open connections.
	const kill = runAtExit(() => server.kill("SIGKILL"));
	const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
	const url = await waitForServerUrl(server);
	return {
		url,
		file: join(folder, "data/waitlist.db"),
		async stop() {
			kill();
			await ended;
			remove();
		},
	};
}

/** Waits for the server to print its URL. @throws Error with its output if it exits first */
export async function waitForServerUrl(
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

export async function findFreePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}
