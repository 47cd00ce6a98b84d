import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { expect, TestRunner } from "vitest";
import type { ServerProcess } from "../server-process.ts";
import { cliPath } from "./commands/command-setup.ts";
import { randomFractions, randomSeed } from "./random-fractions.ts";
import type { DatabaseKind } from "./registrations/databases.ts";

export const SENDER_CONNECTIONS = 5;

export const SERVERS_PER_DATABASE: readonly [DatabaseKind, number][] = [
	["SQLite", 1],
	["PostgreSQL", 2],
];

/** Fails kill tests that Vitest retries: one lost row in many kills is a bug. */
function failOnRetry(): void {
	if (TestRunner.getCurrentTest()?.result?.retryCount) {
		throw new Error("This test failed, and is not tried again: see its first error.");
	}
}

export async function killServer({ process, ended }: Pick<ServerProcess, "process" | "ended">) {
	failOnRetry();
	process.kill("SIGKILL");
	expect(await ended).toBe("SIGKILL");
}

/** Starts `count` servers. `killOne` kills the oldest within `withinMs`, and starts another. */
export async function startServerCopies(start: () => Promise<ServerProcess>, count = 1) {
	const chance = randomFractions(randomSeed);
	const running: ServerProcess[] = [];
	const all: ServerProcess[] = [];
	async function startAll(): Promise<void> {
		while (running.length < count) {
			const server = await start();
			running.push(server);
			all.push(server);
		}
	}
	await startAll();
	return {
		running,
		all,
		startAll,
		async killOne(withinMs = 40) {
			await wait(chance.next().value * withinMs);
			await killServer(running.shift()!);
			await startAll();
		},
		killAll: () => Promise.all(running.splice(0).map(killServer)),
	};
}

export async function killCommand(
	{ folder, env = {} }: { folder: string; env?: Record<string, string> },
	args: readonly string[],
	isAtWork: () => boolean | Promise<boolean>,
	signal: NodeJS.Signals = "SIGKILL",
): Promise<number | NodeJS.Signals> {
	failOnRetry();
	const command = spawn(process.execPath, [cliPath, ...args], {
		cwd: folder,
		env: { PATH: process.env.PATH, ...env },
		stdio: "ignore",
	});
	const ended = once(command, "close");
	while (command.exitCode === null && !(await isAtWork())) await wait(1);
	command.kill(signal);
	const [code, by] = await ended;
	return code ?? by;
}
