import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { aptInstall } from "./apt.ts";

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
	const apt = onPath("apt-get");
	if (apt)
		console.error(
			`${program.title} is missing: trying apt-get install ${program.packages.join(" ")}`,
		);
	const obstacle = apt
		? await aptInstall(apt, program.packages, () => lookUp(program) !== undefined)
		: "there is no apt-get here to install it with";
	const installed = lookUp(program);
	if (installed !== undefined) return installed;
	throw new Error(
		`${program.title} is missing (${obstacle ?? "its packages did not bring it"}): ` +
			`install it (Debian: apt-get install ${program.packages.join(" ")}) ` +
			`or name its file in ${program.variable}.`,
	);
}
