/**
 * `npm run test:nodes`: runs the tests tagged `nodes` on every supported Node version. These tests
 * use SQLite, files, sockets, domain names and browser globals. Arguments go to Vitest.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The oldest Node that `engines` allows, and the newest of each later even version. */
const NODES = ["20.19", "22", "24", "26"];

/** Installs Node from npm if it is not in the cache. */
function findNode(version: string): string {
	const folder = join(process.cwd(), "node_modules/.cache/nodes", version);
	const node = join(folder, "node_modules/node/bin/node");
	if (!existsSync(node)) {
		const packages = ["--prefix", folder, "--no-audit", "--no-fund", `node@${version}`];
		execFileSync("npm", ["install", ...packages], { stdio: ["ignore", "ignore", "inherit"] });
	}
	if (!existsSync(node)) throw new Error(`npm installed no ${node}: does it run scripts?`);
	return node;
}

async function test(version: string): Promise<boolean> {
	const node = findNode(version);
	const found = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
	console.log(`\nNode ${found}`);
	const { NODE_ENV: _, ...env } = process.env;
	const PATH = [join(node, ".."), process.env.PATH].join(delimiter);
	const vitest = spawn(
		node,
		[
			"node_modules/vitest/vitest.mjs",
			"run",
			"--tags-filter=nodes && !slow",
			...process.argv.slice(2),
		],
		{ env: { ...env, PATH }, stdio: "inherit" },
	);
	const [code] = await once(vitest, "exit");
	return code === 0;
}

const failed: string[] = [];
for (const version of NODES) if (!(await test(version))) failed.push(version);
console.log(failed.length > 0 ? `\nFailed on Node ${failed.join(", ")}` : "\nPassed on every Node");
process.exitCode = failed.length > 0 ? 1 : 0;
