import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { JOIN_PATH } from "#shared/join.ts";
import { thread } from "../../src/tooling/thread.ts";
import { findProgram } from "../harness/browsers/find.ts";
import { addressSaid } from "../harness/built-site.ts";
import { startPostgres } from "../harness/postgres-cluster.ts";
import { temporaryFolder } from "../harness/temporary.ts";
import { watchStolen } from "../host-took.ts";
import { median } from "../verdict.ts";

/**
 * `npm run bench:server`: joins per second stored by the server, compared with a bare `node:http`
 * server that stores nothing and with one commit per request. All take turns in one run and are
 * compared as ratios. Group commit saves syncs, which cost almost nothing on some disks, so its
 * gain is also measured with syncs that take 1 ms longer.
 */

const CONNECTIONS = 64;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);

/** A disk with 1 ms more per sync. */
const SLOW = "SQLite, slower disk";

const WARM_SECONDS = 2;

/** Enough to compile all code, even on a busy machine. */
const WARM_JOINS = 10_000;

/** Maximum warm-up turns: with one commit each, a slow disk would need minutes. */
const WARM_TURNS = 5;

const wrk = { title: "wrk", variable: "WRK_PATH", commands: ["wrk"], packages: ["wrk"] };

/** Each thread generates unique addresses. Responses other than 201 count as errors. */
const script = `
local threads = 0
function setup(thread) thread:set("id", threads); threads = threads + 1 end
function init() n = 0; bad = 0; prefix = os.getenv("BENCH_PREFIX") .. "-" .. id .. "-" end
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

interface Subject {
	name: string;
	args: string[];
}

interface Measured {
	perSecond: number;
	p99Ms: number;
	/** Per join, all threads. */
	cpuMicroseconds: number;
	/** 0 to 1. */
	stolen: number;
}

const wrkFile = await findProgram(wrk);
const { folder, remove } = await temporaryFolder("waitlist-bench-");
const cluster = await startPostgres();
try {
	await run();
} finally {
	await cluster.remove();
	remove();
}

async function run(): Promise<void> {
	const program = await bundleSubject();
	const scriptFile = join(folder, "join.lua");
	await writeFile(scriptFile, script);
	const sqlite = (name: string) => `file:${join(folder, name)}`;
	const subjects: Subject[] = [
		{ name: "bare node:http, stores nothing", args: ["floor"] },
		{ name: "the same server, stores nothing", args: ["forgetful", "", "1000", "1"] },
		{ name: "SQLite, grouped", args: ["server", sqlite("grouped.db"), "1000", "1"] },
		{ name: "SQLite, with emails", args: ["asking", sqlite("asking.db"), "1000", "1"] },
		{ name: "SQLite, with events", args: ["telling", sqlite("telling.db"), "1000", "1"] },
		{ name: "SQLite, one commit each", args: ["server", sqlite("single.db"), "1", "1"] },
		{ name: `${SLOW}, grouped`, args: ["server", sqlite("slow-grouped.db"), "1000", "1", "1"] },
		{ name: `${SLOW}, one commit each`, args: ["server", sqlite("slow-single.db"), "1", "1", "1"] },
		{ name: "PostgreSQL, grouped", args: ["server", await cluster.createDatabase(), "500", "2"] },
		{
			name: "PostgreSQL, with emails",
			args: ["asking", await cluster.createDatabase(), "500", "2"],
		},
		{
			name: "PostgreSQL, with events",
			args: ["telling", await cluster.createDatabase(), "500", "2"],
		},
		{
			name: "PostgreSQL, one insert each",
			args: ["server", await cluster.createDatabase(), "1", "10"],
		},
	];
	const servers: { name: string; url: string; process: ChildProcess }[] = [];
	const measured = new Map(subjects.map(({ name }) => [name, [] as Measured[]]));
	try {
		// All servers run from the start, so that rounds are short and a change of the machine affects
		// neighboring slices equally.
		for (const { name, args } of subjects) servers.push({ name, ...(await start(program, args)) });
		for (const { url } of servers) {
			for (let joins = 0, turn = 0; joins < WARM_JOINS && turn < WARM_TURNS; turn++) {
				joins += (await letJoin(url, scriptFile, WARM_SECONDS, `warm-${turn}`)).requests;
			}
		}
		for (let round = 0; round < ROUNDS; round++) {
			// In turns, and back again: a machine that slows down affects all of them.
			for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
				const slice = await measure(server, scriptFile, `r${round}`);
				measured.get(server.name)!.push(slice);
				console.log(`${server.name}: ${Math.round(slice.perSecond)}/s`);
			}
		}
	} finally {
		for (const { process } of servers) process.kill("SIGKILL");
		await Promise.all(servers.map(({ process }) => process.exitCode ?? once(process, "exit")));
	}
	report(measured);
}

/** Bundles the product's own modules like the product. */
async function bundleSubject(): Promise<string> {
	const outDir = join(process.cwd(), "node_modules/.cache/bench-server");
	await build({
		configFile: false,
		logLevel: "warn",
		plugins: [thread()],
		build: { ssr: "bench/server/subject.ts", outDir, emptyOutDir: true },
	});
	return join(outDir, "subject.js");
}

async function start(program: string, args: string[]) {
	const server = spawn(process.execPath, [program, ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const url = await addressSaid(server);
	return { url, process: server as ChildProcess };
}

/** @returns their number, the duration in µs, and the p99 in µs */
async function letJoin(url: string, scriptFile: string, seconds: number, prefix: string) {
	const connections = ["-t", "2", "-c", `${CONNECTIONS}`, "--timeout", "30s"];
	const { stdout } = await promisify(execFile)(
		wrkFile,
		[...connections, "-d", `${seconds}s`, "-s", scriptFile, url],
		{ env: { ...process.env, BENCH_PREFIX: prefix } },
	);
	const [requests, microseconds, errors, p99] = /RESULT (\d+) (\d+) (\d+) (\d+)/
		.exec(stdout)!
		.slice(1)
		.map(Number) as [number, number, number, number];
	if (errors > 0) throw new Error(`${errors} of ${requests} joins failed: ${url}`);
	return { requests, microseconds, p99 };
}

async function measure(
	server: { url: string; process: ChildProcess },
	scriptFile: string,
	prefix: string,
): Promise<Measured> {
	const before = await cpuMicroseconds(server.process.pid!);
	const stolen = watchStolen();
	const { requests, microseconds, p99 } = await letJoin(server.url, scriptFile, SECONDS, prefix);
	const cpu = (await cpuMicroseconds(server.process.pid!)) - before;
	return {
		perSecond: requests / (microseconds / 1e6),
		p99Ms: p99 / 1000,
		cpuMicroseconds: cpu / requests,
		stolen: stolen(),
	};
}

/** CPU µs of a process so far, as Linux counts them (proc(5): utime and stime, in 1/100 s). */
async function cpuMicroseconds(processId: number): Promise<number> {
	const stat = await readFile(`/proc/${processId}/stat`, "utf8");
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function report(measured: ReadonlyMap<string, Measured[]>): void {
	console.log(`\nMedians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections`);
	console.table(
		[...measured].map(([server, slices]) => ({
			server,
			"joins/s": Math.round(median(slices.map(({ perSecond }) => perSecond))),
			"p99 ms": Math.round(median(slices.map(({ p99Ms }) => p99Ms)) * 10) / 10,
			"CPU µs": Math.round(median(slices.map(({ cpuMicroseconds }) => cpuMicroseconds))),
			"host took, %": Math.round(median(slices.map(({ stolen }) => stolen)) * 100),
		})),
	);
	const ratio = (a: string, b: string) =>
		median(
			measured
				.get(a)!
				.map(({ perSecond }, round) => perSecond / measured.get(b)![round]!.perSecond),
		);
	// An email is a second row with two indexes in the transaction: 7 µs of the thread's CPU on top
	// of a registration's 10 µs. Without its indexes or its rowid, or straight from JSON, it was no
	// cheaper (batches of 32).
	const goals = [
		["SQLite, grouped", "bare node:http, stores nothing", 0.55],
		["SQLite, grouped", "SQLite, one commit each", 6],
		["SQLite, with emails", "SQLite, grouped", 0.75],
		["SQLite, with events", "SQLite, grouped", 0.5],
		["PostgreSQL, with events", "PostgreSQL, grouped", 0.5],
		[`${SLOW}, grouped`, `${SLOW}, one commit each`, 6],
		["PostgreSQL, grouped", "PostgreSQL, one insert each", 2],
	] as const;
	for (const [a, b, goal] of goals) {
		const measured = ratio(a, b);
		console.log(
			`${measured >= goal ? "✓" : "✗"} ${a} / ${b}: ${measured.toFixed(2)} (goal ${goal})`,
		);
		if (measured < goal) process.exitCode = 1;
	}
	for (const [a, b] of [
		["SQLite, grouped", "the same server, stores nothing"],
		["PostgreSQL, with emails", "PostgreSQL, grouped"],
	] as const) {
		console.log(`  ${a} / ${b}: ${ratio(a, b).toFixed(2)}`);
	}
}
