/**
 * `npm run test:adopted`: copies the project, adopts it for another product, and runs all tests
 * there. Arguments go to Vitest.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { temporaryFolder } from "../bench/harness/temporary.ts";
import { copyAdoptedTree } from "./adopted-tree.ts";

const { folder: cwd } = await temporaryFolder("adopted-");
await copyAdoptedTree(cwd);
// Tools list the project's files with git. Without a repository here, git would list the parent's.
execFileSync("git", ["init", "--quiet"], { cwd });

async function run(command: string, ...args: string[]): Promise<boolean> {
	const { NODE_ENV: _, ...env } = process.env;
	const [code] = await once(spawn(command, args, { cwd, env, stdio: "inherit" }), "exit");
	return code === 0;
}

const done =
	(await run("npm", "run", "photograph")) &&
	(await run("npm", "run", "check")) &&
	(await run("npx", "vitest", "run", ...process.argv.slice(2)));
process.exitCode = done ? 0 : 1;
