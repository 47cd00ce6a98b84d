import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import { createTestDatabase, type DatabaseKind } from "../registrations/databases.ts";

export interface CommandResult {
	code: number;
	stdout: string;
	stderr: string;
}

export const cliPath = join(process.cwd(), "dist/server/cli.js");

interface RunOptions {
	env?: Record<string, string>;
	input?: string;
}

export const runCommand = (folder: string, args: readonly string[], options?: RunOptions) =>
	runProgram(folder, [process.execPath, cliPath, ...args], options);

export async function runProgram(
	folder: string,
	[name, ...args]: readonly string[],
	{ env = {}, input = "" }: RunOptions = {},
): Promise<CommandResult> {
	const child = spawn(name!, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } });
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

/** Expects a command to fail without output, and returns its error message. */
export async function failureOf(running: Promise<CommandResult>, expected = 1): Promise<string> {
	const { code, stdout, stderr } = await running;
	expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
	return stderr;
}

export function collectGarbage(): void {
	setFlagsFromString("--expose-gc");
	runInNewContext("gc")();
}

/** SQLite keeps a closed file open until its statements are garbage collected. */
async function releaseFiles(): Promise<void> {
	collectGarbage();
	await new Promise(setImmediate);
}

export const TEST_SECRET = "0123456789abcdef0123456789abcdef";

export async function openCommandSetup(kind: DatabaseKind) {
	const place = await createTestDatabase(kind);
	const { folder, settings } = place;
	const env: Record<string, string> =
		kind === "SQLite"
			? {}
			: {
					...place.env,
					WAITLIST_SECRET: TEST_SECRET,
					WAITLIST_SUPPRESSION_FILE: join(folder, "erasures"),
				};
	const run = (args: string, input = "") => runCommand(folder, args.split(" "), { env, input });
	const json = async (args: string, input = "") => {
		const { code, stdout, stderr } = await run(`${args} --json`, input);
		if (code !== 0) throw new Error(`${args} ended with ${code}: ${stdout}${stderr}`);
		return JSON.parse(stdout);
	};
	const alone = async (args: string) => {
		await releaseFiles();
		return json(args);
	};
	const migrate = (to: string) => {
		env.TARGET_DATABASE_URL = to;
		return alone("migrate");
	};
	const add = (...lines: string[]) => json("import - --format text", lines.join("\n"));
	return {
		...{ folder, settings, env, run, json, add },
		restore: (file: string, options = "") =>
			alone(`restore ${file} --without-file ${options}`.trim()),
		migrate,
	};
}

const people = [
	'{"email":"Ada@Bücher.example","source":"landing-page","joinedAt":"2026-11-19T23:30:00.000Z","terms":"2026-11-01","flag":""}',
	'{"email":"bob@example.com","source":"fair","joinedAt":"2026-11-20T09:00:00.000Z","terms":"2026-11-01","flag":"honeypot"}',
	'{"email":"eve@example.com","source":"landing-page","joinedAt":"2026-11-21T09:30:00.500Z","terms":"2026-11-21","flag":""}',
].join("\n");

export async function openSetupWithPeople(kind: DatabaseKind) {
	const setup = await openCommandSetup(kind);
	await setup.json("import - --format jsonl", people);
	return setup;
}

export const parsePeople = (jsonl: string) =>
	jsonl
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Record<string, string>);
