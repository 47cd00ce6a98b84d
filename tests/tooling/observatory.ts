import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const VERSION = "1.4.8";
const home = resolve("node_modules/.cache/observatory", VERSION);
const scanner = join(home, "node_modules/@mdn/mdn-http-observatory");

/** What Mozilla's scanner says of a site. */
export interface Verdict {
	score: number;
	grade: string;
	/** Each of its tests with its finding and the points for it. */
	tests: Record<string, { result: string; pass: boolean; points: number }>;
}

/**
 * Brings Mozilla's scanner from npm. It is no dependency of ours: its 233 packages are for a server
 * with a database, of which we need a few functions, and its install scripts fetch lists from
 * elsewhere. They are not run; the lists (preloaded hosts, top-level domains) know nothing of
 * localhost anyway.
 */
async function bringScanner(): Promise<void> {
	if (existsSync(join(scanner, "conf/hsts-preload.json"))) return;
	await mkdir(home, { recursive: true });
	await run("npm", [
		...["install", `@mdn/mdn-http-observatory@${VERSION}`, "--prefix", home],
		...["--ignore-scripts", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"],
	]);
	await writeFile(join(scanner, "conf/hsts-preload.json"), "{}");
}

/**
 * Scans a site of this machine as https://developer.mozilla.org/observatory would, by the scanner's
 * own parts: its command knows no other ports than 80 and 443.
 */
export async function observe(site: {
	httpPort: number;
	httpsPort: number;
	certificate: string;
}): Promise<Verdict> {
	await bringScanner();
	const part = (path: string) => JSON.stringify(pathToFileURL(join(scanner, "src", path)).href);
	const { httpPort, httpsPort, certificate } = site;
	const program = `
		import { retrieve } from ${part("retriever/retriever.js")};
		import { ALL_TESTS } from ${part("constants.js")};
		import { getGradeForScore, getScoreModifier } from ${part("grader/grader.js")};
		import { MINIMUM_SCORE_FOR_EXTRA_CREDIT } from ${part("grader/charts.js")};
		const answers = await retrieve("localhost", ${JSON.stringify({ httpPort, httpsPort })});
		const tests = {};
		let [lost, won] = [0, 0];
		for (const judge of ALL_TESTS) {
			const output = judge(answers);
			const points = getScoreModifier(output.result);
			tests[output.constructor.name] = { result: output.result, pass: output.pass, points };
			if (points < 0) lost += points; else won += points;
		}
		// Bonuses count for good sites only.
		const score = 100 + lost + (100 + lost >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? won : 0);
		console.log(JSON.stringify({ ...getGradeForScore(score), tests }));
	`;
	const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
		cwd: scanner,
		env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: certificate },
	});
	return JSON.parse(stdout.trim().split("\n").at(-1)!) as Verdict;
}
