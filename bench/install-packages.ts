import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Installs the packages of a folder that has its own lock file, unless they are there already. What
 * only one command needs is no part of the repository's own `npm ci`.
 * @throws Error with what npm said
 */
export async function installPackages(folder: string): Promise<void> {
	const installed = join(folder, "node_modules/.package-lock.json");
	if (changedAt(installed) > changedAt(join(folder, "package-lock.json"))) return;
	console.error(`Installing the packages of ${folder} …`);
	const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
	await promisify(execFile)("npm", words, { cwd: folder });
}
