/** @module-tag slow */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../bench/harness/built-site.ts";

const servers: [name: string, words: string[]][] = [
	["npm run dev", ["node_modules/vite/bin/vite.js"]],
	["npm run bench:page", ["src/tooling/run.js", "bench/playground/serve.ts"]],
];

function start(words: readonly string[], environment: Record<string, string>) {
	const { NODE_ENV: _, ...env } = process.env;
	const server = spawn(process.execPath, words, {
		env: { ...env, DATABASE_URL: "file:/nonexistent", NO_COLOR: "1", ...environment },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const ended = once(server, "close");
	onTestFinished(async () => {
		server.kill("SIGKILL");
		await ended;
	});
	let output = "";
	for (const stream of [server.stdout, server.stderr]) {
		stream.setEncoding("utf8").on("data", (text) => {
			output += text;
		});
	}
	return { output: () => output };
}

test.each(servers)("%s listens on HOST and PORT", async (_, words) => {
	const port = await freePort();
	// Another address of this machine, where nothing listens by default.
	const server = start(words, { HOST: "127.0.0.2", PORT: String(port) });
	await expect.poll(server.output).toContain(`http://127.0.0.2:${port}/`);
	expect((await fetch(`http://127.0.0.2:${port}/`)).status).toBe(200);
	await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});
