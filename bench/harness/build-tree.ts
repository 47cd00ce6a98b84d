import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Builds what is missing or stale of a tree, as `npm start` does. In a process of its own: under
 * Vitest's NODE_ENV the site would be built for development.
 * @throws Error with what the build said
 */
export async function buildTree(folder: string): Promise<void> {
	const { NODE_ENV: _, ...env } = process.env;
	const vite = ["node_modules/vite/bin/vite.js", "build", "--logLevel", "warn"];
	await promisify(execFile)(process.execPath, vite, { cwd: folder, env }).catch((error) => {
		throw new Error(String(error.stderr || error).trim());
	});
}
