import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program that a test runs, and where it may be found. */
export interface Program {
	/** Its name in messages. */
	title: string;
	/** Environment variable that names its file and beats everything else. */
	variable: string;
	/** Names to look for on the PATH, best first. */
	commands: string[];
	/** Files to look for outside the PATH, best first. */
	places?: string[];
	/** Debian packages that bring it. */
	packages: string[];
	/** It is read, not run: a font. */
	isRead?: boolean;
}

function isProgram(file: string, isRead = false): boolean {
	try {
		accessSync(file, isRead ? constants.R_OK : constants.X_OK);
		return statSync(file).isFile();
	} catch {
		return false;
	}
}

function onPath(command: string): string | undefined {
	const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
	return folders.map((folder) => join(folder, command)).find((file) => isProgram(file));
}

function lookUp(program: Program): string | undefined {
	for (const command of program.commands) {
		const file = onPath(command);
		if (file !== undefined) return file;
	}
	return program.places?.find((file) => isProgram(file, program.isRead));
}

function run(command: string, args: string[]): Promise<{ code: number; output: string }> {
	return new Promise((resolve) => {
		const child = spawn(command, args, {
			env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
			stdio: ["ignore", "pipe", "pipe"],
		});
		let output = "";
		child.stdout.on("data", (text) => {
			output += text;
		});
		child.stderr.on("data", (text) => {
			output += text;
		});
		child.on("error", (error) => resolve({ code: -1, output: error.message }));
		child.on("close", (code) => resolve({ code: code ?? -1, output }));
	});
}

/** Returns why apt could not install, or nothing when it could. */
async function install(packages: string[]): Promise<string | undefined> {
	const apt = onPath("apt-get");
	if (apt === undefined) return "there is no apt-get here to install it with";
	const prefix = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
	if (prefix.length > 0 && (await run("sudo", ["-n", "true"])).code !== 0)
		return "installing it needs root or a sudo without password";
	// Test files run side by side, and two may miss the same package: the second waits for the lock.
	const wait = ["-o", "DPkg::Lock::Timeout=600"];
	for (const words of [
		["update", "-q"],
		["install", "-q", "-y", "--no-install-recommends", ...packages],
	]) {
		const [command, ...args] = [...prefix, apt, ...wait, ...words] as [string, ...string[]];
		const { code, output } = await run(command, args);
		if (code !== 0) return `apt-get ${words[0]} failed: ${output.trim().split("\n").at(-1)}`;
	}
	return undefined;
}

/**
 * Finds a program: by its environment variable, else on the PATH, else in known places, else by
 * installing Debian's packages where that needs no password.
 *
 * A browser test without its browser fails: a skipped test would look like a passed one.
 * @throws one sentence that says what to install.
 */
export async function findProgram(program: Program): Promise<string> {
	const named = process.env[program.variable];
	if (named !== undefined && named !== "") {
		if (isProgram(named, program.isRead)) return named;
		throw new Error(`${program.variable} names ${named}, which is not a program that can be run.`);
	}
	const found = lookUp(program);
	if (found !== undefined) return found;
	const obstacle = await install(program.packages);
	const installed = lookUp(program);
	if (installed !== undefined) return installed;
	throw new Error(
		`${program.title} is missing (${obstacle ?? "its packages did not bring it"}): ` +
			`install it (Debian: apt-get install ${program.packages.join(" ")}) ` +
			`or name its file in ${program.variable}.`,
	);
}
