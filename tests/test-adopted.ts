/**
 * `npm run test:adopted`: all tests of the project as it is where it was adopted for another product,
 * in a folder of its own. Arguments are Vitest's, such as the files to run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { temporaryFolder } from "../bench/harness/temporary.ts";
import { adoptTree } from "./adopted-tree.ts";

const { folder: cwd } = await temporaryFolder("adopted-");
await adoptTree(cwd);

/** Runs one of the project's programs there. @returns whether it went well */
async function run(...args: string[]): Promise<boolean> {
	const { NODE_ENV: _, ...env } = process.env;
	const [code] = await once(spawn(process.execPath, args, { cwd, env, stdio: "inherit" }), "exit");
	return code === 0;
}

const done =
	(await run("node_modules/vite/bin/vite.js", "build", "--logLevel", "warn")) &&
	(await run("src/tooling/run.js", "src/tooling/photograph/photograph.ts")) &&
	(await run("node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)));
process.exitCode = done ? 0 : 1;
