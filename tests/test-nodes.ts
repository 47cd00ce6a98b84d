/**
 * `npm run test:nodes`: runs tests that depend on Node on every supported version. Arguments go to
 * Vitest, such as the files to run.
 *
 * Vitest itself runs on that Node, so all processes and threads that the tests start have the same
 * version without knowing about it.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The oldest Node that `engines` allows, and the newest of each even version since. */
const NODES = ["20.19", "22", "24", "26"];

/**
 * Differences between Node versions: SQLite drivers, files and sockets of processes, domain names,
 * and browser globals.
 */
const TESTS = [
	"engine/simulation/poison",
	"server/database/locks",
	"server/database/postgres",
	"server/database/sqlite",
	"server/main",
	"server/transfer/import",
	"shared/email",
	"site/stage/motion",
].map((name) => `tests/${name}.test.ts`);

// Vitest skips missing files silently.
for (const file of TESTS) if (!existsSync(file)) throw new Error(`There is no ${file}.`);

/** Finds a Node in the cache, or installs it there: npm has Node's binaries as packages. */
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

/** Runs the tests on a Node. @returns whether all passed */
async function test(version: string, files: readonly string[]): Promise<boolean> {
	const node = findNode(version);
	const found = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
	console.log(`\nNode ${found}`);
	const { NODE_ENV: _, ...env } = process.env;
	const PATH = [join(node, ".."), process.env.PATH].join(delimiter);
	const vitest = spawn(
		node,
		["node_modules/vitest/vitest.mjs", "run", "--tags-filter=!slow", ...files],
		{
			env: { ...env, PATH },
			stdio: "inherit",
		},
	);
	const [code] = await once(vitest, "exit");
	return code === 0;
}

const files = process.argv.slice(2);
const failed: string[] = [];
for (const version of NODES) {
	if (!(await test(version, files.length > 0 ? files : TESTS))) failed.push(version);
}
console.log(failed.length > 0 ? `\nFailed on Node ${failed.join(", ")}` : "\nPassed on every Node");
process.exitCode = failed.length > 0 ? 1 : 0;
