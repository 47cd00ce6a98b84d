import { execFile } from "node:child_process";
import { promisify } from "node:util";

/**
 * Builds what is missing or stale, as `npm start` does, before tests that run the product itself.
 * In a process of its own: under Vitest's NODE_ENV the site would be built for development.
 */
export async function setup(): Promise<void> {
	const { NODE_ENV: _, ...env } = process.env;
	await promisify(execFile)(process.execPath, ["node_modules/vite/bin/vite.js", "build"], { env });
}
