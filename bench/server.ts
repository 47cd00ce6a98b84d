import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "vite";
import { REGISTER_PATH } from "#shared/waitlist.ts";
import { thread } from "../src/tooling/thread.ts";
import { findProgram } from "../tests/browsers/find.ts";
import { startPostgres } from "../tests/server/postgres-cluster.ts";

/**
 * How many joins a second the server keeps, against a bare `node:http` server that stores nothing
 * and against one commit for each request: all in one run, in turns, as ratios.
 */

const CONNECTIONS = 64;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);

const wrk = { title: "wrk", variable: "WRK_PATH", commands: ["wrk"], packages: ["wrk"] };

/** Each thread makes addresses of its own; an answer other than 201 is counted. */
const script = `
local threads = 0
function setup(thread) thread:set("id", threads); threads = threads + 1 end
function init() n = 0; bad = 0; prefix = os.getenv("BENCH_PREFIX") .. "-" .. id .. "-" end
function request()
	n = n + 1
	return wrk.format("POST", "${REGISTER_PATH}", { ["content-type"] = "application/json" },
		'{"email":"' .. prefix .. n .. '@example.com","source":"bench"}')
end
function done(summary, latency)
	io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration,
		summary.errors.status + summary.errors.read + summary.errors.timeout, latency:percentile(99)))
end
`;

interface Subject {
	name: string;
	/** Arguments of bench/server-subject.ts. */
	args: string[];
}

const wrkFile = await findProgram(wrk);
const folder = await mkdtemp(join(tmpdir(), "waitlist-bench-"));
const cluster = await startPostgres();
try {
	await run();
} finally {
	await cluster.remove();
	await rm(folder, { recursive: true });
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
		{ name: "SQLite, one commit each", args: ["server", sqlite("single.db"), "1", "1"] },
		{ name: "PostgreSQL, grouped", args: ["server", await cluster.createDatabase(), "500", "2"] },
		{
			name: "PostgreSQL, one insert each",
			args: ["server", await cluster.createDatabase(), "1", "10"],
		},
	];
	const rates = new Map(subjects.map(({ name }) => [name, [] as number[]]));
	const p99s = new Map(subjects.map(({ name }) => [name, [] as number[]]));
	for (let round = 0; round < ROUNDS; round++) {
		// In turns, and back again: a machine that slows down slows all of them down.
		for (const { name, args } of round % 2 === 0 ? subjects : subjects.toReversed()) {
			const measured = await measure(program, args, scriptFile, `r${round}`);
			rates.get(name)!.push(measured.perSecond);
			p99s.get(name)!.push(measured.p99Ms);
			console.log(
				`${name}: ${Math.round(measured.perSecond)}/s, p99 ${measured.p99Ms.toFixed(1)} ms`,
			);
		}
	}
	report(subjects, rates, p99s);
}

/** The product's own modules, bundled as the product is. */
async function bundleSubject(): Promise<string> {
	const outDir = join(process.cwd(), "node_modules/.cache/bench-server");
	await build({
		configFile: false,
		logLevel: "warn",
		plugins: [thread()],
		build: { ssr: "bench/server-subject.ts", outDir, emptyOutDir: true },
	});
	return join(outDir, "server-subject.js");
}

async function measure(program: string, args: string[], scriptFile: string, prefix: string) {
	const server = spawn(process.execPath, [program, ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	try {
		const url = await new Promise<string>((resolve, reject) => {
			let output = "";
			server.stdout.setEncoding("utf8").on("data", (text) => {
				output += text;
				const found = /Open (http:\/\/\S+)/.exec(output);
				if (found) resolve(found[1]!);
			});
			server.once("exit", () => reject(new Error(`The server ended: ${output}`)));
		});
		// The log goes where a collector would read it, at its speed.
		server.stdout.resume();
		const join = (seconds: number, name: string) =>
			promisify(execFile)(
				wrkFile,
				[
					"-t",
					"2",
					"--timeout",
					"30s",
					"-c",
					`${CONNECTIONS}`,
					"-d",
					`${seconds}s`,
					"-s",
					scriptFile,
					url,
				],
				{ env: { ...process.env, BENCH_PREFIX: `${prefix}-${name}` } },
			);
		await join(2, "warm");
		const { stdout } = await join(SECONDS, "measured");
		const [requests, microseconds, errors, p99] = /RESULT (\d+) (\d+) (\d+) (\d+)/
			.exec(stdout)!
			.slice(1)
			.map(Number) as [number, number, number, number];
		if (errors > 0) throw new Error(`${errors} of ${requests} joins failed: ${args.join(" ")}`);
		return { perSecond: requests / (microseconds / 1e6), p99Ms: p99 / 1000 };
	} finally {
		const ended = new Promise((resolve) => server.once("exit", resolve));
		server.kill("SIGKILL");
		await ended;
	}
}

function report(
	subjects: readonly Subject[],
	rates: ReadonlyMap<string, number[]>,
	p99s: ReadonlyMap<string, number[]>,
): void {
	const median = (values: readonly number[]) =>
		values.toSorted((a, b) => a - b)[values.length >> 1]!;
	console.log(`\nMedians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections`);
	console.table(
		subjects.map(({ name }) => ({
			server: name,
			"joins/s": Math.round(median(rates.get(name)!)),
			"p99 ms": Math.round(median(p99s.get(name)!) * 10) / 10,
		})),
	);
	// Ratios within a round: what the machine does to one, it does to its neighbour in time.
	const ratio = (a: string, b: string) =>
		median(rates.get(a)!.map((rate, round) => rate / rates.get(b)![round]!));
	const goals = [
		["SQLite, grouped", "bare node:http, stores nothing", 0.8],
		["SQLite, grouped", "SQLite, one commit each", 6],
		["PostgreSQL, grouped", "PostgreSQL, one insert each", 2],
	] as const;
	for (const [a, b, goal] of goals) {
		const measured = ratio(a, b);
		console.log(
			`${measured >= goal ? "✓" : "✗"} ${a} / ${b}: ${measured.toFixed(2)} (goal ${goal})`,
		);
		if (measured < goal) process.exitCode = 1;
	}
	const price = ratio("SQLite, grouped", "the same server, stores nothing");
	console.log(`  SQLite, grouped / the same server, stores nothing: ${price.toFixed(2)}`);
}
