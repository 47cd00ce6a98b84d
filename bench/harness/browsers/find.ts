import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installAptPackages } from "./apt.ts";

export interface Program {
	title: string;
	/** Environment variable that overrides the program's path. */
	variable: string;
	commands: string[];
	/** Paths to try outside the PATH, best first. */
	places?: string[];
	packages: string[];
	isFont?: boolean;
}

/** A program whose command, title and Debian package have the same name; `more` overrides. */
export const debianProgram = (
	command: string,
	variable: string,
	more: Partial<Program> = {},
): Program => ({ title: command, variable, commands: [command], packages: [command], ...more });

function isProgram(file: string, isFont = false): boolean {
	try {
		accessSync(file, isFont ? constants.R_OK : constants.X_OK);
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
	const named = process.env[program.variable];
	if (named !== undefined && named !== "") {
		if (isProgram(named, program.isFont)) return named;
		throw withoutStack(
			`${program.variable} names ${named}, which is not a program that can be run.`,
		);
	}
	for (const command of program.commands) {
		const file = onPath(command);
		if (file !== undefined) return file;
	}
	return program.places?.find((file) => isProgram(file, program.isFont));
}

/**
 * Finds a program, or installs its Debian packages if that needs no password.
 * @throws Error that tells which packages to install
 */
export async function findProgram(program: Program): Promise<string> {
	const found = lookUp(program);
	if (found !== undefined) return found;
	const obstacle = await install([program]);
	const installed = lookUp(program);
	if (installed !== undefined) return installed;
	throw withoutStack(
		`${program.title} is missing (${obstacle ?? "its packages did not bring it"}): ` +
			`install it (Debian: apt-get install ${program.packages.join(" ")}) ` +
			`or name its file in ${program.variable}.`,
	);
}

/**
 * Installs all programs with one apt call.
 * @returns a sentence per program still missing, and one command that installs them all
 */
export async function installPrograms(programs: readonly Program[]): Promise<string[]> {
	const sentences: string[] = [];
	const packages = new Set<string>();
	const missing = programs.filter((program) => !process.env[program.variable] && !lookUp(program));
	if (missing.length > 0) await install(missing);
	// apt installs nothing if one package is unavailable, so each program is tried alone.
	for (const program of programs) {
		await findProgram(program).catch(({ message }: Error) => {
			sentences.push(message);
			for (const name of program.packages) packages.add(name);
		});
	}
	if (packages.size > 1)
		sentences.push(`To install all of it on Debian: apt-get install ${[...packages].join(" ")}`);
	return sentences;
}

/** @returns why it failed, if it did */
async function install(programs: readonly Program[]): Promise<string | undefined> {
	const apt = onPath("apt-get");
	if (!apt) return "apt-get is not available";
	const packages = [...new Set(programs.flatMap((program) => program.packages))];
	return installAptPackages(apt, packages);
}

/** Removes the stack, so that Vitest prints the error once, not for each test. */
function withoutStack(sentence: string): Error {
	const error = new Error(sentence);
	error.stack = String(error);
	return error;
}
