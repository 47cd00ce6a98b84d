/**
 * `npm run test:adopted`: all tests of the project as adopted for another product, in a separate
 * folder. Arguments go to Vitest, such as the files to run.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { temporaryFolder } from "../bench/harness/temporary.ts";
import { adoptTree } from "./adopted-tree.ts";

const { folder: cwd } = await temporaryFolder("adopted-");
await adoptTree(cwd);
// Tools ask git for the project's files. Without a repository here, it would list the parent's.
execFileSync("git", ["init", "--quiet"], { cwd });

/** Runs a project command there. @returns whether it succeeded */
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
