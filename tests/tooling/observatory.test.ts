/** @module-tag slow */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startNginx } from "../../bench/harness/nginx.ts";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";

const run = promisify(execFile);

const VERSION = "1.4.8";
const home = resolve("node_modules/.cache/observatory", VERSION);
const scanner = join(home, "node_modules/@mdn/mdn-http-observatory");

/** What Mozilla's scanner finds at a site. */
interface Scan {
	score: number;
	grade: string;
	/** Each test with its finding and its points. */
	tests: Record<string, { result: string; pass: boolean; points: number }>;
}

/**
 * Installs Mozilla's scanner from npm. It is not a dependency of ours: its 233 packages are a server
 * with a database, and we need a few functions of it. Its install scripts, which download lists, are
 * not run: localhost is not on the lists (preloaded hosts, top-level domains).
 */
async function installScanner(): Promise<void> {
	if (existsSync(join(scanner, "conf/hsts-preload.json"))) return;
	await mkdir(home, { recursive: true });
	await run("npm", [
		...["install", `@mdn/mdn-http-observatory@${VERSION}`, "--prefix", home],
		...["--ignore-scripts", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"],
	]);
	await writeFile(join(scanner, "conf/hsts-preload.json"), "{}");
}

/**
 * Scans a site of this machine as https://developer.mozilla.org/observatory would. It calls parts of
 * the scanner, because the scanner's command knows only the ports 80 and 443.
 */
async function scan(site: {
	httpPort: number;
	httpsPort: number;
	certificate: string;
}): Promise<Scan> {
	await installScanner();
	const part = (path: string) => JSON.stringify(pathToFileURL(join(scanner, "src", path)).href);
	const { httpPort, httpsPort, certificate } = site;
	const program = `
		import { retrieve } from ${part("retriever/retriever.js")};
		import { ALL_TESTS } from ${part("constants.js")};
		import { getGradeForScore, getScoreModifier } from ${part("grader/grader.js")};
		import { MINIMUM_SCORE_FOR_EXTRA_CREDIT } from ${part("grader/charts.js")};
		const responses = await retrieve("localhost", ${JSON.stringify({ httpPort, httpsPort })});
		const tests = {};
		let [lost, won] = [0, 0];
		for (const judge of ALL_TESTS) {
			const output = judge(responses);
			const points = getScoreModifier(output.result);
			tests[output.constructor.name] = { result: output.result, pass: output.pass, points };
			if (points < 0) lost += points; else won += points;
		}
		// Bonuses count only for good sites.
		const score = 100 + lost + (100 + lost >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? won : 0);
		console.log(JSON.stringify({ ...getGradeForScore(score), tests }));
	`;
	const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
		cwd: scanner,
		env: { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: certificate },
	});
	return JSON.parse(stdout.trim().split("\n").at(-1)!) as Scan;
}

it("behind TLS, Mozilla's scanner finds nothing to improve", async () => {
	const server = await startServer({
		folder: await temporaryFolder(),
		env: { TRUSTED_PROXIES: "127.0.0.1,::1" },
	});
	// As the README says, with both ports in one server.
	const nginx = await startNginx(
		(httpsPort) => `if ($https = "") { return 301 https://localhost:${httpsPort}$request_uri; }
		location / {
			proxy_pass ${server.url.replace("localhost", "127.0.0.1")};
			proxy_set_header Host $host;
			proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
			proxy_set_header X-Forwarded-Proto $scheme;
		}`,
	);
	onTestFinished(nginx.close);
	const { score, grade, tests } = await scan(nginx);
	const failed = Object.entries(tests).filter(([, { pass }]) => !pass);
	expect(failed).toEqual([]);
	const bonuses = Object.entries(tests).filter(([, { points }]) => points !== 0);
	expect(Object.fromEntries(bonuses.map(([name, { points }]) => [name, points]))).toEqual({
		"content-security-policy": 10,
		"cross-origin-resource-policy": 10,
		"referrer-policy": 5,
		"subresource-integrity": 5,
		"x-frame-options": 5,
	});
	// The most that 1.4.8 gives a site without cookies that is on no browser's preload list. The
	// next version adds 10 points each for COOP and COEP, which page-headers.test.ts checks.
	expect({ score, grade }).toEqual({ score: 135, grade: "A+" });
});
