import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * From the folder's lock file, unless present. Packages for a single command are not part of the
 * repository's `npm ci`.
 * @throws Error with npm's output
 */
export async function installPackages(folder: string): Promise<void> {
	const installed = join(folder, "node_modules/.package-lock.json");
	if (changedAt(installed) > changedAt(join(folder, "package-lock.json"))) return;
	console.error(`Installing the packages of ${folder} …`);
	const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
	await promisify(execFile)("npm", words, { cwd: folder });
}
