/**
 * `npm run bench:server`: compares the server's joins per second with those of a bare `node:http`
 * server, and with one commit per join. Exits with 1 if a ratio is below its goal. Needs wrk and
 * PostgreSQL.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { JOIN_PATH } from "#shared/join.ts";
import { threadPlugin } from "../../src/tooling/thread.ts";
import { findProgram } from "../harness/browsers/find.ts";
import { waitForServerUrl } from "../harness/built-site.ts";
import { startPostgres } from "../harness/postgres-cluster.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { formatStolenCpu, watchStolenCpu } from "../stolen-cpu.ts";
import { median } from "../time-verdict.ts";

const CONNECTIONS = 64;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);

const KINDS = ["SQLite", "PostgreSQL"] as const;

/** Minimum ratios of joins per second. On disks with slow syncs, group commits gain much more. */
const GOALS = [
	["SQLite", "bare node:http", 0.3],
	["SQLite", "SQLite, one commit per join", 5],
	["SQLite, emails", "SQLite", 0.75],
	["PostgreSQL", "PostgreSQL, one commit per join", 2],
	["PostgreSQL, emails", "PostgreSQL", 0.75],
] as const;

const wrk = { title: "wrk", variable: "WRK_PATH", commands: ["wrk"], packages: ["wrk"] };

/** All addresses are different, also between wrk's threads. */
const SCRIPT = `
local threads = 0
function setup(thread) thread:set("id", threads); threads = threads + 1 end
function init() n = 0; prefix = os.getenv("BENCH_PREFIX") .. "-" .. id .. "-" end
function request()
	n = n + 1
	return wrk.format("POST", "${JOIN_PATH}", { ["content-type"] = "application/json" },
		'{"email":"' .. prefix .. n .. '@example.com","source":"bench"}')
end
function done(summary, latency)
	io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration,
		summary.errors.status + summary.errors.read + summary.errors.timeout, latency:percentile(99)))
end
`;

interface Server {
	name: string;
	url: string;
	process: ChildProcess;
	perSecond: number[];
	p99Ms: number[];
}

const wrkFile = await findProgram(wrk);
const { folder, remove } = await temporaryFolder("server-bench-");
const script = join(folder, "join.lua");
const cluster = await startPostgres();
const servers: Server[] = [];
try {
	await writeFile(script, SCRIPT);
	const program = await bundleSubject();
	servers.push(await start(program, "bare node:http"));
	for (const kind of KINDS) {
		for (const [suffix, mode] of [
			["", "grouped"],
			[", emails", "emails"],
			[", one commit per join", "single"],
		] as const) {
			const file = `file:${join(folder, `${mode}.db`)}`;
			const url = kind === "SQLite" ? file : await cluster.createDatabase();
			servers.push(await start(program, kind + suffix, mode, url));
		}
	}
	for (const { url } of servers) await letJoin(url, "warm");
	const readStolen = watchStolenCpu();
	for (let round = 0; round < ROUNDS; round++) {
		console.error(`Round ${round + 1} of ${ROUNDS} …`);
		// In alternating order, so that a machine that slows down affects all servers alike.
		for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
			const { perSecond, p99Ms } = await letJoin(server.url, `round-${round}`);
			server.perSecond.push(perSecond);
			server.p99Ms.push(p99Ms);
		}
	}
	report(formatStolenCpu(readStolen()));
} finally {
	for (const { process } of servers) process.kill("SIGKILL");
	await Promise.all(servers.map(({ process }) => process.exitCode ?? once(process, "exit")));
	await cluster.remove();
	remove();
}

async function bundleSubject(): Promise<string> {
	const outDir = join(process.cwd(), "node_modules/.cache/bench-server");
	await build({
		configFile: false,
		logLevel: "warn",
		plugins: [threadPlugin()],
		build: { ssr: "bench/server/subject.ts", outDir, emptyOutDir: true },
	});
	return join(outDir, "subject.js");
}

async function start(program: string, name: string, ...args: string[]): Promise<Server> {
	const server = spawn(process.execPath, [program, ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	return { name, url: await waitForServerUrl(server), process: server, perSecond: [], p99Ms: [] };
}

async function letJoin(url: string, prefix: string) {
	const load = ["-t", "2", "-c", `${CONNECTIONS}`, "-d", `${SECONDS}s`, "--timeout", "30s"];
	const env = { ...process.env, BENCH_PREFIX: prefix };
	const { stdout } = await promisify(execFile)(wrkFile, [...load, "-s", script, url], { env });
	const numbers = /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(stdout)!.slice(1).map(Number);
	const [requests = 0, microseconds = 0, errors = 0, p99 = 0] = numbers;
	if (errors > 0) throw new Error(`${errors} of ${requests} joins failed: ${url}`);
	return { perSecond: requests / (microseconds / 1e6), p99Ms: p99 / 1000 };
}

function report(hostTook: string): void {
	console.log(
		`Medians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections, ${hostTook}`,
	);
	console.table(
		Object.fromEntries(
			servers.map(({ name, perSecond, p99Ms }) => [
				name,
				{ "joins/s": Math.round(median(perSecond)), "p99 ms": Math.round(median(p99Ms)) },
			]),
		),
	);
	const joins = (wanted: string) => servers.find(({ name }) => name === wanted)!.perSecond;
	for (const [a, b, goal] of GOALS) {
		const ratio = median(joins(a).map((perSecond, round) => perSecond / joins(b)[round]!));
		console.log(`${ratio >= goal ? "✓" : "✗"} ${a} / ${b}: ${ratio.toFixed(2)} (goal ${goal})`);
		if (ratio < goal) process.exitCode = 1;
	}
}
